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
import { tellMoves } from './tell-moves.js';

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

/** A part of a batch, with one credit. */
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
const answers = () =>
  manager.query<object[]>('SELECT topic, key, payload, internal FROM shared.outbox ORDER BY position');
const answerTo = ({ payload: { batchId, piece } }: ReturnType<typeof assigned>) => ({
  topic: 'assets.registered',
  key: batchId,
  payload: { batchId, piece },
  internal: true,
});

test('parts of batches become assets of their estates, and each is answered to the other domain alone', async () => {
  const parts = [assigned(estates[1]), assigned(estates[0], { piece: 0 })];
  await register(...parts);
  for (const { payload } of parts) {
    expect(await assets(payload.batchId)).toEqual([
      {
        patrimony_id: payload.patrimonyId,
        batch_id: payload.batchId,
        batch_name: 'Cessão',
        originator_id: payload.originatorId,
        external_id: payload.receivables[0]?.externalId,
      },
    ]);
  }
  expect(await answers()).toEqual(parts.map(answerTo));
  expect(lines).toEqual([]);
});

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

test('a part that comes twice changes nothing, and is answered again', async () => {
  const part = assigned(estates[0]);
  await register(part);
  const before = await assets(part.payload.batchId);
  await register(part, part);
  expect(await assets(part.payload.batchId)).toEqual(before);
  expect(await answers()).toEqual([part, part, part].map(answerTo));
});

test('what is reported of anything else is nobody’s asset, and has no answer', async () => {
  const other = { ...assigned(estates[0]), topic: 'receivables.settled' };
  await register(other);
  expect(await assets(other.payload.batchId)).toEqual([]);
  expect(await answers()).toEqual([]);
  expect(lines).toEqual([]);
});

test('a part that is not of the form that is announced is said in the log, and those after it go on', async () => {
  const [broken, whole] = [assigned(estates[0], { piece: -1 }), assigned(estates[0])];
  await register(broken, whole);
  expect(await assets(broken.payload.batchId)).toEqual([]);
  expect(await assets(whole.payload.batchId)).toHaveLength(1);
  expect(await answers()).toEqual([answerTo(whole)]);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { event: broken.id, err: { message: expect.stringContaining('piece') } },
  ]);
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

  /** A part of a settlement batch. */
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
  const answerTo = ({ payload: { batchId, piece } }: ReturnType<typeof settled>) => ({
    topic: 'assets.settled',
    key: batchId,
    payload: { batchId, piece },
    internal: true,
  });

  test('payments of one credit are added up over the parts that they come in, and each part is answered', async () => {
    const [one, other] = [await credit(), await credit()];
    const [{ amount } = { amount: '' }] = (await instalments(one)) as { amount: string }[];
    const parts = [
      settled([entry(one, amount), entry(other, '1.00')]),
      settled([entry(one, '0.50'), entry(one, '0.25')], { piece: 7 }),
    ];
    await apply(...parts);
    expect(await instalments(one)).toEqual([
      { amount, paid: amount, status: 'PAID' },
      { amount, paid: '0.75', status: 'PENDING' },
    ]);
    expect(await instalments(other)).toMatchObject([{ paid: '1.00' }, { paid: '0.00' }]);
    expect(await announced()).toEqual(parts.map(answerTo));
    expect(lines).toEqual([]);
  });

  test('a part that comes twice counts once, and is answered once; another part of its batch counts too', async () => {
    const one = await credit();
    const part = settled([entry(one, '1.00')]);
    await apply(part, part);
    await apply(part);
    expect(await asset(one)).toMatchObject({ received: '1.00' });
    expect(await announced()).toEqual([answerTo(part)]);
    const next = settled([entry(one, '2.00')], { batchId: part.payload.batchId, piece: 1 });
    await apply(part, next);
    expect(await asset(one)).toMatchObject({ received: '3.00' });
    expect(await announced()).toEqual([part, next].map(answerTo));
  });

  test('a credit that is paid whole is announced to its originator alone, once its batch is processed, and once', async () => {
    const [whole, open] = [await credit(), await credit()];
    const [{ amount } = { amount: '' }] = (await instalments(whole)) as { amount: string }[];
    const part = settled([entry(whole, amount), entry(whole, amount), entry(open, '1.00')]);
    await apply(part);
    expect(await asset(whole)).toMatchObject({ status: 'SETTLED' });
    expect(await asset(open)).toMatchObject({ status: 'ACTIVE' });
    expect(await announced()).toEqual([answerTo(part)]);
    const { batchId } = part.payload;
    const processed = {
      ...part,
      topic: 'settlement_batch.processed',
      payload: { data: { settlementBatchId: batchId } },
    };
    for (let time = 0; time < 2; time += 1) await inTransaction(context, (tx) => tellMoves(tx, [processed]));
    expect(await announced()).toEqual([
      answerTo(part),
      {
        topic: 'contract.status_changed',
        key: whole,
        payload: {
          ownerId: 'account of the bank',
          data: expect.objectContaining({ assetId: whole, previousStatus: 'ACTIVE', status: 'SETTLED' }),
        },
        internal: false,
      },
      { topic: 'assets.moved', key: batchId, payload: { batchId }, internal: true },
    ]);
  });

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

  test('what is reported of anything else pays nothing, and has no answer', async () => {
    const one = await credit();
    await apply({ ...settled([entry(one, '1.00')]), topic: 'receivables.assigned' });
    expect(await asset(one)).toMatchObject({ received: '0.00' });
    expect(await announced()).toEqual([]);
    expect(lines).toEqual([]);
  });

  test('a part that is not of the form that is announced is said in the log, and those after it go on', async () => {
    const one = await credit();
    const broken = settled([entry('x', '1.00')]);
    const whole = settled([entry(one, '1.00')]);
    await apply(broken, whole);
    expect(await asset(one)).toMatchObject({ received: '1.00' });
    expect(await announced()).toEqual([answerTo(whole)]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { event: broken.id, err: { message: expect.stringContaining('receivableId') } },
    ]);
  });

  test('payments of credits that are not there are said in the log, by their batch and number, and the others count', async () => {
    const one = await credit();
    const parts = [
      settled([entry(newId(), '1.00'), entry(one, '1.00')]),
      settled([entry(newId(), '1.00')], { piece: 1 }),
    ];
    await apply(...parts);
    expect(await asset(one)).toMatchObject({ received: '1.00' });
    expect(await announced()).toEqual(parts.map(answerTo));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { batches: parts.map(({ payload }) => payload.batchId), missing: 2 },
    ]);
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
