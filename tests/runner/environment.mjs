// Jest's environment for the tests: the worker's own globals, which are for the next test file as they were for this one.
import { appendFileSync } from 'node:fs';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Where Jest keeps the tests of a file, with all that they hold, who listens to them, and how long they may take. */
const keptByJest = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL']);

export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimersModern;
  #before = {
    console: globalThis.console,
    exit: process.exit,
    exitCode: process.exitCode,
    folder: process.cwd(),
    env: { ...process.env },
  };

  /** The sequence of tests/kit/random.ts. */
  #seed = Number(process.env.FC_SEED || Math.floor(Math.random() * 2 ** 31));
  #random = { state: this.#seed, isUsed: false };

  #costs = process.env.TEST_COSTS;
  #begun = process.cpuUsage();
  #file;

  constructor({ projectConfig }, { testPath }) {
    this.#file = testPath;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    const { patient = [], patientMs } = projectConfig.testEnvironmentOptions;
    if (patient.some((path) => new RegExp(path).test(testPath)))
      globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = patientMs;
    globalThis[Symbol.for('lastro.tests.random')] = this.#random;
  }

  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0 && this.#random.isUsed)
      process.stderr.write(`Its random numbers again: FC_SEED=${this.#seed} npm test -- ${this.#file}\n`);
  }

  setup() {}

  teardown() {
    // In this order: a spy may stand in for a fake timer, and what it stood in for comes back first.
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    const { console, exit, exitCode, folder, env } = this.#before;
    Object.assign(globalThis, { console });
    Object.assign(process, { exit, exitCode });
    process.chdir(folder);
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    for (const name of Object.getOwnPropertySymbols(globalThis))
      if (keptByJest.has(name.description)) delete globalThis[name];
    const { user, system } = process.cpuUsage(this.#begun);
    if (this.#costs !== undefined)
      appendFileSync(this.#costs, `${JSON.stringify({ file: this.#file, seconds: (user + system) / 1e6 })}\n`);
  }

  getVmContext() {
    return null;
  }
}
