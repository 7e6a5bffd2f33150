import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { createDesk } from '../../../subgraphs/trading/orders/create-desk.js';
import { executionsOf, takeOver, type ExecutionRow } from '../../../subgraphs/trading/orders/execution.store.js';
import type { Report } from '../../../subgraphs/trading/orders/report.js';
import { settleReports } from '../../../subgraphs/trading/orders/settle-reports.js';
import { until } from '../../kit/until.js';
import { walletOf, type TestTrader } from '../kit.js';
import { statusOf, valueOf } from '../domain-kit.js';
import { fillOf } from '../venues/kit.js';
import { asOperator, createOrder, openOrders } from './kit.js';

const kit = await openOrders();
afterAll(() => kit.close());

/** Places a market order of 0.01, or what is said. */
const place = (trader: TestTrader, input: object = {}) => kit.place(trader, { amount: '0.01', ...input });
const resting = { type: 'LIMIT', price: '1000.00' };

/** Every exchange fails once, in one way, while it acts. */
async function failing<T>(failure: 'RESET_AFTER' | 'RESET_BEFORE' | 'RATE_LIMITED', act: () => Promise<T>): Promise<T> {
  for (const exchange of kit.real) exchange.failures.next('place', failure);
  const done = await act();
  for (const exchange of kit.real) exchange.failures.clear();
  return done;
}

const executionOf = async (orderId: string): Promise<ExecutionRow> => {
  const [execution] = await executionsOf(kit.context, orderId);
  if (execution === undefined) throw new Error('Nothing was sent');
  return execution;
};

/** What came in and went out of the wallet adds up with the order. */
async function inWallet(trader: TestTrader) {
  const { BRL, BTC } = await kit.balances(await walletOf(trader));
  return { btc: BTC?.total, brlLocked: BRL?.locked };
}

describe('an order whose venue does not respond', () => {
  let trader: TestTrader;
  beforeEach(async () => {
    trader = await kit.trader({ BRL: '100000' });
  });

  test('after it took it: stays PENDING with its funds set aside, and is filled once, without being sent again', async () => {
    const { orderId, status } = await failing('RESET_AFTER', () => place(trader));
    expect(status).toBe('PENDING');
    expect(new Decimal((await kit.order(orderId)).hold ?? 0).greaterThan(0)).toBe(true);
    await kit.untilOver(orderId);
    expect(await kit.order(orderId)).toEqual({ status: 'FILLED', filled: '0.01', hold: '0' });
    expect(await inWallet(trader)).toEqual({ btc: '0.01000000', brlLocked: '0.00' });
    const fills = await kit.rows(
      'SELECT FROM trading.fills JOIN trading.executions ON executions.id = execution_id WHERE order_id = $1',
      [orderId],
    );
    expect(fills.length).toBeGreaterThan(0);
  });

  test('before it took it: is found not to be there, and gives its funds back', async () => {
    const { orderId, status } = await failing('RESET_BEFORE', () => place(trader));
    expect(status).toBe('PENDING');
    await kit.untilOver(orderId);
    expect(await kit.order(orderId)).toEqual({ status: 'REJECTED', filled: '0', hold: '0' });
    expect(await inWallet(trader)).toEqual({ btc: '0.00000000', brlLocked: '0.00' });
  });

  test('and is found after all says nothing of that when it ends', async () => {
    const { orderId } = await failing('RESET_AFTER', () => place(trader, resting));
    const open = () => kit.rows(`SELECT FROM trading.executions WHERE order_id = $1 AND state = 'OPEN'`, [orderId]);
    await until('the venue to say that the order is open', async () => (await open()).length > 0);
    const cancel = 'mutation ($orderId: ID!) { cancelOrder(orderId: $orderId) { status reason } }';
    const { data } = await kit.run(trader, cancel, { orderId });
    expect(data['cancelOrder']).toEqual({ status: 'CANCELLED', reason: null });
  });
});

describe('the reason of an order', () => {
  const reasonOf = async (orderId: string) =>
    (await kit.rows<{ reason: string | null }>('SELECT reason FROM trading.orders WHERE id = $1', [orderId]))[0]
      ?.reason;

  test('says that a venue did not take it, and not what the venue says to the house', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    const { orderId, status } = await failing('RATE_LIMITED', () => place(trader));
    expect(status).toBe('REJECTED');
    expect(
      await kit.rows("SELECT topic, payload #>> '{data,status}' AS status FROM shared.outbox WHERE key = $1", [
        orderId,
      ]),
    ).toEqual([{ topic: 'order.cancelled', status: 'REJECTED' }]);
    expect(await reasonOf(orderId)).toMatch(/^(\w+: The venue accepts no more orders at the moment(; )?)+$/);
  });

  test('says nothing of what went wrong before it was found out how it stands', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    const { orderId } = await place(trader, resting);
    const { id: executionId } = await executionOf(orderId);
    const reason = 'HTTP 504: GET https://api.example/order?signature=0a1b';
    await settleReports(kit.context, orderId, [{ executionId, state: 'UNKNOWN', reason, looked: true }]);
    await settleReports(kit.context, orderId, [{ executionId, state: 'CANCELLED', looked: true }]);
    expect(await kit.order(orderId)).toMatchObject({ status: 'CANCELLED' });
    expect(await reasonOf(orderId)).toBeNull();
  });
});

test('an order that cannot be settled stops no other, and calls an operator', async () => {
  const [stuck, other] = [await kit.trader({ BRL: '100000' }), await kit.trader({ BRL: '100000' })];
  await kit.database.asOwner(`
    CREATE FUNCTION trading.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT FROM trading.executions JOIN trading.orders ON orders.id = order_id
        WHERE executions.id = NEW.execution_id AND company_id = '${stuck.companyId}') THEN RAISE EXCEPTION 'no such currency'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER fail BEFORE INSERT ON trading.fills FOR EACH ROW EXECUTE FUNCTION trading.fail();`);
  const unheard = async (trader: TestTrader) => {
    const { orderId } = await failing('RESET_AFTER', () => place(trader));
    return orderId;
  };
  const first = await unheard(stuck);
  await until(
    'the second look for the order that cannot be settled',
    async () =>
      (await kit.rows('SELECT FROM trading.executions WHERE order_id = $1 AND looks > 1', [first])).length > 0,
  );
  const second = await unheard(other);
  await kit.untilOver(second);
  expect(await kit.order(second)).toEqual({ status: 'FILLED', filled: '0.01', hold: '0' });
  const lookNow = (looks: number) =>
    kit.rows('UPDATE trading.executions SET looks = $2, next_look_at = now() WHERE order_id = $1', [first, looks]);
  await lookNow(11);
  await until(
    'the order to be quarantined',
    async () =>
      (await kit.rows('SELECT FROM trading.orders WHERE id = $1 AND quarantined_at IS NOT NULL', [first])).length > 0,
  );
  await kit.database.asOwner('DROP TRIGGER fail ON trading.fills; DROP FUNCTION trading.fail()');
  await lookNow(0);
  await kit.untilOver(first);
  expect(await kit.order(first)).toEqual({ status: 'FILLED', filled: '0.01', hold: '0' });
});

describe('a venue that does not respond', () => {
  const areUsable = () => kit.trading.markets.data.venues(false).every((venue) => venue.isUsable());
  afterEach(async () => {
    for (const exchange of kit.real) exchange.failures.clear();
    await until('every venue to be usable', () => Promise.resolve(areUsable()));
  });

  test('does not silence the process, whose orders another one would take over', async () => {
    const [exchange] = kit.real;
    exchange?.failures.next('balances', 'HANG_AFTER', 'HANG_AFTER');
    let longest = 0;
    for (let look = 0; look < 90; look += 1) {
      const [row] = await kit.rows<{ silent: number }>(
        'SELECT extract(epoch FROM clock_timestamp() - max(seen_at))::double precision AS silent FROM trading.sessions',
      );
      longest = Math.max(longest, row?.silent ?? Infinity);
      await sleep(100);
    }
    expect(longest).toBeLessThan(4.5);
  });
});

test.each([
  ['rests at an exchange that is gone', `state = 'OPEN'`],
  ['is over, with fills missing', `state = 'FILLED', reported_amount = amount`],
  ['is over, with less filled than the venue says', `state = 'CANCELLED', reported_amount = amount / 2`],
])('an execution that %s is listed, taken over, and settled by an operator', async (_what, change) => {
  const trader = await kit.trader({ BRL: '100000' });
  const { orderId } = await place(trader, { ...resting, amount: '1' });
  await kit.rows('UPDATE trading.orders SET quarantined_at = now() WHERE id = $1', [orderId]);
  const [dead, heir] = [newId(), newId()];
  await kit.rows(
    `UPDATE trading.executions SET venue = 'gone', session = $2, next_look_at = NULL, ${change} WHERE order_id = $1`,
    [orderId, dead],
  );
  await kit.rows(`INSERT INTO trading.sessions (id, seen_at) VALUES ($1, '-infinity')`, [dead]);
  // Who takes it over is this, or the engine of the kit.
  await takeOver(kit.context, heir, new Date(0));
  const taken = await executionOf(orderId);
  expect(taken.session).not.toBe(dead);
  const listed = await valueOf(kit.run(asOperator, '{ quarantinedOrders { orderId executions { id } } }'));
  expect(listed).toContainEqual({ orderId, executions: [{ id: taken.id }] });
  const resolve = `mutation ($id: ID!) {
    resolveExecution(id: $id, outcome: CANCELLED, amount: "0.25", price: "1000", reason: "Statement of the exchange") { status }
  }`;
  expect(await statusOf(kit.run(asOperator, resolve, { id: taken.id }))).toBeUndefined();
  expect(await kit.order(orderId)).toEqual({ status: 'CANCELLED', filled: '0.25', hold: '0' });
  expect(await statusOf(kit.run(asOperator, resolve, { id: taken.id }))).toBe(409);
});

test('what a venue reports of an execution that an operator has resolved is the house’s, and never charged again', async () => {
  const trader = await kit.trader({ BRL: '100000' });
  const { orderId } = await failing('RESET_AFTER', () => place(trader, { ...resting, amount: '1' }));
  await kit.rows('UPDATE trading.orders SET quarantined_at = now() WHERE id = $1', [orderId]);
  await kit.rows('UPDATE trading.executions SET next_look_at = NULL WHERE order_id = $1', [orderId]);
  const execution = await executionOf(orderId);
  const resolve = `mutation ($id: ID!) {
    resolveExecution(id: $id, outcome: CANCELLED, amount: "0.4", price: "1000", reason: "Asked the venue") { status } }`;
  const beyond = resolve.replace('"0.4"', '"1.5"').replace('"1000"', '"1000.01"');
  const { error } = await kit.run(asOperator, beyond, { id: execution.id });
  expect(error).toMatchObject({ details: [{ path: 'amount' }, { path: 'price' }] });
  expect(await statusOf(kit.run(asOperator, resolve, { id: execution.id }))).toBeUndefined();
  const before = await kit.balances(await walletOf(trader));
  expect(before).toMatchObject({ BTC: { total: '0.40000000' }, BRL: { locked: '0.00' } });
  await settleReports(kit.context, orderId, [{ executionId: execution.id, fills: [fillOf(execution)] }]);
  expect(await kit.balances(await walletOf(trader))).toEqual(before);
  expect(await kit.order(orderId)).toEqual({ status: 'CANCELLED', filled: '0.4', hold: '0' });
  expect(await principalOf(orderId, 'order.beyond')).toEqual([
    { currency: 'BRL', amount: '-400' },
    { currency: 'BTC', amount: '0.4' },
  ]);
});

/** What the house's own position gained by journals of an order. */
function principalOf(orderId: string, cause: string) {
  return kit.rows(
    `SELECT entry.currency, trim_scale(sum(entry.amount))::text AS amount FROM trading.entries AS entry
     JOIN trading.journals ON journals.id = journal_id JOIN trading.ledger_accounts AS account ON account.id = account_id
     WHERE cause_id = $1 AND cause = $2 AND kind = 'PRINCIPAL' GROUP BY entry.currency ORDER BY entry.currency`,
    [orderId, cause],
  );
}

test('nothing is sent inside of a transaction', async () => {
  const { orderId } = await place(await kit.trader({ BRL: '100000' }), resting);
  const sent = await executionOf(orderId);
  const desk = createDesk(newId(), kit.trading.markets.data);
  for (const ask of [
    (tx: Context) => desk.send(tx, orderId, [{ ...sent, id: newId() }], performance.now()),
    (tx: Context) => desk.cancel(tx, orderId, [sent]),
    (tx: Context) => desk.look(tx, orderId, [sent]),
  ])
    await expect(inTransaction(kit.context, ask)).rejects.toThrow('outside of inTransaction');
});

describe('an order whose response comes', () => {
  test('while the database cannot take it is looked up by itself, and filled once', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    await kit.database.asOwner(`
      CREATE FUNCTION trading.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'away'; END $$;
      CREATE TRIGGER fail BEFORE INSERT ON trading.fills EXECUTE FUNCTION trading.fail();`);
    const status = await statusOf(kit.run(trader, createOrder, { amount: '0.01' }));
    await kit.database.asOwner('DROP TRIGGER fail ON trading.fills; DROP FUNCTION trading.fail()');
    expect(status).toBe(500);
    const [{ id } = { id: '' }] = await kit.rows<{ id: string }>(
      'SELECT id FROM trading.orders WHERE company_id = $1',
      [trader.companyId],
    );
    await kit.untilOver(id);
    expect(await kit.order(id)).toEqual({ status: 'FILLED', filled: '0.01', hold: '0' });
    expect(await inWallet(trader)).toEqual({ btc: '0.01000000', brlLocked: '0.00' });
  });

  test('and is filled while that is settled, is notified', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    const { bid, ask } = kit.trading.markets.data.ticker(false, 'BTC/BRL');
    if (bid === undefined || ask === undefined) throw new Error('The book is empty');
    const price = bid.plus(ask).dividedBy(2).toDecimalPlaces(2);
    const amount = new Decimal('0.01');
    const stops = kit.real.map((exchange) => {
      const stop = exchange.onBook((symbol) => {
        if (exchange.book(symbol)?.bids[0]?.price.equals(price) !== true) return;
        stop();
        // In the next turn of the event loop: before the database has said anything.
        const taker = { clientOrderId: newId(), symbol, side: 'SELL', type: 'LIMIT', amount, price } as const;
        setImmediate(() => void exchange.place({ ...taker, timeInForce: 'IOC', postOnly: false }));
      });
      return stop;
    });
    const { orderId } = await place(trader, { type: 'LIMIT', price: price.toFixed(2) });
    for (const stop of stops) stop();
    await kit.untilOver(orderId);
    expect(await kit.order(orderId)).toEqual({ status: 'FILLED', filled: '0.01', hold: '0' });
  });
});

describe('fills', () => {
  async function rested(funds = '100000') {
    const trader = await kit.trader({ BRL: funds });
    const { orderId } = await place(trader, { ...resting, amount: '1' });
    const execution = await executionOf(orderId);
    const { id: executionId } = execution;
    const fill = (tradeId: string, amount: string) =>
      fillOf(execution, { tradeId: `${execution.id}-${tradeId}`, amount: new Decimal(amount) });
    const settle = (report: Omit<Report, 'executionId'>) =>
      settleReports(kit.context, orderId, [{ executionId, ...report }]);
    return { trader, orderId, executionId, fill, settle };
  }

  test('count once, however often and by how many they are reported at the same time', async () => {
    const { trader, orderId, fill, settle } = await rested();
    const fills = [fill('a', '0.2'), fill('b', '0.3')];
    await Promise.all(Array.from({ length: 12 }, () => settle({ fills })));
    expect(await kit.order(orderId)).toMatchObject({ status: 'PARTIALLY_FILLED', filled: '0.5' });
    expect((await inWallet(trader)).btc).toBe('0.50000000');
  });

  test('of more than was asked for are split: the client gets what he asked for, the house takes the rest', async () => {
    const { trader, orderId, fill, settle } = await rested();
    await settle({ fills: [fill('most', '0.7'), fill('more', '0.5')] });
    expect(await kit.order(orderId)).toEqual({ status: 'FILLED', filled: '1', hold: '0' });
    expect((await inWallet(trader)).btc).toBe('1.00000000');
    expect(await principalOf(orderId, 'order.beyond')).toEqual([
      { currency: 'BRL', amount: '-200' },
      { currency: 'BTC', amount: '0.2' },
    ]);
  });

  test('that come before the fate of the rest is known do not end the looking', async () => {
    const { executionId, fill, settle } = await rested();
    const at = new Date(Date.now() + 60_000);
    await settle({ state: 'UNKNOWN', nextLookAt: at, looked: true });
    await settle({ fills: [fill('early', '0.2')] });
    const looks = () =>
      kit.rows('SELECT next_look_at AS at, looks FROM trading.executions WHERE id = $1', [executionId]);
    expect(await looks()).toEqual([{ at, looks: 1 }]);
    await settle({ state: 'OPEN', looked: true });
    expect(await looks()).toEqual([{ at: null, looks: 0 }]);
  });

  const webhooksOf = (orderId: string) =>
    kit.rows(
      `SELECT topic, payload->'data'->>'status' AS status, payload->'data'->>'filledAmount' AS filled
       FROM shared.outbox WHERE key = $1 ORDER BY topic`,
      [orderId],
    );

  test.each([
    ['with the end of their order', true],
    ['after the end of their order', false],
  ])('that come %s count, and are told to webhooks as order.filled', async (_when, together) => {
    const { trader, orderId, fill, settle } = await rested();
    const fills = [fill('part', '0.4')];
    if (together) await settle({ state: 'CANCELLED', fills });
    else {
      await settle({ state: 'CANCELLED' });
      expect(await kit.order(orderId)).toEqual({ status: 'CANCELLED', filled: '0', hold: '0' });
      await settle({ fills });
    }
    expect(await kit.order(orderId)).toMatchObject({ status: 'CANCELLED', filled: '0.4' });
    expect((await inWallet(trader)).btc).toBe('0.40000000');
    expect(await webhooksOf(orderId)).toEqual([
      { topic: 'order.cancelled', status: 'CANCELLED', filled: together ? '0.40000000' : '0.00000000' },
      { topic: 'order.filled', status: 'CANCELLED', filled: '0.40000000' },
    ]);
  });

  test('that come late to a client who cannot pay them are the house’s own', async () => {
    const { trader, orderId, fill, settle } = await rested('1100');
    await settle({ state: 'CANCELLED' });
    await place(trader, { ...resting, amount: '1' });
    await settle({ fills: [fill('late', '0.5')] });
    expect(await kit.order(orderId)).toMatchObject({ filled: '0' });
    expect((await inWallet(trader)).btc).toBe('0.00000000');
    expect(await principalOf(orderId, 'order.late')).toContainEqual({ currency: 'BTC', amount: '0.5' });
  });
});

test('what is filled reaches the readers of the wallet in the transaction of the change', async () => {
  const trader = await kit.trader({ BRL: '100000' });
  const { orderId } = await place(trader);
  const { id } = await walletOf(trader);
  const events = await kit.rows<{ channel: string; id: string; status: string | null; orderId: string | null }>(
    `SELECT channel, event_id::integer AS id, data->>'status' AS status, data->>'orderId' AS "orderId"
     FROM trading.stream_events WHERE wallet_id = $1 AND channel = 'orders' ORDER BY event_id`,
    [id],
  );
  expect(events).toEqual([
    { channel: 'orders', id: 1, status: 'PENDING', orderId },
    { channel: 'orders', id: 2, status: 'FILLED', orderId },
  ]);
});
