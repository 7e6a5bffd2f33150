import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fixedClock } from '../../../tests/kit/clock.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { addCredit, addEstate } from '../../../tests/tokenization/series/kit.js';
import { placeOf } from './asset-list.js';
import { assetQuery } from './asset-query.js';
import { assetStatuses } from './asset.js';
import { assetTypes } from '../../securities/asset-type.js';
import { createAssetReader } from './read-assets.js';
import { assetSearchText } from './tax-ids-in-text.js';

const clock = fixedClock('2026-11-20T15:00:00Z');
const context = () => testContext({ manager, clock });

const names = ['Silva & José Ltda.', 'Ana Souza', 'MARIA SILVA S.A.', 'Ipê Comércio S.A.', 'João Araújo'];

interface Known {
  readonly id: string;
  readonly patrimonyId: string;
  readonly status: string;
  readonly type: string;
  readonly text: string;
}
/** In order of registration. */
const known: Known[] = [];

const database = await openTestDatabase();
afterAll(() => database.close());
const { manager } = database.dataSource;
const estates: string[] = [await addEstate(manager, 'A'), await addEstate(manager, 'B'), await addEstate(manager, 'C')];
for (let index = 0; index < 120; index++) {
  const externalId = `CCB-${String(index).padStart(4, '0')}`;
  const debtorName = names[(index * 7) % names.length] ?? '';
  const patrimonyId = estates[index % 2] ?? '';
  const status = assetStatuses[(index * index) % 4] ?? 'ACTIVE';
  const type = assetTypes[(index * 3) % 5] ?? 'CCB';
  // The other names belong to natural persons.
  const debtorDocument = /Ltda|S\.A\./.test(debtorName) ? '11222333000181' : '52998224725';
  const text = assetSearchText({ externalId, debtorName, debtorDocument });
  const settled = status === 'SETTLED' ? { current_balance: '0', paid_installments: 1 } : {};
  const columns = {
    status,
    type,
    debtor_name: debtorName,
    debtor_document: debtorDocument,
    search_text: text,
    // The ids are in another order.
    id: randomUUID(),
    ...settled,
  };
  const id = await addCredit(manager, patrimonyId, externalId, ['2026-12-01'], columns);
  known.push({ id, patrimonyId, status, type, text });
}
const rows = await manager.query<{ id: string; registration: string }[]>(
  'SELECT id, registration FROM tokenization.assets',
);
/** The place of each of them, by its id. */
const places: ReadonlyMap<string, string> = new Map(rows.map((row) => [row.id, placeOf(row)]));

const filters = fc.record({
  patrimonyId: fc.option(fc.nat(2)),
  status: fc.option(fc.constantFrom(...assetStatuses)),
  type: fc.option(fc.constantFrom(...assetTypes)),
  search: fc.option(
    fc.constantFrom('silva', 'SILVA josé', 'ccb-00', '0017', 'a', 'si', 'sa', 'araujo', 'nobody', 'a%', 'ipe comercio'),
  ),
});

test('any filter finds what a scan of all assets finds, in the order of their registration, page by page and by cursor', async () => {
  const read = createAssetReader();
  await fc.assert(
    fc.asyncProperty(filters, fc.nat(12), fc.integer({ min: 1, max: 20 }), async (filter, page, limit) => {
      const patrimonyId = filter.patrimonyId === null ? null : (estates[filter.patrimonyId] ?? '');
      const query = assetQuery({ ...filter, patrimonyId });
      const expected = known
        .filter((asset) => patrimonyId === null || asset.patrimonyId === patrimonyId)
        .filter((asset) => filter.status === null || asset.status === filter.status)
        .filter((asset) => filter.type === null || asset.type === filter.type)
        .filter((asset) =>
          query.words.every((word) =>
            word.length < 3 ? ` ${asset.text}`.includes(` ${word}`) : asset.text.includes(word),
          ),
        )
        .map(({ id }) => id);
      const offset = page * limit;
      const found = await read(context(), query, { after: null, offset, limit });
      expect(found.rows.map(({ id }) => id)).toEqual(expected.slice(offset, offset + limit));
      expect([found.total, found.hasMore]).toEqual([expected.length, offset + limit < expected.length]);
      const after = places.get(expected[offset] ?? '') ?? null;
      const next = await read(context(), query, { after, offset: 0, limit });
      const start = after === null ? 0 : offset + 1;
      expect(next.rows.map(({ id }) => id)).toEqual(expected.slice(start, start + limit));
    }),
    { numRuns: 150 },
  );
});

test('a word of two characters that few assets have is found without a look at all of them', async () => {
  const condition = await manager.query<{ sql: string }[]>(
    `SELECT tokenization.search_condition('{zz}', NULL, NULL, NULL) AS sql`,
  );
  const plan = await database.dataSource.transaction(async (tx) => {
    await tx.query('SET LOCAL enable_seqscan = off');
    return tx.query<unknown[]>(
      `EXPLAIN (ANALYZE, COSTS OFF) SELECT id FROM tokenization.assets WHERE ${condition[0]?.sql ?? ''}`,
    );
  });
  expect(JSON.stringify(plan)).toMatch(/Bitmap Index Scan on assets_search \(actual time=[^)]* rows=0 /);
});

test('the number of a large search is kept for five minutes, and its pages are always new', async () => {
  const read = createAssetReader();
  const estate = await addEstate(manager, 'BULK');
  await manager.query(
    `INSERT INTO tokenization.assets (id, patrimony_id, external_id, type, status, debtor_name, debtor_document, original_value,
       current_balance, interest_rate, installments, final_due_date, search_text, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'BULK-' || n, 'CCB', 'ACTIVE', 'Bulk', '52998224725', 1, 1, 0, 1, '2026-12-01',
       'bulk ' || n, now(), now() FROM generate_series(1, 1001) AS n`,
    [estate],
  );
  const query = assetQuery({ search: 'bulk', status: 'ACTIVE' });
  const first = await read(context(), query, { after: null, offset: 0, limit: 10 });
  expect([first.total, first.rows.length]).toEqual([1001, 10]);
  await manager.query(`UPDATE tokenization.assets SET status = 'WRITTEN_OFF' WHERE id = $1`, [first.rows[0]?.id]);
  clock.advance(299_000);
  const kept = await read(context(), query, { after: null, offset: 0, limit: 10 });
  expect([kept.total, kept.rows.length]).toEqual([1001, 10]);
  expect(kept.rows[0]?.id).toBe(first.rows[1]?.id);
  clock.advance(2_000);
  const anew = await read(context(), query, { after: null, offset: 0, limit: 10 });
  expect([anew.total, anew.rows.length]).toEqual([1000, 10]);
});

test('a search counts up to a number, and a cursor leads to what is not counted', async () => {
  const read = createAssetReader(50);
  const query = assetQuery({ search: 'ccb' });
  const page = await read(context(), query, { after: null, offset: 0, limit: 50 });
  expect([page.total, page.rows.length, page.hasMore]).toEqual([50, 50, true]);
  expect(await read(context(), query, { after: null, offset: 50, limit: 50 })).toMatchObject({ total: 50, rows: [] });
  const next = await read(context(), query, { after: page.last, offset: 0, limit: 100 });
  expect(next.rows.map(({ id }) => id)).toEqual(known.slice(50).map(({ id }) => id));
});

test('a far page of a search begins where it began when it was read first, for five minutes, and has what is there now', async () => {
  const read = createAssetReader();
  const query = assetQuery({ search: 'bulk' });
  const page = () => read(context(), query, { after: null, offset: 1_000, limit: 10 });
  const first = await page();
  expect([first.total, first.rows.length, first.hasMore]).toEqual([1001, 1, false]);
  const lastBefore = await read(context(), query, { after: null, offset: 999, limit: 1 });
  await manager.query(`UPDATE tokenization.assets SET search_text = 'gone' WHERE id = $1`, [lastBefore.rows[0]?.id]);
  expect((await page()).rows.map(({ id }) => id)).toEqual(first.rows.map(({ id }) => id));
  clock.advance(301_000);
  expect((await page()).rows).toEqual([]);
});
