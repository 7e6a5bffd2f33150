// Runs test files with one mutant switched on, for as long as its parent asks: one process, so that nothing is compiled twice.
import { dirname } from 'node:path';
import { runCLI } from 'jest';
import base from '../../jest.config.js';
import { tsxSettings } from '../../scripts/swc-options.mjs';
import { active } from './active.mjs';

// Jest's own runtime, which loads every module again for each mutant: a mutant may be in what a module does when it is loaded.
const { globalSetup: _setup, globalTeardown: _teardown, runtime: _native, ...shared } = base;

const firstLine = ({ failureMessages: [message = ''] }) => message.split('\n', 1)[0];

async function runFile(root, file, testTimeoutMs = shared.testTimeout) {
  const config = JSON.stringify({
    ...shared,
    testTimeout: testTimeoutMs,
    rootDir: root,
    roots: [dirname(file)],
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    transform: {
      '^.+\\.ts$': '<rootDir>/tests/mutants/transform.mjs',
      '^.+\\.tsx$': ['@swc/jest', tsxSettings],
    },
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1', '^fast-check$': '<rootDir>/tests/kit/fast-check.mjs' },
    testEnvironment: '<rootDir>/tests/mutants/environment.mjs',
    reporters: [],
  });
  const options = {
    config,
    runInBand: true,
    runTestsByPath: true,
    watchman: false,
    silent: true,
    _: [file],
    $0: 'jest',
  };
  active.coverage = undefined;
  const { results } = await runCLI(options, [root]);
  const [result] = results.testResults;
  const failed = result?.testResults.find(({ status }) => status === 'failed');
  const failure = result?.testExecError?.message ?? (failed && `${failed.fullName} (${firstLine(failed)})`);
  const slowestMs = Math.max(0, ...(result?.testResults ?? []).map(({ duration }) => duration ?? 0));
  const passed = results.success && result !== undefined;
  const couldNotRun = result?.testExecError !== undefined;
  return { passed, failure, couldNotRun, coverage: active.coverage, slowestMs };
}

process.on('message', async ({ root, file, mutant, hitLimit, testTimeoutMs }) => {
  active.mutant = mutant;
  active.hitLimit = hitLimit;
  const began = performance.now();
  let outcome;
  try {
    outcome = await runFile(root, file, testTimeoutMs);
  } catch (error) {
    outcome = { passed: false, failure: String(error), couldNotRun: true };
  }
  process.send({ ...outcome, ms: performance.now() - began, memoryBytes: process.memoryUsage().rss });
});
process.on('disconnect', () => process.exit());
// A test may leave a promise behind that fails when its file has ended; the next file must not end for it.
process.on('unhandledRejection', () => undefined);
process.on('uncaughtException', () => undefined);
