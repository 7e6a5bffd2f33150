import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fixedClock } from '../../../tests/kit/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { addCredit, addEstate } from '../../../tests/tokenization/series/kit.js';
import { newId } from '../../../shared/kernel/ids.js';
import { payAssets } from '../assignments/assigned-asset.store.js';
import { type AssetStatus, assetTransitions } from './asset.js';
import { intoDefault, moveDue, outOfDefault } from './asset-list.store.js';
import { recordAssetPayment, writeOffAsset } from './assets.acts.js';
import { reviewAssets } from './review-assets.js';

let estate: string;
const clock = fixedClock('2026-06-10T15:00:00Z');

const database = await openTestDatabase();
afterAll(() => database.close());
const { manager } = database.dataSource;
const context = testContext({ manager, clock });
beforeEach(async () => {
  await database.asOwner('TRUNCATE tokenization.patrimonies, tokenization.asset_totals, shared.outbox CASCADE');
  estate = await addEstate(manager, 'PAT1');
  clock.set('2026-06-10T15:00:00Z');
});

const stateOf = async (id: string): Promise<Record<string, unknown>> => {
  const [row]: Record<string, unknown>[] = await manager.query(
    `SELECT status, current_balance, received, paid_installments, next_due_date::text FROM tokenization.assets WHERE id = $1`,
    [id],
  );
  return row ?? {};
};
const told = async (): Promise<unknown[]> => {
  const rows: { payload: { data: unknown } }[] = await manager.query(
    `SELECT payload FROM shared.outbox WHERE topic = 'contract.status_changed' ORDER BY position`,
  );
  return rows.map(({ payload }) => payload.data);
};

async function expectTotalsToAgree(): Promise<void> {
  const totals: unknown[] = await manager.query(
    `SELECT type, status, count, original_value, current_balance, received FROM tokenization.asset_totals
     WHERE count <> 0 ORDER BY type, status`,
  );
  const recount: unknown[] = await manager.query(
    `SELECT type, status, count(*) AS count, sum(original_value) AS original_value, sum(current_balance) AS current_balance,
       sum(received) AS received FROM tokenization.assets GROUP BY type, status ORDER BY type, status`,
  );
  expect(totals).toEqual(recount);
}

describe('the review', () => {
  // 12 March 2026 lies 90 civil days before 10 June 2026.
  test('puts a credit in default on its 91st day late, and not before', async () => {
    const late = await addCredit(manager, estate, 'LATE', ['2026-03-11', '2026-07-11']);
    const tolerated = await addCredit(manager, estate, 'TOLERATED', ['2026-03-12']);
    await Promise.all([1, 2, 3].map(() => reviewAssets(context)));
    expect(await reviewAssets(context)).toBe(0);
    expect(await stateOf(late)).toMatchObject({ status: 'DEFAULTED' });
    expect(await stateOf(tolerated)).toMatchObject({ status: 'ACTIVE' });
    expect(await told()).toEqual([
      {
        assetId: late,
        contractId: late,
        externalId: 'LATE',
        patrimonyId: estate,
        previousStatus: 'ACTIVE',
        status: 'DEFAULTED',
        currentBalance: '1200.00',
      },
    ]);
    await expectTotalsToAgree();
  });

  test('announces a credit to everyone without the tax id in its external id', async () => {
    const late = await addCredit(manager, estate, 'CT-52998224725-001', ['2026-03-11']);
    await reviewAssets(context);
    expect(await told()).toMatchObject([{ assetId: late, externalId: 'CT-***.***.*47-25-001' }]);
  });

  test('by the day in São Paulo', async () => {
    await addCredit(manager, estate, 'LATE', ['2026-03-12']);
    clock.set('2026-06-11T02:59:00Z');
    expect(await reviewAssets(context)).toBe(0);
    clock.set('2026-06-11T03:00:00Z');
    expect(await reviewAssets(context)).toBe(1);
  });

  test('takes one out of default whose late instalments were paid elsewhere', async () => {
    const id = await addCredit(manager, estate, 'CURED', ['2026-03-01', '2026-07-01'], { status: 'DEFAULTED' });
    expect(await reviewAssets(context)).toBe(0);
    await manager.query(
      `UPDATE tokenization.asset_installments SET status = 'PAID', paid_on = '2026-06-01', paid_amount = amount
       WHERE installment_number = 1`,
    );
    expect(await reviewAssets(context)).toBe(1);
    expect(await stateOf(id)).toMatchObject({ status: 'ACTIVE' });
  });

  /** Runs `act` as soon as the first statement of the code under test has returned. */
  const afterFirstStatement = (act: string): Context => {
    let acted = false;
    const between = database.dataSource.createEntityManager();
    between.rows = async <T>(text: string, parameters?: readonly unknown[]): Promise<T[]> => {
      const found = await manager.rows<T>(text, parameters);
      if (!acted) await manager.execute(act);
      acted = true;
      return found;
    };
    return { ...context, manager: between };
  };

  test('decides by what is paid when it holds the credit, not by what was when it looked', async () => {
    const late = await addCredit(manager, estate, 'LATE', ['2026-03-01', '2026-07-01']);
    const paid = afterFirstStatement(
      `UPDATE tokenization.asset_installments SET status = 'PAID', paid_on = '2026-06-10', paid_amount = amount
       WHERE installment_number = 1`,
    );
    expect(await moveDue(paid, intoDefault, '2026-06-10', [late])).toEqual([]);
    expect(await stateOf(late)).toMatchObject({ status: 'ACTIVE' });
    await manager.query(`UPDATE tokenization.assets SET status = 'DEFAULTED'`);
    const takenBack = afterFirstStatement(
      `UPDATE tokenization.asset_installments SET status = 'PENDING', paid_on = NULL, paid_amount = 0`,
    );
    expect(await moveDue(takenBack, outOfDefault, '2026-06-10', [late])).toEqual([]);
    expect(await stateOf(late)).toMatchObject({ status: 'DEFAULTED' });
  });

  test.each<AssetStatus>(['SETTLED', 'WRITTEN_OFF'])('leaves what is %s alone', async (status) => {
    const id = await addCredit(manager, estate, 'DONE', ['2026-01-01'], {
      status,
      current_balance: 0,
      paid_installments: 1,
    });
    expect(await reviewAssets(context)).toBe(0);
    expect(await stateOf(id)).toMatchObject({ status });
  });
});

describe('a payment of a debtor', () => {
  test('moves balance, receipts, count and next due day together', async () => {
    const id = await addCredit(manager, estate, 'A', ['2026-05-10', '2026-06-10', '2026-07-10']);
    expect(await recordAssetPayment(context, id, 1, '2026-05-11')).toMatchObject({ id, status: 'ACTIVE' });
    expect(await stateOf(id)).toEqual({
      status: 'ACTIVE',
      current_balance: '800.00',
      received: '400.00',
      paid_installments: 1,
      next_due_date: '2026-06-10',
    });
    expect(await told()).toEqual([]);
    await expectTotalsToAgree();
  });

  test('of the last instalment settles the credit, and announces it', async () => {
    const id = await addCredit(manager, estate, 'A', ['2026-05-10', '2026-06-10']);
    await recordAssetPayment(context, id, 2, '2026-05-09');
    await recordAssetPayment(context, id, 1, '2026-05-10');
    expect(await stateOf(id)).toMatchObject({
      status: 'SETTLED',
      current_balance: '0.00',
      received: '1200.00',
      paid_installments: 2,
      next_due_date: null,
    });
    expect(await told()).toMatchObject([{ previousStatus: 'ACTIVE', status: 'SETTLED', currentBalance: '0.00' }]);
    await expectTotalsToAgree();
  });

  // 12 March 2026 lies 90 civil days before 10 June 2026.
  test.each([
    ['2026-03-12', 'ACTIVE'],
    ['2026-03-11', 'DEFAULTED'],
  ])('leaves a credit whose oldest open instalment was due on %s %s, as does a settlement', async (due, status) => {
    const [paid, settled] = [
      await addCredit(manager, estate, 'PAID', ['2026-01-10', due], { status: 'DEFAULTED' }),
      await addCredit(manager, estate, 'SETTLED', ['2026-01-10', due], { status: 'DEFAULTED' }),
    ];
    await recordAssetPayment(context, paid, 1, '2026-06-10');
    const entry = {
      receivableId: settled,
      kind: 'PAYMENT' as const,
      settledAmount: '600.00',
      surplus: '0',
      settledDate: '2026-06-10',
    };
    await payAssets(context, [{ batchId: newId(), piece: 0, entries: [entry] }], '2026-06-10');
    expect([await stateOf(paid), await stateOf(settled)]).toMatchObject([
      { status, next_due_date: due },
      { status, next_due_date: due },
    ]);
  });

  test('twice is the same answer, also at the same moment', async () => {
    const id = await addCredit(manager, estate, 'A', ['2026-05-10', '2026-06-10']);
    const answers = await Promise.all([1, 2, 3].map(() => recordAssetPayment(context, id, 1, '2026-06-01')));
    for (const answer of answers) expect(answer).toMatchObject({ currentBalance: '600.00', paidInstallments: 1 });
    expect(await stateOf(id)).toMatchObject({ received: '600.00' });
    await expect(recordAssetPayment(context, id, 1, '2026-06-02')).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('is refused in the future, for what there is not, and for what is written off', async () => {
    const id = await addCredit(manager, estate, 'A', ['2026-05-10']);
    await expect(recordAssetPayment(context, id, 1, '2026-06-11')).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
    await expect(recordAssetPayment(context, id, 2, '2026-06-10')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(recordAssetPayment(context, estate, 1, '2026-06-10')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(recordAssetPayment(context, 'A', 1, '2026-06-10')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await writeOffAsset(context, id);
    await expect(recordAssetPayment(context, id, 1, '2026-06-10')).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('writing off', () => {
  test('is for good, keeps the balance on record, and is announced once', async () => {
    const id = await addCredit(manager, estate, 'A', ['2026-05-10']);
    await Promise.all([1, 2].map(() => writeOffAsset(context, id)));
    expect(await stateOf(id)).toMatchObject({ status: 'WRITTEN_OFF', current_balance: '1200.00' });
    expect(await told()).toMatchObject([
      { previousStatus: 'ACTIVE', status: 'WRITTEN_OFF', currentBalance: '1200.00' },
    ]);
    await expectTotalsToAgree();
  });

  test('what is settled is refused', async () => {
    const id = await addCredit(manager, estate, 'A', ['2026-05-10']);
    await recordAssetPayment(context, id, 1, '2026-05-10');
    await expect(writeOffAsset(context, id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

test('in whatever order things happen, a credit moves by the table, and its sums agree', async () => {
  const act = fc.oneof(
    fc.integer({ min: 1, max: 3 }).map((number) => ({ name: 'pay' as const, number })),
    fc.constantFrom({ name: 'review' as const }, { name: 'month' as const }, { name: 'write off' as const }),
  );
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 10 }), async (acts) => {
      clock.set('2026-06-10T15:00:00Z');
      const id = await addCredit(manager, estate, `RUN-${run++}`, ['2026-05-10', '2026-06-10', '2026-07-10']);
      let before: AssetStatus = 'ACTIVE';
      for (const each of acts) {
        if (each.name === 'month') clock.advance(31 * 86_400_000);
        if (each.name === 'review') await reviewAssets(context);
        if (each.name === 'write off') await writeOffAsset(context, id).catch(() => undefined);
        if (each.name === 'pay')
          await recordAssetPayment(context, id, each.number, '2026-06-10').catch(() => undefined);
        const state = await stateOf(id);
        const after = state['status'] as AssetStatus;
        if (after !== before) expect(Object.values(assetTransitions[before])).toContain(after);
        expect(Number(state['received']) + Number(state['current_balance'])).toBe(1200);
        expect(Number(state['paid_installments']) * 400).toBe(Number(state['received']));
        expect(after === 'SETTLED').toBe(state['next_due_date'] === null);
        before = after;
      }
    }),
    { numRuns: 40 },
  );
  await expectTotalsToAgree();
});
