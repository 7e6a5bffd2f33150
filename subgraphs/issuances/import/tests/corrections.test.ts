import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fixedClock } from '../../../../tests/kit/clock.js';
import { lockImports } from '../../../../shared/import/lock.js';
import type { ImportReport } from '../../../../shared/import/domain.js';
import { revertImport } from '../../../../shared/import/revert.js';
import { voidRecord } from '../../../../shared/import/void.js';
import { testContext } from '../../../../tests/kit/context.js';
import { openTestDatabase } from '../../../../tests/kit/database.js';
import { issuancesImport } from '../domain.js';
import { kinds } from '../model/kinds.js';
import { csv, importTexts, printed, record, wholeOperation, type Json } from './kit.js';

const database = await openTestDatabase();
afterAll(() => database.close());
const context = testContext({ manager: database.dataSource.manager });

const tables = kinds.map(({ table }) => table);
const recorded = kinds.filter((kind) => kind.recorded);

beforeEach(() => database.asOwner(`TRUNCATE issuances.monthly_reports, ${tables.join(', ')}, shared.outbox CASCADE`));

const rows = <T = Json>(sql: string): Promise<T[]> => database.dataSource.query<T[]>(sql);

const bookkeeping = '{record_version,recorded_at,recorded_by,source_file,source_line,updated_at}';

/** Returns the published data, without when and by whom it was recorded. */
async function published(): Promise<string> {
  const all = await Promise.all(
    recorded.map(({ name, table }) =>
      rows(`SELECT '${name}' AS kind, to_jsonb(t) - '${bookkeeping}'::text[] AS row FROM ${table} t ORDER BY 2`),
    ),
  );
  return JSON.stringify(all.flat());
}

const idOf = ({ importId }: ImportReport): string => {
  if (importId === undefined) throw new Error('Nothing was imported');
  return importId;
};

const oldPrice = (value: string) => ({ 'p.csv': csv('unitPrices', [{ date: '2025-06-02', value }]) });

describe('what is settled', () => {
  test('changes of paid payments, old prices and emptied fields are refused together, each with its place, unless they are meant', async () => {
    await importTexts(context, { 'a.json': wholeOperation(), ...oldPrice('1000,5') });
    const before = await published();
    const wrong = {
      'b.csv': csv('payments', [{ interestValue: '1', principalValue: '0', totalValue: '1' }]),
      'c.csv': csv('unitPrices', [{ date: '2025-06-02', value: '2' }]),
      'd.csv': csv('contracts', [{ uf: '' }]),
    };
    const report = await importTexts(context, wrong);
    expect(printed(report)).toEqual([
      'b.csv:2  payment CRI-AURORA-1 AURORA1S1 19 Juros e amortização was paid on 2026-10-15: ' +
        'interestValue 512345.67 would become 1.00, principalValue 1000000.00 would become 0.00, totalValue 1512345.67 would become 1.00',
      'c.csv:2  unit price AURORA1S1 2025-06-02 is older than 5 days: value 1000.50000000 would become 2.00000000',
      'd.csv:2  contract CRI-AURORA-1 CCB-2025-000123 would lose uf: uf SP would become nothing',
    ]);
    expect(await published()).toBe(before);

    expect((await importTexts(context, wrong, { correct: 'typed wrongly' })).errorCount).toBe(0);
    expect(await rows('SELECT value FROM issuances.unit_prices WHERE date = $$2025-06-02$$')).toEqual([
      { value: '2.00000000' },
    ]);
    expect(
      await rows(`SELECT v.value, v.superseded_by = p.recorded_by AS "byTheSame", i.reason, p.source_line AS line
        FROM issuances.unit_prices_versions v JOIN issuances.unit_prices p USING (series_id, date) JOIN shared.imports i ON i.id = p.recorded_by`),
    ).toEqual([{ value: '1000.50000000', byTheSame: true, reason: 'typed wrongly', line: 2 }]);
  });

  test('how old a settled price is can be said', async () => {
    await importTexts(context, { 'a.json': wholeOperation(), ...oldPrice('1000') });
    expect((await importTexts(context, oldPrice('1001'), { settledPriceDays: 3650 })).errorCount).toBe(0);
  });
});

describe('a typed price that moves more than its series permits in a day', () => {
  const days = (...prices: readonly (readonly [date: string, value: string])[]) => ({
    'p.csv': csv(
      'unitPrices',
      prices.map(([date, value]) => ({ date, value })),
    ),
  });
  const load = (changes: Json = {}) => {
    const operation = wholeOperation({ payments: [], contracts: [], completeMonths: [] });
    const [series] = operation['series'] as Json[];
    const prices = [record('unitPrices', { date: '2026-11-16', value: '1000' })];
    return importTexts(context, {
      'a.json': { ...operation, series: [{ ...series, unitPrices: prices, ...changes }] },
    });
  };
  const said = async (...prices: readonly (readonly [date: string, value: string])[]) => {
    const report = await importTexts(context, days(...prices), { dryRun: true });
    if (report.errorCount > 0) expect(report.settled).toBe(true);
    return printed(report).map((line) => line.replace(/ \(.*/, ''));
  };

  test('needs a reason, also in a dry run, against the price before it in the house or in the same file; the same again needs none', async () => {
    await load();
    expect(await said(['2026-11-17', '1050'], ['2026-11-18', '1000.01'], ['2026-11-19', '952'])).toEqual([]);
    const wrong = [
      ['2026-11-17', '1050.01'],
      ['2026-11-18', '1051'],
      ['2026-11-19', '900'],
    ] as const;
    const errors = [
      'p.csv:2 value is 1050.01000000, 5.0010 % from the 1000.00000000 of 2026-11-16, and AURORA1S1 moves at most 5.0000 % a day',
      'p.csv:4 value is 900.00000000, -14.3673 % from the 1051.00000000 of 2026-11-18, and AURORA1S1 moves at most 5.0000 % a day',
    ];
    expect(await said(...wrong)).toEqual(errors);
    expect((await importTexts(context, days(...wrong))).errorCount).toBe(2);
    expect(printed(await importTexts(context, days(...wrong), { correct: 'conferido' }))).toEqual([]);
    expect(await said(...wrong)).toEqual([]);
  });

  test('by the bound of its own series', async () => {
    await load({ maxDailyChangePercent: '0.5' });
    expect(await said(['2026-11-17', '1005'])).toEqual([]);
    expect(await said(['2026-11-17', '1005.01'])).toEqual([
      'p.csv:2 value is 1005.01000000, 0.5010 % from the 1000.00000000 of 2026-11-16, and AURORA1S1 moves at most 0.5000 % a day',
    ]);
  });

  test('a payment explains a fall up to what it pays on a unit, where it is due on that day or the day before; a redemption a fall to nothing', async () => {
    await load();
    const pay = (dueDate: string, totalValue: string) =>
      importTexts(
        context,
        {
          'pay.csv': csv('payments', [
            { dueDate, paidDate: '', interestValue: '', principalValue: '', totalValue, installmentNumber: '20' },
          ]),
        },
        { correct: 'x' },
      );
    // 48,500 units are subscribed: 200.00 on each.
    expect(printed(await pay('2026-11-17', '9700000.00'))).toEqual([]);
    expect(await said(['2026-11-17', '770'])).toEqual([]);
    expect(await said(['2026-11-17', '1001'], ['2026-11-18', '780'])).toEqual([]);
    expect(await said(['2026-11-17', '749'])).toEqual([
      'p.csv:2 value is 749.00000000, -25.1000 % from the 1000.00000000 of 2026-11-16, and AURORA1S1 moves at most 5.0000 % a day',
    ]);
    expect(await said(['2026-11-17', '801'], ['2026-11-18', '801'], ['2026-11-19', '600'])).toHaveLength(1);
    await pay('2026-11-17', '48509700.00');
    expect(await said(['2026-11-17', '0'])).toEqual([]);
  });

  test('a payment explains one fall only, that which is nearest to it, also where the other one is in the house', async () => {
    await load();
    const payments = (paidDate: string, ...totals: readonly string[]) =>
      csv(
        'payments',
        totals.map((totalValue, at) => ({
          dueDate: '2026-11-17',
          paidDate,
          interestValue: '',
          principalValue: '',
          totalValue,
          installmentNumber: String(20 + at),
        })),
      );
    // 40.00 and 160.00 on each of the 48,500 units.
    const correct = { correct: 'x' };
    expect(
      printed(await importTexts(context, { 'pay.csv': payments('', '1940000.00', '7760000.00') }, correct)),
    ).toEqual([]);
    const twice = [
      ['2026-11-17', '801'],
      ['2026-11-18', '650'],
    ] as const;
    const second = [expect.stringContaining('value is 650.00000000, -18.8514 % from the 801.00000000 of 2026-11-17')];
    expect(await said(...twice)).toEqual(second);
    // The nearer one is the second.
    expect(await said(['2026-11-17', '860'], ['2026-11-18', '661'])).toEqual([
      expect.stringContaining('value is 860.00000000, -14.0000 % from the 1000.00000000 of 2026-11-16'),
    ]);
    // A payment made on another day than it was due explains no second fall either.
    await importTexts(context, { 'pay.csv': payments('2026-11-19', '1940000.00', '7760000.00') }, correct);
    expect(await said(['2026-11-17', '801'], ['2026-11-18', '801.5'], ['2026-11-19', '650'])).toEqual([
      expect.stringContaining('value is 650.00000000'),
    ]);
    expect(await said(['2026-11-17', '1000.5'], ['2026-11-18', '1001'], ['2026-11-19', '802'])).toEqual([]);
    const [first, other] = twice;
    expect((await importTexts(context, days(first))).errorCount).toBe(0);
    expect(await said(other)).toEqual(second);
  });
});

test('a dry run shows each record and field that would be another, and writes nothing', async () => {
  await importTexts(context, { 'a.json': wholeOperation() });
  const before = await published();
  const report = await importTexts(
    context,
    {
      'p.csv': csv('unitPrices', [{ date: '2025-06-02', value: '7' }]),
      'c.csv': csv('contracts', [{ outstandingBalance: '5' }]),
    },
    { dryRun: true },
  );
  expect(report.importId).toBeUndefined();
  expect(report.changes).toEqual({
    total: 2,
    changes: [
      {
        kind: 'unitPrices',
        change: 'CREATED',
        record: 'AURORA1S1 2025-06-02',
        file: 1,
        line: 2,
        movedPercent: null,
        fields: [
          { field: 'date', isNumber: false, before: null, after: '2025-06-02' },
          { field: 'value', isNumber: true, before: null, after: '7.00000000' },
        ],
      },
      {
        kind: 'contracts',
        change: 'CHANGED',
        record: 'CRI-AURORA-1 CCB-2025-000123',
        file: 0,
        line: 2,
        movedPercent: null,
        fields: [{ field: 'outstandingBalance', isNumber: true, before: '98765.43', after: '5.00' }],
      },
    ],
  });
  expect(await published()).toBe(before);
});

describe('taking an import back', () => {
  const revert = (importId: string) => revertImport(context, [issuancesImport], importId, { reason: 'wrong file' });

  test('what it changed, removed and created is as it was; taking that back brings it again', async () => {
    const first = await importTexts(context, { 'a.json': wholeOperation() });
    const before = await published();
    const second = await importTexts(
      context,
      {
        'a.json': wholeOperation({
          name: 'Outro',
          guarantees: [],
          covenants: [record('covenants', { threshold: '1' })],
        }),
        'p.csv': csv('unitPrices', [{ date: '2025-06-02', value: '7' }]),
      },
      { correct: 'it is so' },
    );
    const after = await published();
    expect(after).not.toBe(before);
    const back = await revert(idOf(second));
    expect(printed(back)).toEqual([]);
    expect(await published()).toBe(before);
    expect(printed(await revert(idOf(back)))).toEqual([]);
    expect(await published()).toBe(after);
    await expect(revert(idOf(second))).rejects.toThrow('was already reverted');
    expect(printed(await revert(idOf(first)))).not.toEqual([]);
    expect(await published()).toBe(after);
  });

  test('what was removed and came again since is not written over', async () => {
    await importTexts(context, { 'a.json': wholeOperation() });
    const { importId = '' } = await voidRecord(context, [issuancesImport], 'unitPrices', ['AURORA1S1', '2026-10-30'], {
      reason: 'CPF 529.982.247-25 was typed here',
    });
    expect(await rows('SELECT reason FROM shared.imports ORDER BY id DESC LIMIT 1')).toEqual([
      { reason: expect.not.stringContaining('529.982') },
    ]);
    await importTexts(context, { 'p.csv': csv('unitPrices', [{ date: '2026-10-30', value: '774.07' }]) });
    const before = await published();
    expect(printed(await revert(importId))).toEqual([
      expect.stringContaining('unit price AURORA1S1 2026-10-30 has changed since'),
    ]);
    expect(await published()).toBe(before);
  });

  test('two who take it back at once do it once, and the other gets an error', async () => {
    await importTexts(context, { 'a.json': wholeOperation() });
    const second = await importTexts(context, { 'p.csv': csv('unitPrices', [{ date: '2026-11-18', value: '1014' }]) });
    const both = await Promise.allSettled([revert(idOf(second)), revert(idOf(second))]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await rows(`SELECT FROM issuances.unit_prices WHERE date = '2026-11-18'`)).toEqual([]);
  });

  test('while a long import is being written it is refused, and nothing is taken back', async () => {
    await importTexts(context, { 'a.json': wholeOperation() });
    const second = await importTexts(context, { 'p.csv': csv('unitPrices', [{ date: '2026-11-18', value: '1014' }]) });
    const before = await published();
    await database.dataSource.manager.inTransaction(async (manager) => {
      await lockImports({ ...context, manager });
      await expect(revert(idOf(second))).rejects.toThrow(
        'Another import is being written: try again when it has finished',
      );
    });
    expect(await published()).toBe(before);
  });

  test('what belonged to a record that has gone since is named, and nothing is taken back', async () => {
    await importTexts(context, { 'a.json': wholeOperation({ onchainContracts: [], completeMonths: [] }) });
    const without = wholeOperation({ onchainContracts: [], completeMonths: [], guarantees: [] });
    const second = await importTexts(context, { 'a.json': without }, { correct: 'there is none' });
    await voidRecord(context, [issuancesImport], 'operations', ['CRI-AURORA-1'], { reason: 'never issued' });
    const before = await published();
    expect(printed(await revert(idOf(second)))).toEqual([
      expect.stringMatching(/guarantee CRI-AURORA-1 .* has been removed since: restore that record first/),
    ]);
    expect(await published()).toBe(before);
  });

  test('the first import of all leaves nothing behind', async () => {
    const first = await importTexts(context, {
      'a.json': wholeOperation({ onchainContracts: [], completeMonths: [] }),
    });
    expect(printed(await revert(idOf(first)))).toEqual([]);
    expect(await published()).toBe('[]');
  });
});

describe('voiding', () => {
  const voided = (kind: string, ...names: string[]) =>
    voidRecord(context, [issuancesImport], kind, names, { reason: 'never agreed' });

  test('a record goes with what belongs to it, stays in the history, and can be brought back', async () => {
    await importTexts(context, { 'a.json': wholeOperation({ onchainContracts: [] }) });
    const before = await published();
    const contract = await voided('contracts', 'cri-aurora-1', 'CCB-2025-000123');
    expect(contract.counts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'contracts', removed: 1 }),
        expect.objectContaining({ kind: 'contractPositions', removed: 1 }),
      ]),
    );
    const series = await voided('series', 'CRI-AURORA-1', 'AURORA1S1');
    expect(series.counts.map(({ kind, removed }) => [kind, removed])).toEqual(
      expect.arrayContaining([
        ['series', 1],
        ['unitPrices', 1],
        ['trusteeUnitPrices', 1],
        ['payments', 1],
      ]),
    );
    expect(await rows('SELECT FROM issuances.unit_prices')).toEqual([]);
    expect(await rows('SELECT FROM issuances.unit_prices_versions')).not.toEqual([]);
    for (const report of [series, contract])
      await revertImport(context, [issuancesImport], idOf(report), { reason: 'it was agreed' });
    expect(await published()).toBe(before);
  });

  test('what was brought back and taken out again is not shown by asking for the past', async () => {
    await importTexts({ ...context, clock: fixedClock('2026-11-20T14:00:00Z') }, { 'a.json': wholeOperation() });
    const atNoon = () =>
      rows(`SELECT value FROM issuances.unit_prices('2026-11-20T15:00:00Z') WHERE date = '2026-10-30'`);
    const then = await atNoon();
    expect(then).toHaveLength(1);
    const gone = await voided('unitPrices', 'AURORA1S1', '2026-10-30');
    expect(await atNoon()).toEqual([]);
    let last = gone;
    for (const shown of [then, [], then, []]) {
      last = await revertImport(context, [issuancesImport], idOf(last), { reason: 'once more' });
      expect(await atNoon()).toEqual(shown);
    }
  });
});

describe('versions', () => {
  test('whatever is imported in whatever order, every past moment can be read as it was', async () => {
    const step = fc.record({
      name: fc.constantFrom('Um', 'Dois', 'Três'),
      prices: fc.dictionary(fc.constantFrom('2025-06-02', '2025-06-03', '2025-06-04'), fc.constantFrom('1', '2', '3')),
      guarantees: fc.subarray(['a', 'b', 'c']),
    });
    // Versions of one round remain for the next, at earlier times.
    let seconds = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        await database.asOwner(`TRUNCATE issuances.monthly_reports, ${tables.join(', ')} CASCADE`);
        const seen: { at: string; published: string }[] = [];
        for (const { name, prices, guarantees } of steps) {
          const at = new Date(Date.parse('2026-11-20T15:00:00Z') + (seconds += 1) * 1000).toISOString();
          const unitPrices = Object.entries(prices).map(([date, value]) => record('unitPrices', { date, value }));
          const listed = guarantees.map((externalId) => record('guarantees', { externalId, type: name }));
          await importTexts(
            { ...context, clock: fixedClock(at) },
            { 'a.json': wholeOperation({ name, guarantees: listed, series: [record('series', { unitPrices })] }) },
            { correct: 'as the property wants it' },
          );
          seen.push({ at: `'${at}'`, published: await published() });
        }
        for (const { at, published: then } of seen) expect(await stateAt(at)).toBe(then);
      }),
      { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 8) },
    );
  });

  /** Returns the published data at a given time, which is SQL. */
  async function stateAt(moment: string): Promise<string> {
    const all = await Promise.all(
      recorded.map(({ name, table }) =>
        rows(
          `SELECT '${name}' AS kind, to_jsonb(t) - '${bookkeeping}'::text[] AS row FROM ${table}(${moment}::timestamptz) t ORDER BY 2`,
        ),
      ),
    );
    return JSON.stringify(all.flat());
  }

  test('nobody can change or add a version, and every column of a table is in its versions', async () => {
    await importTexts(context, { 'a.json': wholeOperation() });
    await expect(rows('DELETE FROM issuances.unit_prices_versions')).rejects.toThrow('permission denied');
    await expect(rows('INSERT INTO issuances.series_versions DEFAULT VALUES')).rejects.toThrow('permission denied');
    await expect(database.asOwner('DELETE FROM issuances.unit_prices_versions')).rejects.toThrow(
      'neither changed nor deleted',
    );
    await expect(rows('UPDATE issuances.unit_prices SET recorded_by = gen_random_uuid()')).rejects.toThrow(
      'who recorded it when changes with what it says alone',
    );
    await expect(rows('UPDATE issuances.unit_prices SET date = date + 1')).rejects.toThrow('does not change');
    const lacking = await rows(
      `SELECT c.table_schema, c.table_name, c.column_name FROM information_schema.columns c
       JOIN information_schema.tables v ON v.table_schema = c.table_schema AND v.table_name = c.table_name || '_versions'
       WHERE NOT EXISTS (SELECT FROM information_schema.columns k WHERE k.table_schema = v.table_schema
         AND k.table_name = v.table_name AND k.column_name = c.column_name AND k.data_type = c.data_type)`,
    );
    expect(lacking).toEqual([]);
  });
});
