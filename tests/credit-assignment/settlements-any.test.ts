import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, sum } from '../../shared/kernel/decimal.js';
import { contract } from './kit.js';
import { openSettlements, payment, processDue } from './settlement-kit.js';

const kit = await openSettlements();
afterAll(() => kit.close());
const bank = await kit.client();

/** Cents of a contract of R$ 10.00; some are more than can be open. */
const cents = fc.integer({ min: 1, max: 1200 });
const entries = fc.array(fc.record({ contract: fc.nat(2), cents }), { minLength: 1, maxLength: 4 });
/** Batches of payments, those of one round handed in before any of them is processed. */
const rounds = fc.array(fc.array(entries, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
const money = (value: number) => (value / 100).toFixed(2);

test('whatever batches come, what is open and what was processed are the face value, and the assets say the same', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (given) => {
      const { id, ids } = await kit.assigned(
        bank,
        ['A', 'B', 'C'].map((name) => contract(name, { faceValue: '10.00' })),
      );
      for (const round of given) {
        const outcomes = await Promise.all(
          round.map((batch) =>
            kit.settle(
              bank,
              id,
              batch.map((one) => payment(ids[one.contract] ?? '', money(one.cents))),
            ),
          ),
        );
        for (const { error } of outcomes) expect([undefined, 422]).toContain(error?.statusCode);
        kit.clock.advance(30_000);
        await Promise.all([processDue(kit.platform), processDue(kit.platform)]);
        await Promise.all([kit.drain(), kit.drain()]);
        await kit.drain();
      }
      const taken = await kit.platform.manager.query<{ id: string; amount: string }[]>(
        `SELECT receivable_id AS id, sum(settled_amount) AS amount FROM credit_assignment.settlements AS settlement
         JOIN credit_assignment.settlement_batches AS batch ON batch.id = settlement.batch_id
         WHERE batch.credit_batch_id = $1 AND batch.status = 'PROCESSED' GROUP BY 1`,
        [id],
      );
      for (const [index, standing] of (await kit.standings(ids)).entries()) {
        const paid = new Decimal(taken.find((one) => one.id === ids[index])?.amount ?? 0);
        const open = new Decimal('10').minus(paid);
        expect(open.isNegative()).toBe(false);
        expect(standing).toMatchObject({
          openBalance: open.toFixed(2),
          currentBalance: open.toFixed(2),
          received: paid.toFixed(2),
          paidAmount: paid.toFixed(2),
          status: open.isZero() ? 'SETTLED' : 'OPEN',
          assetStatus: open.isZero() ? 'SETTLED' : 'ACTIVE',
        });
      }
    }),
    { numRuns: 25 },
  );
  const states = await kit.platform.manager.query<{ status: string }[]>(
    'SELECT DISTINCT status FROM credit_assignment.settlement_batches ORDER BY status',
  );
  expect(states.map(({ status }) => status)).toEqual(['PROCESSED', 'REJECTED']);
  expect(await totals('SELECT * FROM tokenization.asset_totals WHERE count > 0')).toEqual(
    await totals(`SELECT status, count(*), sum(original_value) AS original_value, sum(current_balance) AS current_balance,
      sum(received) AS received FROM tokenization.assets GROUP BY status`),
  );
});

interface Totals {
  readonly status: string;
  readonly count: string;
  readonly current_balance: string;
  readonly received: string;
}

async function totals(text: string) {
  const rows = await kit.platform.manager.query<Totals[]>(text);
  return {
    balance: sum(rows.map((row) => row.current_balance)).toFixed(2),
    byStatus: rows.map(({ status, count, received }) => `${status} ${count} ${received}`).sort(),
  };
}
