import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the files of `example/` one after the other in one process, as `npm test -- -i` does. */
async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const jest = ['--import', './tests/kit/typescript.mjs', 'node_modules/jest/bin/jest.js', '-i', '--verbose'];
  const config = ['--config', 'tests/runner/example/jest.config.mjs'];
  try {
    const { stderr } = await promisify(execFile)(process.execPath, [...jest, ...config, ...args], { cwd: root });
    return { code: 0, output: stderr };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, output: stderr };
  }
}

test('tests that differ, take too long, or leave an error to nobody fail with their place, and what a file leaves behind is gone for the next', async () => {
  const { code, output } = await run();
  expect(code).toBe(1);
  const failed = new Set([...output.matchAll(/^ {2}● (.*)$/gm)].map(([, name]) => name));
  expect([...failed]).toEqual([
    'that differs',
    'without an end',
    'with a promise that nobody awaits',
    'with an error that nobody catches',
    'Test suite failed to run',
  ]);
  expect(output).toMatch(/Tests: +4 failed, 2 passed, 6 total/);
  expect(output).toMatch(/-\s+3,\n\s+\+\s+2\.\d+,/);
  expect(output).toMatch(/one-leaves\.ts:15:\d+/);
  expect(output).toContain('Exceeded timeout of 1000 ms');
  for (const message of ['nobody awaits me', 'nobody catches me', 'the end fails']) expect(output).toContain(message);
});

test('a test that fails prints the seed of its random numbers, which gives them again', async () => {
  const differs = async () => (await run('one-leaves', '-t', 'that differs')).output;
  const number = /\+\s+(2\.\d+)/;
  const first = await differs();
  const [, seed = ''] = /FC_SEED=(\d+) npm test -- .*one-leaves\.ts/.exec(first) ?? [];
  process.env['FC_SEED'] = seed;
  expect(number.exec(await differs())?.[1]).toBe(number.exec(first)?.[1]);
});

test('a pattern selects tests by their names, and a run without a failure ends with code 0', async () => {
  const { code, output } = await run('two-finds', '-t', 'a file finds');
  expect(output).toMatch(/Tests: +1 passed, 1 total/);
  expect(code).toBe(0);
});
