import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { importDomains } from '../../bootstrap/imports.js';
import { systemClock } from '../../shared/kernel/clock.js';
import type { Context } from '../../shared/kernel/context.js';
import { exportTo } from '../../shared/import/export.js';
import { importFiles } from '../../shared/import/import.js';
import { testContext } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { until } from '../kit/until.js';

const [demo, empty] = await Promise.all([openTestDatabase({ template: 'demo' }), openTestDatabase()]);
const folder = await mkdtemp(join(tmpdir(), 'lastro-export-'));

afterAll(async () => {
  await Promise.all([demo.close(), empty.close(), rm(folder, { recursive: true, force: true })]);
});

const contextOf = ({ dataSource }: TestDatabase): Context =>
  testContext({ manager: dataSource.manager, clock: systemClock });

async function contents(of: string): Promise<Record<string, string>> {
  const names = (await readdir(of, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const read = names.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(of.length), await readFile(path, 'utf8')] as const;
  });
  return Object.fromEntries((await Promise.all(read)).sort(([one], [other]) => (one < other ? -1 : 1)));
}

test('what is exported and imported into an empty house is exported from there the same, to the byte', async () => {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const { counts } = await exportTo(contextOf(demo), importDomains, first);
  expect([...counts.keys()]).toEqual(
    expect.arrayContaining(['operations', 'series', 'unitPrices', 'payments', 'contracts', 'tranches', 'assets']),
  );
  // Estates are known to credit assignment only once the relay has told of them.
  await empty.dataSource.query(
    `INSERT INTO credit_assignment.estates (id, ticker, name, status) SELECT gen_random_uuid(), t.ticker, t.ticker, 'ACTIVE'
     FROM unnest($1::text[]) AS t (ticker)`,
    [(await readdir(join(first, 'patrimonies'))).map((name) => name.replace('.json', ''))],
  );
  // Months of the demo were closed although a payment was open.
  const options = { correct: 'Restored from an export' };
  const report = await importFiles(contextOf(empty), importDomains, [first], options);
  expect(report.errors).toEqual([]);
  await exportTo(contextOf(empty), importDomains, second);
  expect(await contents(second)).toEqual(await contents(first));
}, 300_000);

test('an export keeps moments to the microsecond, and importing it changes nothing', async () => {
  const { ticker } = await firstOperation();
  await demo.dataSource.query(
    `UPDATE issuances.documents SET created_at = '2026-10-31T12:00:00.123456Z'
     WHERE id = (SELECT document.id FROM issuances.documents AS document JOIN issuances.operations AS operation
       ON operation.id = operation_id WHERE ticker = $1 ORDER BY document.id LIMIT 1)`,
    [ticker],
  );
  const moments = join(folder, 'moments');
  await exportTo(contextOf(demo), importDomains, moments, { only: [ticker.toLowerCase()] });
  const written = (await contents(moments))[`/operations/${ticker}.json`] ?? '';
  const published = [...written.matchAll(/"createdAt": "(.*?)"/g)].map(([, moment]) => moment);
  expect(published).toContain('2026-10-31T12:00:00.123456Z');
  // Moments without microseconds are written as before.
  expect(published).toContainEqual(expect.stringMatching(/T\d\d:\d\d:\d\d\.\d{3}Z$/));
  const { errors, counts } = await importFiles(contextOf(demo), importDomains, [moments], { dryRun: true });
  expect(errors).toEqual([]);
  expect(counts).not.toHaveLength(0);
  for (const count of counts) expect(count).toMatchObject({ created: 0, changed: 0, removed: 0 });
}, 300_000);

async function firstOperation(): Promise<{ readonly ticker: string; readonly name: string }> {
  const [row] = await demo.dataSource.query<{ ticker: string; name: string }[]>(
    'SELECT ticker, name FROM issuances.operations ORDER BY ticker LIMIT 1',
  );
  if (row === undefined) throw new Error('The demo has no operation');
  return row;
}

test('one operation can be exported alone, as it stood at a moment, with what was superseded', async () => {
  const row = await firstOperation();
  const before = new Date();
  await demo.dataSource.query(`UPDATE issuances.operations SET name = 'Outro nome' WHERE ticker = $1`, [row.ticker]);
  const then = join(folder, 'then');
  await exportTo(contextOf(demo), importDomains, then, {
    only: [row.ticker.toLowerCase()],
    asOf: before,
    history: true,
  });
  const files = await contents(then);
  expect(Object.keys(files).filter((name) => name.endsWith('.json'))).toEqual([`/operations/${row.ticker}.json`]);
  expect(files[`/operations/${row.ticker}.json`]).toContain(row.name);
  expect(files['/.history/operations.jsonl']).toContain(row.name);
  await expect(exportTo(contextOf(demo), importDomains, then)).rejects.toThrow('is not an empty folder');
}, 300_000);

test('an export that breaks off removes what it made, and nothing else', async () => {
  const there = join(folder, 'there');
  await mkdir(there);
  const options = { only: [(await firstOperation()).ticker], history: true };
  // Without the entry in the audit log no export is done.
  await demo.asOwner(`ALTER TABLE shared.audit_log ADD CONSTRAINT refused CHECK (action <> 'export') NOT VALID`);
  for (const target of [there, join(folder, 'new', 'deeper')])
    await expect(exportTo(contextOf(demo), importDomains, target, options)).rejects.toThrow('refused');
  expect(await readdir(there)).toEqual([]);
  expect(await readdir(folder)).not.toContain('new');

  const busy = join(folder, 'busy');
  await demo.asOwner('BEGIN; LOCK TABLE issuances.operations');
  const exporting = expect(exportTo(contextOf(demo), importDomains, busy, options)).rejects.toThrow(
    'is not an empty folder',
  );
  await until('the folder of the export', async () => (await readdir(folder)).includes('busy'));
  await writeFile(join(busy, 'contracts.csv'), 'somebody else wrote this');
  await demo.asOwner('COMMIT');
  await exporting;
  expect(await contents(busy)).toEqual({ '/contracts.csv': 'somebody else wrote this' });
}, 300_000);
