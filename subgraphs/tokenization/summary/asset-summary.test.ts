import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { addEstate } from '../../../tests/tokenization/series/kit.js';
import { assetStatuses } from '../assets/asset.js';
import { assetTypes } from '../../securities/asset-type.js';
import { addUpAssets, type AssetTotal } from './asset-summary.js';
import { assetTotals } from './asset-group.store.js';
import { toAssetSummary } from './asset-summary.type.js';

const database = await openTestDatabase();
afterAll(() => database.close());
const { manager } = database.dataSource;
const estates: string[] = [await addEstate(manager, 'A'), await addEstate(manager, 'B')];

const part = { estate: fc.nat(1), type: fc.constantFrom(...assetTypes), status: fc.constantFrom(...assetStatuses) };
const change = fc.oneof(
  fc.record({
    act: fc.constant('add' as const),
    ...part,
    count: fc.integer({ min: 1, max: 5 }),
    cents: fc.integer({ min: 1, max: 99_999_999 }),
  }),
  fc.record({ act: fc.constant('change' as const), ...part, cents: fc.integer({ min: 0, max: 99_999_999 }) }),
  fc.record({ act: fc.constant('move' as const), ...part }),
  fc.record({ act: fc.constant('remove' as const), ...part }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Applies `change` to the table, each in one statement, of many rows or of none. */
async function apply(made: Change): Promise<void> {
  const { estate, type, status } = made;
  const reais = 'cents' in made ? (made.cents / 100).toFixed(2) : '0';
  const which = [estates[estate], type];
  switch (made.act) {
    case 'add':
      await manager.query(
        `INSERT INTO tokenization.assets (id, patrimony_id, external_id, type, status, debtor_name, debtor_document, original_value,
           current_balance, received, interest_rate, installments, paid_installments, final_due_date, search_text, created_at, updated_at)
         SELECT gen_random_uuid(), $1, gen_random_uuid()::text, $2, $3, 'X', '52998224725', $4,
           CASE $3 WHEN 'SETTLED' THEN 0 ELSE $4::numeric END, $4::numeric / 2, 0, 1, CASE $3 WHEN 'SETTLED' THEN 1 ELSE 0 END,
           '2026-12-01', '', now(), now() FROM generate_series(1, $5)`,
        [...which, status, reais, made.count],
      );
      return;
    case 'change':
      await manager.query(
        `UPDATE tokenization.assets SET received = $3, original_value = original_value + $3 WHERE patrimony_id = $1 AND type = $2`,
        [...which, reais],
      );
      return;
    case 'move':
      await manager.query(
        `UPDATE tokenization.assets SET status = $3, patrimony_id = $4, current_balance = 0, paid_installments = 1
         WHERE patrimony_id = $1 AND type = $2`,
        [...which, status, estates[1 - estate]],
      );
      return;
    case 'remove':
      await manager.query(`DELETE FROM tokenization.assets WHERE patrimony_id = $1 AND type = $2 AND status = $3`, [
        ...which,
        status,
      ]);
  }
}

function recount(patrimonyId: string | null): Promise<AssetTotal[]> {
  return manager.query(
    `SELECT type, status, count(*)::int AS count, sum(original_value)::text AS "originalValue",
       sum(current_balance)::text AS "currentBalance", sum(received)::text AS received, sum(surplus)::text AS surplus, sum(abated)::text AS abated
     FROM tokenization.assets WHERE $1::uuid IS NULL OR patrimony_id = $1 GROUP BY type, status`,
    [patrimonyId],
  );
}

test('the summary equals a recount after any inserts, updates and deletes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      for (const made of changes) await apply(made);
      for (const of of [null, ...estates]) {
        const kept = addUpAssets(await assetTotals(testContext({ manager }), of));
        expect(toAssetSummary(kept)).toEqual(toAssetSummary(addUpAssets(await recount(of))));
      }
    }),
    { numRuns: 60 },
  );
});

test('the numbers by status add up to that of all assets, written-off ones among them with their balance', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          type: fc.constantFrom(...assetTypes),
          status: fc.constantFrom(...assetStatuses),
          count: fc.nat(1_000),
          currentBalance: fc.nat(10 ** 9).map((cents) => (cents / 100).toFixed(2)),
        }),
        { maxLength: 20 },
      ),
      (totals) => {
        const summary = toAssetSummary(
          addUpAssets(totals.map((one) => ({ ...one, originalValue: '1', received: '0', surplus: '0', abated: '0' }))),
        );
        const { activeAssets, settledAssets, defaultedAssets, writtenOffAssets, totalAssets } = summary;
        expect(activeAssets + settledAssets + defaultedAssets + writtenOffAssets).toBe(totalAssets);
        const cents = totals
          .filter(({ status }) => status === 'WRITTEN_OFF')
          .reduce((total, { currentBalance }) => total + BigInt(currentBalance.replace('.', '')), 0n);
        expect(summary.writtenOffBalance.replace('.', '').replace(/^0+(?=.)/, '')).toBe(String(cents));
      },
    ),
  );
});

test('the default rate is defaulted assets over all assets, in percent with 2 decimals', () => {
  const zero = {
    type: 'CRI',
    originalValue: '1',
    currentBalance: '1',
    received: '0',
    surplus: '0',
    abated: '0',
  } as const;
  const rate = (defaulted: number, others: number) =>
    addUpAssets([
      { ...zero, status: 'DEFAULTED', count: defaulted },
      { ...zero, status: 'WRITTEN_OFF', count: others },
    ]).defaultRate.toString();
  expect([rate(179, 9821), rate(1, 2), rate(0, 0)]).toEqual(['1.79', '33.33', '0']);
});
