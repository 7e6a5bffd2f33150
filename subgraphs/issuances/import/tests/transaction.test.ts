import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { testContext } from '../../../../tests/kit/context.js';
import { openTestDatabase } from '../../../../tests/kit/database.js';
import { csv, importTexts, printed, record, wholeOperation } from './kit.js';

const database = await openTestDatabase();
afterAll(() => database.close());
const context = testContext({ manager: database.dataSource.manager });

beforeEach(async () => {
  await database.asOwner('TRUNCATE issuances.operations, issuances.monthly_reports, shared.outbox CASCADE');
  await database.dataSource.query('UPDATE issuances.revision SET value = 0');
});

async function counts() {
  const [row] = await database.dataSource.query<unknown[]>(
    `SELECT (SELECT count(*) FROM issuances.operations)::int AS operations, (SELECT count(*) FROM issuances.credit_contracts)::int AS contracts,
       (SELECT count(*) FROM shared.outbox)::int AS events, (SELECT value FROM issuances.revision)::int AS revision`,
  );
  return row;
}

test('one error anywhere, and nothing of the whole input is written', async () => {
  const report = await importTexts(context, {
    'a.json': wholeOperation(),
    'b.csv': csv('unitPrices', [{ value: '-1' }]),
  });
  expect(report.errorCount).toBe(1);
  expect(await counts()).toEqual({ operations: 0, contracts: 0, events: 0, revision: 0 });
});

test('of two imports at once one writes after the other, and each sees what the other wrote', async () => {
  const contracts = Array.from({ length: 500 }, (_, at) => ({ externalId: `C-${at}` }));
  const files = {
    'a.json': wholeOperation({ contracts: [], completeMonths: [] }),
    'c.csv': csv('contracts', contracts),
  };
  const reports = await Promise.all([1, 2, 3].map(() => importTexts(context, files)));
  expect(reports.map(printed)).toEqual([[], [], []]);
  const created = reports.map((report) => report.counts.reduce((sum, one) => sum + one.created, 0));
  expect(created.filter((count) => count > 0)).toHaveLength(1);
  expect(await counts()).toEqual({ operations: 1, contracts: 500, events: 4, revision: 1 });
});

test('an import that is killed midway leaves nothing, and the next one is not held up', async () => {
  await importTexts(context, { 'a.json': wholeOperation({ contracts: [], completeMonths: [] }) });
  const before = await counts();
  const files = {
    'c.csv': csv(
      'contracts',
      Array.from({ length: 3000 }, (_, at) => ({ externalId: `C-${at}` })),
    ),
  };
  const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle in transaction'`;
  let killed: Promise<unknown> | undefined;
  const onProgress = ({ phase }: { phase: string }) => {
    if (phase === 'reading') killed ??= database.dataSource.query(kill);
  };
  await expect(importTexts(context, files, { onProgress })).rejects.toThrow();
  await killed;
  expect(await counts()).toEqual(before);
  expect(printed(await importTexts(context, files))).toEqual([]);
  expect(await counts()).toMatchObject({ contracts: 3000 });
});

test('readers see the old state until the new one is whole', async () => {
  await importTexts(context, { 'a.json': wholeOperation() });
  const seen: unknown[] = [];
  const onProgress = ({ phase }: { phase: string }) => {
    if (phase === 'writing') seen.push(database.dataSource.query('SELECT name FROM issuances.operations'));
  };
  await importTexts(context, { 'a.json': record('operations', { name: 'Outro' }) }, { onProgress });
  expect(await Promise.all(seen)).toEqual([[{ name: 'CRI Residencial Aurora' }]]);
});
