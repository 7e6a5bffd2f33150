// Jest's environment for one test file: switches the mutant on, and skips the rest of the file after the first failure.
import { TestEnvironment } from 'jest-environment-node';
import { active } from './active.mjs';

export default class MutantEnvironment extends TestEnvironment {
  #failed = false;

  async setup() {
    await super.setup();
    // The names are those of Stryker's switches. A mutant that makes a loop endless is ended by the limit.
    this.global.__stryker__ =
      active.mutant === undefined
        ? {}
        : { activeMutant: active.mutant, hitCount: 0, hitLimit: active.hitLimit, mutantCoverage: undefined };
  }

  handleTestEvent(event) {
    // Not of a failed hook: Jest fails the tests of its block itself, and one that is skipped has not failed.
    if (event.name === 'test_fn_failure') this.#failed = true;
    if (event.name === 'test_start' && this.#failed) event.test.mode = 'skip';
  }

  async teardown() {
    active.coverage = { ...this.global.__stryker__?.mutantCoverage?.static };
    await super.teardown();
  }
}
