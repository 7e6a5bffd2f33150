export default {
  roots: ['<rootDir>'],
  testMatch: ['**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data', '<rootDir>/bench/peer/'],
  testEnvironment: '<rootDir>/tests/runner/environment.mjs',
  runtime: '<rootDir>/tests/runner/runtime.mjs',
  transform: {},
  globalSetup: '<rootDir>/tests/kit/global-setup.mjs',
  globalTeardown: '<rootDir>/tests/kit/global-teardown.mjs',
  // A house takes two seconds to open, and minutes on a machine that is busy with other things.
  testTimeout: 300_000,
  // Tests wait for processes and clocks a part of their time: three keep two processors busy. More make single requests wait too long.
  maxWorkers: 3,
  // A worker keeps what the modules of each file leave behind; a new one costs less than that.
  workerIdleMemoryLimit: '1500MB',
};
