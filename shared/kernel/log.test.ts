import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { createLog } from './log.js';

function lineOf(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => lines.push(line) }));
  return lines.join('');
}

test('secrets and personal data are hidden by their names, at the top and one level down', () => {
  const line = lineOf((log) => {
    log.info(
      { password: 'p1', email: 'ana@example.com', headers: { authorization: 'Bearer t1', 'x-api-key': 'k1' } },
      'x',
    );
  });
  for (const hidden of ['p1', 'ana@example.com', 't1', 'k1']) expect(line).not.toContain(hidden);
});

test("an error is logged by what it says, without the parameters that a driver keeps on it, nor its cause's", () => {
  const cause = Object.assign(new Error('duplicate key'), {
    parameters: ['ana@example.com'],
    detail: 'Key (email)=(ana)',
  });
  const line = lineOf((log) => {
    log.error({ err: new Error('the query failed', { cause }) }, 'x');
  });
  expect(line).toContain('duplicate key');
  expect(line).not.toContain('ana');
});

/** Logs more than standard output takes while a timer runs, and says on standard error how many lines it dropped. */
const program = `
  const { createLog, droppedLines } = await import('./shared/kernel/log.ts');
  const log = createLog('info');
  let turns = 0;
  setInterval(async () => {
    for (let at = 0; at < 1_000; at += 1) log.info('x'.repeat(1_000));
    if ((turns += 1) < 5) return;
    process.stderr.write(String((await droppedLines.get()).values[0]?.value ?? 0));
    process.exit(0);
  }, 20);`;

test.each(['a full disk', 'a reader that is gone', 'a reader that does not read'])(
  'a log that cannot be written, because of %s, costs its lines and stops nothing',
  async (what) => {
    const stdout = what === 'a full disk' ? openSync('/dev/full', 'w') : ('pipe' as const);
    const child = spawn(
      process.execPath,
      ['--import', './tests/kit/typescript.mjs', '--input-type=module', '-e', program],
      { stdio: ['ignore', stdout, 'pipe'] },
    );
    if (what === 'a reader that is gone') child.stdout?.destroy();
    if (child.stderr === null) throw new Error('It has standard error');
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number]>]);
    expect([code, Number(said) > 1_000]).toEqual([0, true]);
  },
);
