import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/kernel/ids.js';
import { openOrders } from '../../../tests/trading/orders/kit.js';
import { walletOf } from '../../../tests/trading/kit.js';
import { readVolume } from './usage.store.js';

const kit = await openOrders();
const wallets = await Promise.all([1, 2, 3].map(async () => walletOf(await kit.trader())));
afterAll(() => kit.close());

const quotes = ['BRL', 'USDT'] as const;
/** Around midnight in Brasília, and a day later. */
const moments = ['2026-03-11T02:59:59.999Z', '2026-03-11T03:00:00Z', '2026-03-12T12:00:00Z'] as const;

const value = fc
  .bigInt({ min: 0n, max: 10n ** 14n })
  .map((units) => `${units / 100n}.${String(units % 100n).padStart(2, '0')}`);
const closedAt = fc.constantFrom(...moments, null);
const change = fc.record({ order: fc.nat(5), value, closedAt });
const order = fc.record({ wallet: fc.nat(2), quote: fc.constantFrom(...quotes), value, closedAt });

test('the volume of a day is the sum of its orders, whatever changes them at the same time', async () => {
  const [{ companyId } = { companyId: '' }] = wallets;
  await fc.assert(
    fc.asyncProperty(
      fc.array(order, { minLength: 6, maxLength: 6 }),
      fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
      async (orders, transactions) => {
        const ids = orders.map(() => newId());
        const status = (closed: string | null) => (closed === null ? 'PENDING' : 'CANCELLED');
        await kit.rows(
          `INSERT INTO trading.orders (id, company_id, wallet_id, synthetic, symbol, base, quote, side, type, time_in_force, post_only, amount, status,
           maker_fee, taker_fee, filled_value, created_at, closed_at)
         SELECT id, $2, wallet, false, 'BTC/' || quote, 'BTC', quote, 'BUY', 'MARKET', 'IOC', false, 1, status, 0, 0, value, now(), closed
         FROM unnest($1::uuid[], $3::uuid[], $4::text[], $5::text[], $6::numeric[], $7::timestamptz[]) AS given (id, wallet, quote, status, value, closed)`,
          [
            ids,
            companyId,
            orders.map(({ wallet }) => wallets[wallet]?.id),
            orders.map(({ quote }) => quote),
            orders.map((one) => status(one.closedAt)),
            orders.map((one) => one.value),
            orders.map((one) => one.closedAt),
          ],
        );
        // Each transaction changes some orders in one statement, as `saveOrders` does.
        const change = (changes: (typeof transactions)[number]) =>
          inTransaction(kit.context, async (tx) => {
            const last = [...new Map(changes.map((one) => [one.order, one])).values()];
            await tx.manager.execute(
              `SELECT FROM trading.orders WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
              [last.map((one) => ids[one.order])],
            );
            await tx.manager.execute(
              `UPDATE trading.orders SET filled_value = value, closed_at = closed, status = given.status
             FROM unnest($1::uuid[], $2::numeric[], $3::timestamptz[], $4::text[]) AS given (id, value, closed, status) WHERE orders.id = given.id`,
              [
                last.map((one) => ids[one.order]),
                last.map((one) => one.value),
                last.map((one) => one.closedAt),
                last.map((one) => status(one.closedAt)),
              ],
            );
          });
        await Promise.all(transactions.map(change));
        for (const day of ['2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13']) {
          for (const wallet of wallets) {
            const sums = await kit.rows(
              `SELECT quote, sum(value) AS value, coalesce(sum(value) FILTER (WHERE wallet_id = $3), 0) AS "ownValue" FROM (
               SELECT quote, wallet_id, filled_value AS value FROM trading.orders
               WHERE company_id = $1 AND NOT synthetic AND (closed_at IS NULL OR closed_at >= ($2::timestamp AT TIME ZONE 'America/Sao_Paulo'))
             ) AS counted GROUP BY quote`,
              [companyId, day, wallet.id],
            );
            const plain = (rows: readonly unknown[]) =>
              (rows as { quote: string; value: string; ownValue: string }[])
                .map(({ quote, ...values }) => [quote, Number(values.value), Number(values.ownValue)])
                .filter(([, all]) => all !== 0)
                .toSorted();
            const wanted = { companyId, walletId: wallet.id, synthetic: false };
            expect(plain(await readVolume(kit.context, wanted, day))).toEqual(plain(sums));
          }
        }
      },
    ),
    { numRuns: 12 },
  );
});
