import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Context } from '../../shared/context.js';
import {
  correctionPager,
  type CandidateSteps,
  type CorrectionPage,
  type PageCorrections,
} from '../../shared/corrections/page-corrections.js';
import type { CorrectionRow } from '../../shared/corrections/corrections.store.js';
import { createCursorCodec } from '../../shared/cursor.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { newId } from '../../shared/ids.js';
import { correctionSources } from '../../subgraphs/tokenization/corrections/correction.sources.js';
import { testContext, testKeyRing } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';

/** Assets that an act corrects at once; the whole proof has 200000. */
const many = Number(process.env['CORRECTION_ROWS'] ?? 3_000);

let database: TestDatabase;
let context: Context;

const pagerOf = (steps?: CandidateSteps) =>
  correctionPager(createCursorCodec(testKeyRing, 'corrections'), correctionSources, 2, steps);

/** Changes something as an act of a moment does. */
async function act(moment: string, sql: string, parameters: readonly unknown[]): Promise<void> {
  await inTransaction(context, async ({ manager }) => {
    await manager.query(`SELECT set_config('lastro.moment', $1, true), set_config('lastro.act', $2, true)`, [
      moment,
      newId(),
    ]);
    await manager.query(sql, [...parameters]);
  });
}

async function addEstate(ticker: string, assets: number): Promise<string> {
  const id = newId();
  const moment = '2026-11-01T12:00:00Z';
  await act(
    moment,
    `INSERT INTO tokenization.patrimonies (id, ticker, name, slug, status, created_at, updated_at)
     VALUES ($1, $2, $2, lower($2), 'ACTIVE', now(), now())`,
    [id, ticker],
  );
  await act(
    moment,
    `INSERT INTO tokenization.assets (id, patrimony_id, external_id, type, status, debtor_name, debtor_document, original_value,
       current_balance, received, interest_rate, installments, paid_installments, final_due_date, search_text, created_at, updated_at)
     SELECT gen_random_uuid(), $1, $2 || number, 'CCB', 'ACTIVE', 'Devedor', '52998224725', 1000, 1000, 0, 10, 90, 0, '2027-12-01', '',
       now(), now() FROM generate_series(1, $3) AS number`,
    [id, ticker, assets],
  );
  return id;
}

/** The rows of the tables of assets that a piece of work fetches. */
async function rowsRead(work: (tx: Context) => Promise<unknown>): Promise<number> {
  return inTransaction(context, async (tx) => {
    // The connection may have counted what earlier transactions read.
    const count = async () => {
      const [row] = await tx.manager.query<{ count: number }[]>(
        `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS count FROM pg_stat_xact_user_tables WHERE relname LIKE 'assets%'`,
      );
      return row?.count ?? NaN;
    };
    const before = await count();
    await work(tx);
    return (await count()) - before;
  });
}

/** All pages one after the other, from the beginning of the list, or from its end. */
async function pagesOf(
  page: PageCorrections,
  scope: (string | null)[],
  { from, size, backward }: { readonly from: string; readonly size: number; readonly backward: boolean },
): Promise<CorrectionRow[]> {
  const rows: CorrectionRow[] = [];
  for (let cursor: string | null = null; ;) {
    const where = backward ? { last: size, before: cursor } : { first: size, after: cursor };
    const read: CorrectionPage = await page(context, scope, { from, ...where });
    expect(read.rows.length).toBeLessThanOrEqual(size);
    if (backward) rows.unshift(...read.rows);
    else rows.push(...read.rows);
    if (backward ? !read.hasPrevious : !read.hasNext) return rows;
    cursor = backward ? read.startCursor : read.endCursor;
  }
}

beforeAll(async () => {
  database = await openTestDatabase();
  context = testContext({ manager: database.dataSource.manager });
});
afterAll(() => database.close());

test('a page looks at no more rows than it is long, however many an act has corrected, and ends early where most changes are none', async () => {
  const [large, small] = [await addEstate('LARGE', many), await addEstate('SMALL', 10)];
  const correct = 'UPDATE tokenization.assets SET interest_rate = 11 WHERE patrimony_id = $1';
  await act('2026-11-02T12:00:00Z', correct, [small]);
  await act('2026-11-03T12:00:00Z', correct, [large]);
  await database.asOwner('ANALYZE tokenization.assets, tokenization.assets_versions');
  const page = pagerOf({ first: 32, step: 500, page: 1_000 });
  const first = await page(context, [null, null], { first: 20 });
  expect([first.rows.length, first.hasNext]).toEqual([20, true]);
  for (const scope of [
    [null, null],
    [large, null],
  ])
    expect(await rowsRead((tx) => page(tx, scope, { first: 20, after: null }))).toBeLessThan(500);
  expect(await rowsRead((tx) => page(tx, [null, null], { first: 20, after: first.endCursor }))).toBeLessThan(500);
  // That of another estate is not looked for behind them.
  expect((await page(context, [small, null], {})).rows).toHaveLength(10);
  await act(
    '2026-11-04T12:00:00Z',
    'UPDATE tokenization.assets SET current_balance = 900, received = 100 WHERE patrimony_id = $1',
    [large],
  );
  // Nor are more changes examined for the number of all.
  expect(await first.count()).toBeNull();
  const empty = await page(context, [null, null], { first: 20 });
  expect([empty.rows, empty.hasNext, typeof empty.endCursor]).toEqual([[], true, 'string']);
  expect(await rowsRead((tx) => page(tx, [null, null], { first: 20 }))).toBeLessThan(6_000);
}, 600_000);

test('pages of any length, made in steps of any length, are the whole list without a gap or a repetition', async () => {
  const changes = {
    rate: 'UPDATE tokenization.assets SET interest_rate = interest_rate + 1 WHERE patrimony_id = $1 AND installments % $2 = 0',
    routine:
      'UPDATE tokenization.assets SET current_balance = current_balance - 1, received = received + 1 WHERE patrimony_id = $1 AND installments % $2 = 0',
    remove: 'DELETE FROM tokenization.assets WHERE patrimony_id = $1 AND installments = 90 + $2',
    estate: `UPDATE tokenization.patrimonies SET name = name || $2 WHERE id = $1`,
    index: `INSERT INTO tokenization.index_values (index_name, date, version, value, recorded_at, recorded_by)
      SELECT 'DI', ('2026-01-0' || $2)::date, coalesce(max(version), 0) + 1, coalesce(max(version), 0) + random(), shared.version_moment(), $1
      FROM tokenization.index_values WHERE date = ('2026-01-0' || $2)::date`,
  };
  const history = fc.array(
    fc.record({
      change: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
      estate: fc.nat(1),
      part: fc.integer({ min: 1, max: 3 }),
      days: fc.nat(1),
    }),
    { minLength: 3, maxLength: 12 },
  );
  const steps = fc.record({ first: fc.integer({ min: 1, max: 4 }), step: fc.integer({ min: 4, max: 20 }) });
  let day = Date.parse('2027-01-01T12:00:00Z');
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(history, steps, fc.integer({ min: 1, max: 5 }), async (made, { first, step }, length) => {
      const name = `E${String(++runs)}-`;
      const estates = [await addEstate(`${name}0`, 5), await addEstate(`${name}1`, 5)];
      const from = new Date(day).toISOString();
      // Its own number of instalments tells each asset from the others of its estate.
      await act(
        new Date((day += 86_400_000)).toISOString(),
        `UPDATE tokenization.assets a SET installments = 89 + right(external_id, 1)::integer WHERE patrimony_id = ANY ($1)`,
        [estates],
      );
      for (const { change, estate, part, days } of made) {
        day += days * 86_400_000;
        await act(new Date(day).toISOString(), changes[change], [estates[estate], part]);
      }
      for (const scope of [
        [null, null],
        [estates[0] ?? null, null],
      ]) {
        const whole = await pagesOf(pagerOf(), scope, { from, size: 100, backward: false });
        for (const backward of [false, true]) {
          const paged = await pagesOf(pagerOf({ first, step, page: step }), scope, { from, size: length, backward });
          expect(paged.map(({ at, kind, key }) => [at, kind, key])).toEqual(
            whole.map(({ at, kind, key }) => [at, kind, key]),
          );
        }
        const counted = await pagerOf()(context, scope, { from });
        expect(await counted.count()).toBe(whole.length);
        const all = correctionSources.map(({ select }) => `SELECT at, kind, key FROM (${select()}) AS of_kind`);
        const rows = await database.dataSource.query<{ kind: string; key: string[] }[]>(
          `SELECT kind, key FROM (${all.join(' UNION ALL ')}) AS every WHERE at >= '${from}'`,
          scope,
        );
        const names = (list: readonly { kind: string; key: readonly string[] }[]) =>
          list.map(({ kind, key }) => [kind, ...key].join(' ')).sort();
        expect(names(whole)).toEqual(names(rows));
      }
    }),
    { numRuns: Number(process.env['CORRECTION_RUNS'] ?? 6) },
  );
});
