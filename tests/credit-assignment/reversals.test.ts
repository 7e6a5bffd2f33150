import { afterAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { apiErrorFrom } from '../../shared/kernel/errors.js';
import { inTransaction } from '../../shared/database/transaction.js';
import type { PublishedEvent } from '../../shared/events/outbox/outbox.js';
import { takeOperatorPayments } from '../../subgraphs/credit-assignment/receivables/take-operator-payments.js';
import { operator } from '../kit/context.js';
import { flat } from '../kit/flat.js';
import { contract } from './kit.js';
import { eventsOf, pay as recordPayment, reverse as reversePayment } from './reversals-kit.js';
import { openSettlements, payment, processDue } from './settlement-kit.js';

let batch: string;
let id: string;

const kit = await openSettlements();
afterAll(() => kit.close());
const bank = await kit.client('an-account');
beforeEach(async () => {
  const made = await kit.assigned(bank, [contract('A')]);
  batch = made.id;
  id = made.ids[0] ?? '';
});

const pay = () => recordPayment(kit.platform, id);
const reverse = (paidAmount?: string) => reversePayment(kit.platform, id, paidAmount);
/** The message of the refusal; undefined where there was none. */
const refusal = (outcome: Promise<unknown>) =>
  outcome.then(
    () => undefined,
    (error: unknown) => apiErrorFrom(error).message,
  );

async function settle(amount: string): Promise<string> {
  const made = await kit.settled(bank, batch, [payment(id, amount)]);
  await kit.process();
  return made;
}

/** How the credit stands in both domains, and in the totals of its estate. */
async function standing(): Promise<unknown> {
  await kit.drain();
  const totals: unknown[] = await kit.platform.manager.query(
    'SELECT status, count, current_balance, received FROM tokenization.asset_totals WHERE patrimony_id = $1 AND count > 0 ORDER BY type, status',
    [kit.patrimonyId],
  );
  return { ...(await kit.standings([id]))[0], totals };
}

async function linesOf(settlementBatch: string): Promise<unknown> {
  const text =
    'query ($id: ID!) { settlementBatch(id: $id) { status settlements { nodes { settledAmount repeated reversed } } } }';
  return flat((await kit.run(text, { id: settlementBatch }, bank)).data?.['settlementBatch']);
}

test('payments that batches brought are reversed from the last one on, in the receivable, the asset and the totals, and are reported', async () => {
  const states = [await standing()];
  const first = await settle('40');
  states.push(await standing());
  const second = await settle('60.50');
  expect(await standing()).toMatchObject({ status: 'SETTLED', assetStatus: 'SETTLED', openBalance: '0.00' });

  expect(await reverse()).toMatchObject({ status: 'ACTIVE', currentBalance: '60.50', received: '40.00' });
  expect(await standing()).toEqual(states[1]);
  expect(await linesOf(second)).toMatchObject({ status: 'PROCESSED', settlements: [{ reversed: true }] });
  expect(await linesOf(first)).toMatchObject({ settlements: [{ reversed: false }] });
  expect(await refusal(reverse())).toContain('give what was paid and abated of it, which is R$ 40.00');
  expect(await refusal(reverse('60.50'))).toBe(
    'R$ 40.00 of the instalment were paid and abated, not R$ 60.50: read the asset again',
  );

  await reverse('40');
  expect(await standing()).toEqual(states[0]);
  expect(await refusal(reverse('0'))).toBe('No payment of the instalment was received');
  await settle('100.50');
  expect(await standing()).toMatchObject({ status: 'SETTLED', assetStatus: 'SETTLED', received: '100.50' });

  const told: { data: unknown }[] = await kit.platform.manager.query(
    `SELECT payload -> 'data' AS data FROM shared.outbox WHERE topic = 'contract.status_changed' AND key = $1 ORDER BY position`,
    [id],
  );
  expect(told.map(({ data }) => data)).toMatchObject([
    { previousStatus: 'ACTIVE', status: 'SETTLED' },
    { previousStatus: 'SETTLED', status: 'ACTIVE' },
    { previousStatus: 'ACTIVE', status: 'SETTLED' },
  ]);
  const logged: unknown[] = await kit.platform.manager.query(
    `SELECT actor_name, reason FROM shared.audit_log WHERE action = 'reverseAssetPayment' AND outcome = 'DONE' AND subject_id = $1`,
    [id],
  );
  expect(logged).toEqual([1, 2].map(() => ({ actor_name: operator.name, reason: 'returned' })));
});

test('the lines that are marked are those of the payment that came in last, whichever batch was made first', async () => {
  const draft = await kit.settled(bank, batch, [payment(id, '30')], true);
  const first = await settle('10');
  await kit.run('mutation ($id: ID!) { submitSettlementBatch(id: $id) { id } }', { id: draft }, bank);
  await kit.process();
  await reverse('40');
  expect(await standing()).toMatchObject({ openBalance: '90.50', received: '10.00' });
  expect(await linesOf(draft)).toMatchObject({ settlements: [{ reversed: true }] });
  expect(await linesOf(first)).toMatchObject({ settlements: [{ reversed: false }] });
});

test.each([
  ['60', '40.50', 'OPEN', 'ACTIVE'],
  ['100.50', '0.00', 'SETTLED', 'SETTLED'],
])(
  'a payment of R$ %s that reached the asset after an operator had paid it stands when that is reversed',
  async (amount, openBalance, status, assetStatus) => {
    const made = await kit.settled(bank, batch, [payment(id, amount)]);
    kit.clock.advance(30_000);
    await processDue(kit.platform);
    await pay();
    expect(await standing()).toMatchObject({ status: 'SETTLED', assetStatus: 'SETTLED' });
    await reverse();
    expect(await standing()).toMatchObject({ openBalance, currentBalance: openBalance, status, assetStatus });
    expect(await linesOf(made)).toMatchObject({ status: 'PROCESSED', settlements: [{ reversed: false }] });
  },
);

test('of two equal payments in one batch one is reversed by itself, and then the other', async () => {
  const made = await kit.settled(bank, batch, [payment(id, '40'), payment(id, '40')]);
  await kit.process();
  const part = (paidAmount: string, amount: string) => reversePayment(kit.platform, id, paidAmount, 1, amount);
  await expect(part('80', '80.01')).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
  await part('80', '40');
  expect(await standing()).toMatchObject({ openBalance: '60.50', currentBalance: '60.50', received: '40.00' });
  expect(await linesOf(made)).toMatchObject({ settlements: [{ reversed: false }, { reversed: true }] });
  await part('40', '40');
  expect(await standing()).toMatchObject({ openBalance: '100.50', currentBalance: '100.50', received: '0.00' });
  await pay();
  await expect(part('100.50', '40')).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
});

test('a payment that two reverse at once is reversed once, and so it is however often it is announced', async () => {
  await settle('30');
  await settle('70.50');
  const both = await Promise.all([refusal(reverse()), refusal(reverse())]);
  expect(both.filter((message) => message === undefined)).toHaveLength(1);
  const events = await eventsOf(kit.platform, id, ['assets.payment_reversed']);
  expect(events).toHaveLength(1);
  for (let time = 0; time < 2; time += 1) await inTransaction(kit.platform, (tx) => takeOperatorPayments(tx, events));
  expect(await standing()).toMatchObject({ openBalance: '70.50', currentBalance: '70.50', status: 'OPEN' });
});

test('payments of an operator with reversals between them leave the last one, in whatever order a relay hands them over at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .constantFrom(2, 3)
        .chain((payments) => fc.shuffledSubarray([...Array(2 * payments - 1).keys()], { minLength: 2 * payments - 1 })),
      async (order) => {
        const made = await kit.assigned(bank, [contract('A')]);
        id = made.ids[0] ?? '';
        for (let step = 0; step < order.length; step += 1) await (step % 2 === 0 ? pay() : reverse());
        const events = await eventsOf(kit.platform, id);
        expect(events).toHaveLength(order.length);
        const take = (some: readonly PublishedEvent[]) =>
          inTransaction(kit.platform, (tx) => takeOperatorPayments(tx, some));
        await take(order.flatMap((place) => events[place] ?? []));
        const [after] = await kit.standings([id]);
        expect(after).toMatchObject({ status: 'SETTLED', assetStatus: 'SETTLED', openBalance: '0.00' });
        await take(events);
        expect(await kit.standings([id])).toEqual([after]);
      },
    ),
    { numRuns: 10 },
  );
});
