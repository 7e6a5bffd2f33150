import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/kernel/ids.js';
import { createLog } from '../../../shared/kernel/log.js';
import type { PublishedEvent } from '../../../shared/events/outbox/outbox.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase, untilBlocked } from '../../../tests/kit/database.js';
import { addEstate, addCredit } from '../../../tests/tokenization/series/kit.js';
import { registerAssets } from './register-assets.js';
import { payInOrder } from '../../../tests/tokenization/formulas.js';
import { lockAsset, readInstalments } from '../assets/asset-list.store.js';
import type { InstallmentRow } from '../assets/asset.store.js';
import { payAsset } from '../assets/assets.acts.js';
import { applySettlements } from './apply-settlements.js';

const lines: string[] = [];
const database = await openTestDatabase();
afterAll(() => database.close());
const { manager } = database.dataSource;
const context = testContext({ manager, log: createLog('error', { write: (line) => void lines.push(line) }) });
const [first = '', second = ''] = [await addEstate(manager, 'PAT1'), await addEstate(manager, 'PAT2')].toSorted();
/** In the order of their ids, in which totals of estates are locked. */
const estates: readonly [string, string] = [first, second];
beforeEach(async () => {
  await database.asOwner('TRUNCATE shared.outbox');
  lines.length = 0;
});

const whole = { dueDate: '2027-01-31', amount: '100.50' };

function assigned(
  patrimonyId: string,
  over: Readonly<Record<string, unknown>> = {},
  terms: Readonly<Record<string, unknown>> = {},
) {
  const own = { id: newId(), externalId: newId(), debtorDocument: '52998224725' };
  const receivable = { ...own, type: 'CCB', debtorName: null, purchasePrice: null, interestRate: null, ...terms };
  const payload = {
    batchId: newId(),
    batchName: 'Cessão',
    patrimonyId,
    originatorId: newId(),
    piece: 3,
    receivables: [{ faceValue: '100.50', dueDate: '2027-01-31', installments: [whole], ...receivable }],
    ...over,
  };
  return {
    topic: 'receivables.assigned',
    key: payload.batchId,
    payload,
    id: newId(),
    sequence: 1,
    createdAt: '2026-11-20T15:00:00Z',
  };
}

const register = (...events: readonly PublishedEvent[]) => inTransaction(context, (tx) => registerAssets(tx, events));
const assets = (batchId: string) =>
  manager.query<object[]>(
    `SELECT patrimony_id, batch_id, batch_name, originator_id, external_id FROM tokenization.assets WHERE batch_id = $1`,
    [batchId],
  );

test('a credit with instalments owes their sum, and its balance follows them', async () => {
  const [one, two] = [
    { dueDate: '2026-12-31', amount: '51.10' },
    { dueDate: '2027-01-31', amount: '50.90' },
  ];
  const terms = { debtorName: 'Loja Ltda.', purchasePrice: '91.25', interestRate: '18.5', type: 'CRI' };
  const part = assigned(estates[0], {}, { ...terms, installments: [one, two] });
  await register(part);
  const id = part.payload.receivables[0]?.id ?? '';
  expect(await lockAsset(context, id)).toMatchObject({
    ...{ debtorName: 'Loja Ltda.', type: 'CRI', originalValue: '100.50', purchasePrice: '91.25' },
    ...{ currentBalance: '102.00', interestRate: '18.50000000', installments: 2 },
    ...{ nextDueDate: '2026-12-31', finalDueDate: '2027-01-31' },
  });
  const payment = {
    receivableId: id,
    kind: 'PAYMENT',
    settledAmount: '60.00',
    surplus: '0',
    settledDate: '2026-12-30',
  };
  const settled = { batchId: newId(), piece: 0, ownerId: 'o', entries: [payment] };
  await inTransaction(context, (tx) =>
    applySettlements(tx, [{ ...part, topic: 'receivables.settled', key: settled.batchId, payload: settled }]),
  );
  expect(await lockAsset(context, id)).toMatchObject({ currentBalance: '42.00', paidInstallments: 1 });
  expect((await readInstalments(context, id)).map(({ paidAmount }) => paidAmount)).toEqual(['51.10', '8.90']);
});

test.each([
  ['first', [0, 1]],
  ['last', [1, 0]],
] as const)(
  'estates are written in the order of their ids, whether the first of them comes %s: nobody holds the second and waits for it',
  async (_, order) => {
    // The rows that both would wait for exist from the beginning.
    await register(assigned(estates[0]), assigned(estates[1]));
    const parts = order.map((index) => assigned(estates[index]));
    const totals = 'SELECT FROM tokenization.asset_totals WHERE patrimony_id = $1 FOR UPDATE';
    let registered: Promise<void> | undefined;
    try {
      await manager.inTransaction(async (other) => {
        await other.query(totals, [estates[0]]);
        registered = register(...parts);
        await untilBlocked(manager);
        await other.query(`${totals} NOWAIT`, [estates[1]]);
      });
    } finally {
      await registered;
    }
    for (const { payload } of parts) expect(await assets(payload.batchId)).toHaveLength(1);
  },
);

describe('apply settlements', () => {
  let credits = 0;
  const credit = () => addCredit(manager, estates[0], `C-${++credits}`, ['2027-01-31', '2027-02-28']);

  const entry = (receivableId: string, settledAmount: string) => ({
    receivableId,
    kind: 'PAYMENT',
    settledAmount,
    surplus: '0',
    settledDate: '2026-11-19',
  });

  function settled(entries: readonly ReturnType<typeof entry>[], over: Readonly<Record<string, unknown>> = {}) {
    const payload = { batchId: newId(), piece: 0, ownerId: 'account of the bank', entries, ...over };
    return {
      topic: 'receivables.settled',
      key: payload.batchId,
      payload,
      id: newId(),
      sequence: 1,
      createdAt: '2026-11-20T15:00:00Z',
    };
  }
  const apply = (...events: readonly PublishedEvent[]) => inTransaction(context, (tx) => applySettlements(tx, events));
  const instalments = (id: string) =>
    manager.query<object[]>(
      `SELECT amount, paid_amount AS paid, status FROM tokenization.asset_installments
     WHERE asset_id = $1 ORDER BY installment_number`,
      [id],
    );
  const asset = async (id: string) => {
    const [row] = await manager.query<object[]>('SELECT status, received FROM tokenization.assets WHERE id = $1', [id]);
    return row;
  };
  const announced = () =>
    manager.query<object[]>('SELECT topic, key, payload, internal FROM shared.outbox ORDER BY position');

  test('payments leave instalments and credits as the rules of a payment say, whatever they are', async () => {
    const cents = fc.integer({ min: 1, max: 60_000 }).map((value) => (value / 100).toFixed(2));
    const day = fc.constantFrom('2026-11-17', '2026-11-18', '2026-11-19');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cents, day), { minLength: 1, maxLength: 5 }),
        cents,
        async (payments, balance) => {
          const id = await credit();
          await manager.query('UPDATE tokenization.assets SET current_balance = $2 WHERE id = $1', [id, balance]);
          const before = await readInstalments({ ...context, manager }, id);
          const row = await inTransaction(context, (tx) => lockAsset(tx, id));
          let after: readonly InstallmentRow[] = before;
          for (const [amount, paidOn] of payments) after = payInOrder(after, amount, paidOn);
          const expected = payAsset(row, before, after, '2026-11-20');
          await apply(settled(payments.map(([amount, settledDate]) => ({ ...entry(id, amount), settledDate }))));
          expect(await readInstalments({ ...context, manager }, id)).toEqual(after);
          const stored = await inTransaction(context, (tx) => lockAsset(tx, id));
          expect({ ...stored, updatedAt: null }).toEqual({ ...expected, updatedAt: null });
        },
      ),
      {
        numRuns: 40,
        // The balance falls to 84.545 exactly, which is 84.55.
        examples: [[['582.71', '307.56', '64.94', '75.70'].map((amount) => [amount, '2026-11-17']), '600.00']],
      },
    );
  });

  test('a part with a payment of a credit that was withdrawn is not written down, and so is announced again until it is back', async () => {
    const one = await credit();
    await manager.inTransaction(async (tx) => {
      await tx.query(`SET LOCAL lastro.voiding = 'on'`);
      await tx.query('DELETE FROM tokenization.asset_installments WHERE asset_id = $1', [one]);
      await tx.query('DELETE FROM tokenization.assets WHERE id = $1', [one]);
    });
    const part = settled([entry(one, '1.00')]);
    await expect(apply(part)).rejects.toThrow('is withdrawn with its estate: its payment is postponed');
    expect(await announced()).toEqual([]);
    expect(
      await manager.query('SELECT FROM tokenization.settled_pieces WHERE batch_id = $1', [part.payload.batchId]),
    ).toEqual([]);
  });

  test('what an operator records of a credit meanwhile is waited for, and not lost', async () => {
    const one = await credit();
    let applied: Promise<void> | undefined;
    try {
      await manager.inTransaction(async (other) => {
        await other.query('SELECT FROM tokenization.assets WHERE id = $1 FOR NO KEY UPDATE', [one]);
        applied = apply(settled([entry(one, '1.00')]));
        await untilBlocked(manager);
        await other.query('UPDATE tokenization.assets SET received = 5 WHERE id = $1', [one]);
        await other.query(
          'UPDATE tokenization.asset_installments SET paid_amount = 5 WHERE asset_id = $1 AND installment_number = 1',
          [one],
        );
      });
    } finally {
      await applied;
    }
    expect(await asset(one)).toMatchObject({ received: '6.00' });
    expect(await instalments(one)).toMatchObject([{ paid: '6.00' }, { paid: '0.00' }]);
  });
});
