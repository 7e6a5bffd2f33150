import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import type { Consumer } from '../../shared/events/outbox/outbox.js';
import { takeOperatorPayments } from '../../subgraphs/credit-assignment/receivables/take-operator-payments.js';
import { applySettlements } from '../../subgraphs/tokenization/assignments/apply-settlements.js';
import { flat } from '../kit/flat.js';
import { eventsOf, pay as recordPayment, reverse as reversePayment } from './reversals-kit.js';
import { openSettlements, payment, processDue, type Payment } from './settlement-kit.js';

let batch: string;
let id: string;
let other: string;

const kit = await openSettlements();
afterAll(() => kit.close());
const bank = await kit.client('an-account');
beforeEach(async () => {
  const made = await kit.assigned(bank);
  batch = made.id;
  [id = '', other = ''] = made.ids;
});

const pay = () => recordPayment(kit.platform, id);
const reverse = (paidAmount?: string) => reversePayment(kit.platform, id, paidAmount);

/** Decides a batch of payments, and hands on nothing of it. */
async function decided(payments: readonly Payment[]): Promise<string> {
  const made = await kit.settled(bank, batch, payments);
  await kit.drain();
  kit.clock.advance(30_000);
  await processDue(kit.platform);
  return made;
}

async function settle(payments: readonly object[]): Promise<string> {
  const made = await kit.settled(bank, batch, payments);
  await kit.process();
  return made;
}

/** Puts a piece of a batch off, as the relay does while a credit in it is withdrawn; or lets it go on. */
const hold = (batchId: string, piece: number, until: string | null) =>
  kit.platform.manager.query(
    `UPDATE shared.outbox SET retry_at = $3 WHERE topic = 'receivables.settled' AND key = $1 AND payload ->> 'piece' = $2`,
    [batchId, String(piece), until],
  );

/** Hands events that wait to a consumer, only those of a topic, and leaves them to be handed on again. */
async function hand(consumer: Consumer, topics: readonly string[] | undefined, key: string): Promise<void> {
  const events = (await eventsOf(kit.platform, key, topics)).filter(({ isPublished }) => !isPublished);
  expect(events).not.toEqual([]);
  await inTransaction(kit.platform, (tx) => consumer(tx, events));
}

interface Detail {
  readonly status: string;
  readonly rejectionReason: string | null;
  readonly rejectionRules: readonly unknown[] | null;
  readonly settlements: readonly { readonly repeated: boolean; readonly reversed: boolean }[];
}

async function detailOf(settlementBatch: string): Promise<Detail> {
  const text =
    'query ($id: ID!) { settlementBatch(id: $id) { status rejectionReason rejectionRules { rule values { name value } } settlements { nodes { repeated reversed } } } }';
  return flat((await kit.run(text, { id: settlementBatch }, bank)).data?.['settlementBatch']) as Detail;
}

async function standing() {
  await kit.drain();
  return (await kit.standings([id]))[0];
}

/** Both domains, with so much open. */
const open = (balance: string) => ({ openBalance: balance, currentBalance: balance });

test('a reference whose payment was reversed is refused by its own sentence, and a batch on its way with it is rejected', async () => {
  const named = (amount: string, paymentReference: string) => ({ ...payment(id, amount), paymentReference });
  await settle([named('40', 'E2E-1'), { ...payment(other, '1'), paymentReference: 'E2E-1' }]);
  const draft = await kit.settled(bank, batch, [named('40', 'E2E-1')], true);
  await reverse('40');
  await kit.drain();

  const { error } = await kit.settle(bank, batch, [
    named('1', 'E2E-2'),
    named('40', 'E2E-1'),
    named('50', 'E2E-1'),
    { ...payment(other, '1'), paymentReference: 'E2E-1' },
  ]);
  const message =
    'identifies the payment E2E-1 of 40.00 on 2026-11-19 and was reversed: use another reference for the payment that replaces it';
  expect(error).toMatchObject({ code: 'UNPROCESSABLE', statusCode: 422 });
  expect(error?.details).toMatchObject([1, 2].map((at) => ({ path: `settlements[${at}].paymentReference`, message })));

  await kit.run('mutation ($id: ID!) { submitSettlementBatch(id: $id) { id } }', { id: draft }, bank);
  await kit.process();
  expect(await detailOf(draft)).toMatchObject({
    status: 'REJECTED',
    rejectionReason:
      'Payments exceed the open balances of their receivables, or repeat the reference of a reversed payment: 1 of 1',
    rejectionRules: [
      {
        rule: 'PAYMENTS_REFUSED_REVERSED',
        values: [
          { name: 'count', value: '1' },
          { name: 'total', value: '1' },
        ],
      },
    ],
  });
  expect(await standing()).toMatchObject(open('100.50'));
  await settle([named('40', 'E2E-2')]);
  expect(await standing()).toMatchObject(open('60.50'));
});

test('payments whose piece waits come into the asset by themselves, and once, when the payment of an operator is reversed', async () => {
  await settle([payment(id, '20')]);
  const waits = await decided([payment(id, '30'), payment(other, '10')]);
  await hold(waits, 0, '2100-01-01');
  await pay();
  await kit.drain();
  await reverse();
  expect(await standing()).toMatchObject({ openBalance: '50.50', currentBalance: '80.50', received: '20.00' });
  await hold(waits, 0, null);
  expect(await standing()).toMatchObject({ ...open('50.50'), received: '50.00' });
  expect(await detailOf(waits)).toMatchObject({ status: 'PROCESSED' });
});

test('payments that reached an asset while the payment of an operator stood there are in it once that is reversed, also while another piece of their batch waits', async () => {
  const waits = await decided([payment(id, '60'), ...Array.from({ length: 1000 }, () => payment(other, '0.01'))]);
  await hold(waits, 1, '2100-01-01');
  await pay();
  await kit.drain();
  expect(await detailOf(waits)).toMatchObject({ status: 'PROCESSING' });
  await reverse();
  expect(await standing()).toMatchObject({ ...open('40.50'), received: '60.00' });
  await hold(waits, 1, null);
  expect(await standing()).toMatchObject({ ...open('40.50'), received: '60.00' });
  expect(await detailOf(waits)).toMatchObject({ status: 'PROCESSED' });
});

test('so they are where the reversal is heard of before the answer to their piece', async () => {
  const made = await decided([payment(id, '60')]);
  await pay();
  await hand(applySettlements, ['receivables.settled'], made);
  await reverse();
  await hand(takeOperatorPayments, undefined, id);
  expect(await standing()).toMatchObject({ ...open('40.50'), received: '60.00' });
  expect(await detailOf(made)).toMatchObject({ status: 'PROCESSED' });
});

test.each([
  ['30', '0'],
  ['50.50', '30'],
  ['100.50', '0'],
])(
  'an abatement of %s beside a payment of %s that the payment of an operator overtook is reversed',
  async (abated, paid) => {
    const lines = [{ ...payment(id, abated), kind: 'ABATEMENT' }, payment(other, '1')];
    const waits = await decided(paid === '0' ? lines : [payment(id, paid), ...lines]);
    await hold(waits, 0, '2100-01-01');
    await pay();
    await kit.drain();
    await hold(waits, 0, null);
    const text = 'query ($id: ID!) { receivable(id: $id) { status openBalance received abated } }';
    const receivable = async () => (await kit.data<{ receivable: object }>(text, { id }, bank)).receivable;
    expect(await standing()).toMatchObject({ ...open('0.00'), received: '100.50' });
    expect(await receivable()).toEqual({ status: 'SETTLED', openBalance: '0.00', received: '100.50', abated: '0.00' });
    const { settlements } = await detailOf(waits);
    expect(settlements.map(({ reversed }) => reversed)).toEqual([...(paid === '0' ? [] : [false]), true, false]);
    await reverse();
    const left = (100.5 - Number(paid)).toFixed(2);
    expect(await standing()).toMatchObject({ ...open(left), received: Number(paid).toFixed(2) });
    expect(await receivable()).toMatchObject({ openBalance: left, received: Number(paid).toFixed(2), abated: '0.00' });
  },
);

test('who listens to a batch gets an event when payments of it are reversed, also where no status changes; webhooks receive nothing new', async () => {
  const made = await settle([payment(id, '40'), payment(other, '10')]);
  const heard = await kit.listen(
    'subscription ($id: ID) { settlementBatchUpdated(id: $id) { kind batch { id status settlements(first: 2) { nodes { reversed } } } } }',
    { id: made },
    bank,
  );
  const before = await kit.told(made);
  await reverse('40');
  await kit.drain();
  expect((await heard.next()).value?.data).toEqual({
    settlementBatchUpdated: {
      kind: 'PAYMENTS_REVERSED',
      batch: { id: made, status: 'PROCESSED', settlements: { nodes: [{ reversed: true }, { reversed: false }] } },
    },
  });
  expect(await kit.told(made)).toEqual(before);
  await heard.return?.();
});
