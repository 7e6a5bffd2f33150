export default {
  testEnvironment: 'node',
  roots: ['<rootDir>'],
  testMatch: ['**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data', '<rootDir>/bench/peer/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1', '^fast-check$': '<rootDir>/tests/kit/fast-check.mjs' },
  globalSetup: '<rootDir>/tests/kit/global-setup.mjs',
  globalTeardown: '<rootDir>/tests/kit/global-teardown.mjs',
  testTimeout: 30_000,
  maxWorkers: 2,
};
