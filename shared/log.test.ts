import { expect, test } from '@jest/globals';
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
