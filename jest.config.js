/**
 * What starts processes, clusters, browsers or deploy tools, and takes half of the time of all tests: `npm run test:second` runs it, a file at a
 * time, since each needs both processors; `npm run test:all` runs it after the gate. The gate keeps one journey of each kind.
 * A path on the command line runs whatever it matches.
 */
const secondLane = [
  '/tests/start/(?!shutdown|lockfile)',
  '/tests/hostile/(?!lost-commit)',
  '/tests/operations/(?!live-resume)',
  '/tests/deploy/(?!sbom)',
  '/tests/apps/(browser|editors|faces|operator-host|developer-entry|panel(?!-trading))',
  '/tests/accounts/chromium',
  '/tests/clients/(generators|python)',
  '/shared/database/embedded(?!-)',
];
const named = process.argv.slice(2).some((argument) => !argument.startsWith('-'));
const second = process.env.TEST_LANE === 'second';

export default {
  roots: ['<rootDir>'],
  testPathIgnorePatterns: ['/node_modules/', ...(named || second ? [] : secondLane)],
  ...(second ? { testRegex: secondLane.map((path) => `${path}.*\\.test\\.ts$`) } : { testMatch: ['**/*.test.ts'] }),
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data', '<rootDir>/bench/peer/'],
  testEnvironment: '<rootDir>/tests/runner/environment.mjs',
  runtime: '<rootDir>/tests/runner/runtime.mjs',
  transform: {},
  // Only for `--onlyChanged`: imports name the compiled file.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  setupFiles: ['<rootDir>/bootstrap/registry.ts'],
  globalSetup: '<rootDir>/tests/kit/global-setup.mjs',
  globalTeardown: '<rootDir>/tests/kit/global-teardown.mjs',
  reporters: ['default', '<rootDir>/tests/runner/costs.mjs'],
  // Longer than what a test waits for (tests/kit/until.ts), which says what that is.
  testTimeout: 90_000,
  // Processes, browsers and commands, of which a test runs several, take long to start on a machine that is busy with other things.
  testEnvironmentOptions: {
    patientMs: 300_000,
    patient: [
      '/cli/',
      '/tests/(start|hostile|operations|deploy|clients)/',
      '/tests/apps/(browser|editors|faces|operator-host|developer-entry|panel)',
      '/tests/accounts/chromium',
      // Asks the whole graph as of each of many moments.
      '/tests/graph/past-moments',
      '/tests/trading/rest\\.',
    ],
  },
  // Tests wait for processes and clocks a part of their time: three keep two processors busy. More make single requests wait too long.
  maxWorkers: 3,
  // A worker keeps what the modules of each file leave behind; a new one costs less than that.
  workerIdleMemoryLimit: '1500MB',
};
