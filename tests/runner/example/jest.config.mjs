// The configuration of `npm test` for the files beside this one, which need no database.
import base from '../../../jest.config.js';

const { globalSetup: _setup, globalTeardown: _teardown, ...shared } = base;

export default {
  ...shared,
  rootDir: '../../..',
  roots: ['<rootDir>/tests/runner/example'],
  testMatch: ['**/example/*.ts'],
};
