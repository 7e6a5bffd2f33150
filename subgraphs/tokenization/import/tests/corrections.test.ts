import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { ImportReport } from '../../../../shared/import/domain.js';
import { revertImport } from '../../../../shared/import/revert.js';
import { voidRecord } from '../../../../shared/import/void.js';
import { testContext } from '../../../../tests/kit/context.js';
import { openTestDatabase } from '../../../../tests/kit/database.js';
import { tokenizationImport } from '../domain.js';
import { kinds } from '../model/kinds.js';
import { csv, importTexts, printed, record, tranche, wholePatrimony, type Json } from './kit.js';

const database = await openTestDatabase();
afterAll(() => database.close());
const context = testContext({ manager: database.dataSource.manager });

beforeEach(async () => {
  await database.asOwner(
    `TRUNCATE ${kinds.map(({ table }) => table).join(', ')}, tokenization.asset_totals, shared.outbox CASCADE`,
  );
  expect(
    printed(
      await importTexts(context, {
        'a.json': { patrimonies: [wholePatrimony()], indexValues: [record('indexValues')] },
      }),
    ),
  ).toEqual([]);
});

const rows = <T = Json>(sql: string): Promise<T[]> => database.dataSource.query<T[]>(sql);

const bookkeeping =
  '{record_version,recorded_at,recorded_by,source_file,source_line,updated_at,policy_version,registration}';
const tables = ['patrimonies', 'tranches', 'schedule_entries', 'assets', 'asset_installments', 'asset_totals'];

/** Returns the published data, without when and by whom it was recorded. */
async function published(): Promise<string> {
  const all = await Promise.all(
    tables.map((table) =>
      rows(`SELECT '${table}' AS place, to_jsonb(t) - '${bookkeeping}'::text[] AS row FROM tokenization.${table} t
        WHERE to_jsonb(t) ->> 'count' IS DISTINCT FROM '0' ORDER BY 2`),
    ),
  );
  return JSON.stringify(all.flat());
}

const idOf = ({ importId }: ImportReport): string => {
  if (importId === undefined) throw new Error('Nothing was imported');
  return importId;
};
const paid = (amount: string, paidOn: string) => ({
  'i.csv': csv('installments', [{ amount, paidAmount: amount, paidOn, dueDate: '2026-03-10' }]),
});
const revert = (report: ImportReport) =>
  revertImport(context, [tokenizationImport], idOf(report), { reason: 'wrong file' });

test('a payment of a debtor, an index number and terms that prices are made of change only when it is meant, and can be put back', async () => {
  await importTexts(context, paid('12000.00', '2026-03-09'));
  await database.dataSource.query(
    `UPDATE tokenization.tranches SET priced_on = '2026-11-19', unit_price = 1, nominal_value = 1, interest = 0`,
  );
  const before = await published();
  const wrong = {
    ...paid('1.00', '2026-03-09'),
    'n.csv': csv('indexValues', [{ value: '1.5', date: '2026-11-03' }]),
    'a.json': wholePatrimony({ tranches: [tranche({ rate: '9' })], assets: undefined }),
  };
  await importTexts(context, { 'n.csv': csv('indexValues', [{ value: '14.90', date: '2026-11-03' }]) });
  expect(printed(await importTexts(context, wrong))).toEqual([
    'a.json:0  asset PAT-AURORA CCB-2025-000123 has received 12000.00: received 12000.00 would become 1.00',
    'a.json:8  tranche PAT-AURORA AURORA-TK1 has prices that are made of it: rate 3.50000000 would become 9.00000000',
    'i.csv:2  asset instalment PAT-AURORA CCB-2025-000123 1 was paid on 2026-03-09: amount 12000.00 would become 1.00, paidAmount 12000.00 would become 1.00',
    'n.csv:2  index value DI 2026-11-03 is older than 5 days: value 14.9000000000 would become 1.5000000000',
  ]);
  expect(await published()).toBe(before);

  const meant = await importTexts(context, wrong, { correct: 'the bank took it back' });
  expect(printed(meant)).toEqual([]);
  expect(printed(await revert(meant))).toEqual([]);
  expect(await published()).toBe(before);
  expect(
    await rows(`SELECT version, value FROM tokenization.index_values WHERE date = '2026-11-03' ORDER BY version`),
  ).toEqual([
    { version: 1, value: '14.9000000000' },
    { version: 2, value: '1.5000000000' },
    { version: 3, value: '14.9000000000' },
  ]);
});

test('an index number and a projection change only when it is meant, however young; a number keeps its day of publication', async () => {
  const number = (value: string, publishedOn = '') => ({
    'n.csv': csv('indexValues', [{ index: 'IPCA', date: '2026-10-01', value, publishedOn }]),
  });
  const projection = (percent: string, publishedOn: string) => ({
    'p.csv': csv('projectedIndexValues', [{ month: '2026-11', percent, publishedOn }]),
  });
  const ok = async (files: Parameters<typeof importTexts>[1], options = {}) => {
    expect(printed(await importTexts(context, files, options))).toEqual([]);
  };
  await ok({ ...number('7215.42', '2026-11-10'), ...projection('0.50', '2026-11-10') });
  await ok({ ...number('7215.42'), ...projection('0.46', '2026-11-18') });
  const wrong = { ...number('7215.43'), ...projection('0.47', '2026-11-18') };
  expect(printed(await importTexts(context, wrong))).toEqual([
    'n.csv:2  index value IPCA 2026-10-01 is published: value 7215.4200000000 would become 7215.4300000000',
    'p.csv:2  projected index value IPCA 2026-11 2026-11-18 is published: percent 0.46000000 would become 0.47000000',
  ]);
  await ok(wrong, { correct: 'typed wrongly' });
  expect(
    await rows(
      `SELECT version, value, published_on::text FROM tokenization.index_values WHERE index_name = 'IPCA' ORDER BY version`,
    ),
  ).toEqual([
    { version: 1, value: '7215.4200000000', published_on: '2026-11-10' },
    { version: 2, value: '7215.4300000000', published_on: '2026-11-10' },
  ]);
  expect(
    await rows(
      `SELECT published_on::text, version, percent, source FROM tokenization.projected_index_values ORDER BY 1, 2`,
    ),
  ).toEqual([
    { published_on: '2026-11-10', version: 1, percent: '0.50000000', source: 'ANBIMA' },
    { published_on: '2026-11-18', version: 1, percent: '0.46000000', source: 'ANBIMA' },
    { published_on: '2026-11-18', version: 2, percent: '0.47000000', source: 'ANBIMA' },
  ]);
});

test('an import that changed a schedule alone is taken back, though its series says nothing else', async () => {
  const before = await published();
  const changed = await importTexts(
    context,
    {
      'a.json': wholePatrimony({
        assets: undefined,
        tranches: [tranche({ schedule: [record('schedule', { dueDate: '2025-09-16' })] })],
      }),
    },
    { correct: 'the deed says so' },
  );
  expect(await published()).not.toBe(before);
  expect(printed(await revert(changed))).toEqual([]);
  expect(await published()).toBe(before);
});

test('an asset that is voided leaves lists and sums, and comes back with its instalments', async () => {
  const before = await published();
  const report = await voidRecord(context, [tokenizationImport], 'assets', ['pat-aurora', 'CCB-2025-000123'], {
    reason: 'sold before',
  });
  expect(await rows('SELECT FROM tokenization.asset_installments')).toEqual([]);
  expect(await rows('SELECT count FROM tokenization.asset_totals WHERE count <> 0')).toEqual([]);
  expect(printed(await revert(report))).toEqual([]);
  expect(await published()).toBe(before);
});

test('an index number or a DI rate far from the one before it needs a reason, also in a dry run', async () => {
  const values = (index: string, ...given: readonly (readonly [date: string, value: string])[]) => ({
    'n.csv': csv(
      'indexValues',
      given.map(([date, value]) => ({ index, date, value })),
    ),
  });
  const said = async (files: Record<string, string>) => printed(await importTexts(context, files, { dryRun: true }));
  expect(await said(values('IGPM', ['2026-08-01', '935.3'], ['2026-09-01', '1028.8'], ['2026-10-01', '926']))).toEqual(
    [],
  );
  expect(await said(values('IGPM', ['2026-08-01', '935.3'], ['2026-09-01', '9353.16']))).toEqual([
    'n.csv:3 value is 9353.16, 900.0171 % from the 935.3 of 2026-08-01: give a reason if it is right',
  ]);
  expect(await said(values('DI', ['2026-11-09', '14'], ['2026-11-10', '21.01']))).toEqual([
    'n.csv:3 value is 21.01, 50.0714 % from the 14 of 2026-11-09: give a reason if it is right',
  ]);
});
