import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = fileURLToPath(new URL('./mutants.mjs', import.meta.url));
const timeoutMs = 120_000;

async function mutants(...args: string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { timeout: timeoutMs });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, output: stdout };
  }
}

const example = 'tests/mutants/example';

test(
  'the tool finds the mutant that tests do not notice, names it, and ends with 1 below the minimum',
  async () => {
    const { code, output } = await mutants(example, '--sample', '0', '--list', '--minimum', '100');
    // `fee < 10` and `fee <= 10` give the same fee, and `true`, `false` and `>=` do not.
    expect(output).toContain('tests/mutants/example/fee.ts:4:7 EqualityOperator\n  - fee < 10\n  + fee <= 10\n');
    expect(output.match(/^ {2}\+ /gm)).toHaveLength(1);
    expect(output).toMatch(/\d+ of \d+ killed/);
    expect(code).toBe(1);
  },
  timeoutMs,
);

test(
  'a sample is the same for the same seed, and another for another',
  async () => {
    const [one, again, other] = await Promise.all([
      mutants(example, '--sample', '1', '--seed', '1', '--drawn'),
      mutants(example, '--sample', '1', '--seed', '1', '--drawn'),
      mutants(example, '--sample', '1', '--seed', '3', '--drawn'),
    ]);
    expect(one.output).toBe(again.output);
    expect(one.output).not.toBe(other.output);
  },
  timeoutMs,
);

test('--help says how it is called', async () => {
  const { code, output } = await mutants('--help');
  expect(code).toBe(0);
  expect(output).toContain('npm run mutants -- <file or folder>');
});
