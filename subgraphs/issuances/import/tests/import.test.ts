import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testContext } from '../../../../tests/kit/context.js';
import { openTestDatabase } from '../../../../tests/kit/database.js';
import { kinds } from '../model/kinds.js';
import { csv, importTexts, printed, record, wholeOperation, type Json } from './kit.js';

const database = await openTestDatabase();
afterAll(() => database.close());
const context = testContext({ manager: database.dataSource.manager });
const tables = kinds.map(({ table }) => table);

beforeEach(async () => {
  await database.asOwner(`TRUNCATE issuances.monthly_reports, ${tables.join(', ')}, shared.outbox CASCADE`);
  await database.dataSource.query('UPDATE issuances.revision SET value = 0');
});

function rows<T = Json>(sql: string): Promise<T[]> {
  return database.dataSource.query<T[]>(sql);
}

/** Returns every row of every table with its physical version, the revision, and the number of events. */
async function everything(): Promise<string> {
  const all = await Promise.all(
    [...tables, 'issuances.revision'].map((table) =>
      rows(`SELECT '${table}' AS place, xmin::text, xmax::text, ctid::text, t.* FROM ${table} t ORDER BY ctid`),
    ),
  );
  return JSON.stringify([all, await rows('SELECT count(*) FROM shared.outbox')]);
}

async function eventsOf(): Promise<Json[]> {
  const found = await rows<{ payload: Json }>('SELECT payload FROM shared.outbox WHERE NOT internal ORDER BY position');
  return found.map(({ payload }) => payload);
}

const summary = (kind: string, counts: Partial<Record<'created' | 'changed' | 'unchanged' | 'removed', number>>) => ({
  kind,
  created: 0,
  changed: 0,
  unchanged: 0,
  removed: 0,
  ...counts,
});

describe('what is imported', () => {
  test('every field of the documented model is kept, each exactly as it was written', async () => {
    const report = await importTexts(context, { 'a.json': wholeOperation() });
    expect(printed(report)).toEqual([]);
    expect(report.counts).toEqual(kinds.map(({ name }) => summary(name, { created: 1 })));
    for (const { table, fields } of kinds) {
      const [row = {}] = await rows(`SELECT to_jsonb(t) AS row FROM ${table} t`);
      const kept = row['row'] as Json;
      for (const { column, example, type, refersTo, fallback } of fields) {
        const value = kept[column];
        if (refersTo) expect(value).toMatch(/^[0-9a-f-]{36}$/);
        else if (example === null) expect([column, value]).toEqual([column, fallback]);
        else if (type.form === 'number') expect([column, Number(value)]).toEqual([column, Number(example)]);
        else if (type.sql === 'timestamptz') expect(new Date(String(value))).toEqual(new Date(String(example)));
        else if (type.form === 'month') expect(value).toBe(`${String(example)}-01`);
        else if (/document|cnpj/.test(column) && table !== 'issuances.documents')
          expect(value).toBe(String(example).replace(/[.\-/]/g, ''));
        else expect([column, value]).toEqual([column, example]);
      }
    }
  });

  test('a JSON number loses no digit, however long it is', async () => {
    const text = JSON.stringify(wholeOperation()).replace('"1013.84729105"', '1234567890123456.12345678');
    await importTexts(context, { 'a.json': text });
    expect(await rows('SELECT value FROM issuances.unit_prices')).toEqual([{ value: '1234567890123456.12345678' }]);
  });

  test('one operation, a list, and an object with a list are all taken', async () => {
    const named = (name: string) => record('operations', { ticker: name, slug: `estate-${name}` });
    const report = await importTexts(context, {
      'one.json': named('A'),
      'list.json': [named('B'), named('C')],
      'object.json': { operations: [named('D')] },
    });
    expect(report.counts).toEqual([summary('operations', { created: 4 })]);
  });

  test('what is derived is filled in: totals, names of records, search text', async () => {
    const one = record('series', { issuedTotal: null, unitValue: '333.33333333', quantity: 3, subscribedQuotas: 3 });
    const paid = record('payments', {
      trancheTicker: null,
      totalValue: null,
      interestValue: '0.10',
      principalValue: '0.20',
    });
    const report = await importTexts(context, {
      'a.json': record('operations', {
        series: [one],
        payments: [paid],
        guarantees: [record('guarantees', { externalId: null })],
      }),
    });
    expect(printed(report)).toEqual([]);
    expect(await rows('SELECT issued_total FROM issuances.series')).toEqual([{ issued_total: '1000.00' }]);
    expect(await rows('SELECT total_value FROM issuances.payments')).toEqual([{ total_value: '0.30' }]);
    expect(await rows('SELECT external_id FROM issuances.guarantees')).toEqual([
      { external_id: expect.stringMatching(/^auto-/) },
    ]);
    expect(await rows('SELECT search_text FROM issuances.operations')).toEqual([
      { search_text: expect.stringContaining('cri residencial aurora') },
    ]);
    expect(JSON.stringify(await rows('SELECT search_text FROM issuances.operations'))).toContain('braurscri000');
  });
});

describe('importing again', () => {
  test('the same input changes nothing: no row version, no revision, no event', async () => {
    const files = {
      'a.json': wholeOperation(),
      'prices.csv': csv('unitPrices', [{ date: '2026-11-18' }, { date: '2026-11-17' }]),
    };
    await importTexts(context, files);
    const before = await everything();
    const report = await importTexts(context, files);
    expect(report.counts.every(({ created, changed, removed }) => created + changed + removed === 0)).toBe(true);
    expect(report.counts).toContainEqual(summary('unitPrices', { unchanged: 3 }));
    expect(await everything()).toBe(before);
  });

  test('other ways to write the same values are the same values', async () => {
    await importTexts(context, { 'a.json': wholeOperation() });
    const before = await everything();
    const text = JSON.stringify(wholeOperation())
      .replace('"98765.43"', '98765.430')
      .replace('"ticker":"AURORA1S1"', '"ticker": "AURORA1S1"');
    await importTexts(context, { 'b.json': text.replace('"123.456.789-09"', '"12345678909"') });
    expect(await everything()).toBe(before);
  });

  test('a change raises the revision by one, keeps ids, and touches only what is different', async () => {
    await importTexts(context, { 'a.json': wholeOperation() });
    const ids = await rows('SELECT id FROM issuances.series');
    const report = await importTexts(context, { 'a.json': wholeOperation({ name: 'Outro nome' }) });
    expect(report.counts.filter(({ changed, created, removed }) => changed + created + removed > 0)).toEqual([
      summary('operations', { changed: 1 }),
    ]);
    expect(await rows('SELECT value FROM issuances.revision')).toEqual([{ value: '2' }]);
    expect(await rows('SELECT id FROM issuances.series')).toEqual(ids);
    expect(await rows('SELECT name, search_text FROM issuances.operations')).toEqual([
      { name: 'Outro nome', search_text: expect.stringContaining('outro nome') },
    ]);
  });

  test('a stated list is the whole list; one that is not stated, and every history, stays', async () => {
    await importTexts(context, { 'a.json': wholeOperation() });
    const report = await importTexts(
      context,
      {
        'a.json': record('operations', {
          guarantees: [],
          payments: [record('payments', { installmentNumber: 20 })],
          series: [record('series', { unitPrices: [] })],
          contracts: [],
        }),
      },
      { correct: 'the list was wrong' },
    );
    expect(printed(report)).toEqual([]);
    expect(report.counts).toContainEqual(summary('guarantees', { removed: 1 }));
    expect(report.counts).toContainEqual(summary('payments', { created: 1, removed: 1 }));
    for (const table of ['unit_prices', 'credit_contracts', 'documents', 'onchain_events']) {
      expect(await rows(`SELECT count(*) FROM issuances.${table}`)).toEqual([{ count: '1' }]);
    }
    await importTexts(context, { 'more.csv': csv('payments', [{ installmentNumber: '21' }]) });
    expect(await rows('SELECT installment_number AS n FROM issuances.payments ORDER BY 1')).toEqual([
      { n: 20 },
      { n: 21 },
    ]);
  });

  test('a ticker is the same in any case, and takes the case it is written in last', async () => {
    await importTexts(context, { 'a.json': wholeOperation() });
    await importTexts(context, { 'a.json': wholeOperation({ ticker: 'cri-aurora-1' }) });
    expect(await rows('SELECT ticker FROM issuances.operations')).toEqual([{ ticker: 'cri-aurora-1' }]);
  });
});

describe('events', () => {
  const reference = { kind: expect.any(String), reference: expect.any(String) };

  test('a first load announces one event an operation, kind and series, with the newest reference', async () => {
    const prices = Array.from({ length: 28 }, (_, at) => ({ date: `2026-10-${String(at + 1).padStart(2, '0')}` }));
    await importTexts(context, { 'a.json': wholeOperation(), 'prices.csv': csv('unitPrices', prices) });
    const [operation] = await rows<{ id: string }>('SELECT id FROM issuances.operations');
    const events = await eventsOf();
    expect(events.map(({ kind, reference: of }) => [kind, of])).toEqual([
      ['PU', '2026-10-30'],
      ['DOCUMENT', '2026-10-31'],
      ['PAYMENT', '2026-10-15'],
      ['COMMUNICATION', '2026-10-02'],
      ['REPORT', '2026-10-31'],
    ]);
    expect(events[0]).toEqual({
      ...reference,
      operationId: operation?.id,
      ticker: 'CRI-AURORA-1',
      occurredAt: '2026-11-20T15:00:00.000Z',
      correction: false,
      seriesTicker: 'AURORA1S1',
      unitPrice: expect.stringMatching(/^\d+\.\d{8}$/),
      entityIds: [],
    });
    const idsOf = async (table: string) =>
      (await rows<{ id: string }>(`SELECT id FROM issuances.${table}`)).map(({ id }) => id);
    expect(
      events.slice(1, 4).map(({ seriesTicker, unitPrice, entityIds }) => [seriesTicker, unitPrice, entityIds]),
    ).toEqual([
      [null, null, await idsOf('documents')],
      ['AURORA1S1', null, await idsOf('payments')],
      [null, null, await idsOf('communications')],
    ]);
    expect(await rows('SELECT DISTINCT topic, key FROM shared.outbox WHERE NOT internal')).toEqual([
      { topic: 'operation.updated', key: operation?.id },
    ]);
  });

  test('later only what really changed is announced', async () => {
    await importTexts(context, { 'a.json': wholeOperation() });
    await database.asOwner('TRUNCATE shared.outbox');
    await importTexts(context, { 'prices.csv': csv('unitPrices', [{}, { date: '2026-11-18', value: '1013.5' }]) });
    expect((await eventsOf()).map(({ kind, reference: of }) => [kind, of])).toEqual([['PU', '2026-11-18']]);
  });

  test('nothing is announced of an operation or a document that is not public', async () => {
    await importTexts(context, { 'a.json': wholeOperation({ public: false }) });
    expect(await eventsOf()).toEqual([]);
    const hidden = record('documents', { externalId: 'hidden', public: false });
    await importTexts(context, { 'a.json': wholeOperation() });
    await database.asOwner('TRUNCATE shared.outbox');
    await importTexts(context, { 'a.json': wholeOperation({ documents: [record('documents'), hidden] }) });
    expect(await eventsOf()).toEqual([]);
  });
});

describe('an import is one transaction', () => {
  beforeEach(async () => {
    await database.asOwner('TRUNCATE issuances.operations, issuances.monthly_reports, shared.outbox CASCADE');
    await database.dataSource.query('UPDATE issuances.revision SET value = 0');
  });

  async function counts() {
    const [row] = await database.dataSource.query<unknown[]>(
      `SELECT (SELECT count(*) FROM issuances.operations)::int AS operations, (SELECT count(*) FROM issuances.credit_contracts)::int AS contracts,
       (SELECT count(*) FROM shared.outbox WHERE NOT internal)::int AS events, (SELECT value FROM issuances.revision)::int AS revision`,
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
});
