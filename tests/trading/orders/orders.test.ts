import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { countQueries } from '../../kit/count-queries.js';
import { until } from '../../kit/until.js';
import { newProfile, walletOf, type TestTrader } from '../kit.js';
import { statusOf, valueOf } from '../domain-kit.js';
import { cancelOrder, createOrder, openOrders, previewOrder } from './kit.js';

const kit = await openOrders();
afterAll(() => kit.close());

const limit = { type: 'LIMIT' };

/** Whether two amounts are a cent apart at most. */
const isNear = (one: Decimal, other: Decimal | string = '0') => one.minus(other).abs().lessThan('0.01');
const refused = async (trader: TestTrader, input: object) => (await kit.run(trader, createOrder, input)).error;

const eventsOf = (orderId: string) =>
  kit.rows("SELECT topic, payload #>> '{data,status}' AS status FROM shared.outbox WHERE key = $1 ORDER BY id", [
    orderId,
  ]);

// The first: nothing is to be done yet.
test('a domain in which nothing is to be done asks a few questions a second', async () => {
  // Orders and hedges once a second each; custody, the heartbeat and the candles every two to five seconds.
  expect(await countQueries(kit.database.dataSource, () => delay(2_000))).toBeLessThan(40);
});

describe('a market order', () => {
  test('buys at once: what is spent, the fee and what comes in are in the wallet, and nothing stays set aside', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    const order = await kit.place(trader, { amount: '0.05' });
    expect(order).toMatchObject({ status: 'FILLED', filledAmount: '0.05000000', feeCurrency: 'BRL' });
    const { BRL, BTC } = await kit.balances(await walletOf(trader));
    expect(BTC).toMatchObject({ available: '0.05000000', locked: '0.00000000' });
    expect(BRL?.locked).toBe('0.00');
    const spent = new Decimal(order.averagePrice ?? 0).times('0.05').plus(order.fee);
    expect(isNear(new Decimal('100000').minus(spent), BRL?.available)).toBe(true);
  });

  test.each(['IOC', 'FOK'])(
    'by a quote amount (%s) can spend all that the wallet has, the fee within it',
    async (timeInForce) => {
      // The price may move on the way to the venue.
      const { trader, order } = await until('an order at a price that stays', async () => {
        const trader = await kit.trader({ BRL: '5000' });
        const order = await kit.place(trader, { quoteAmount: '5000', timeInForce });
        return order.status !== 'CANCELLED' && { trader, order };
      });
      expect(order).toMatchObject({ status: 'FILLED', amount: null, quoteAmount: '5000.00' });
      const { BRL } = await kit.balances(await walletOf(trader));
      expect(BRL?.locked).toBe('0.00');
      const spent = new Decimal('5000').minus(BRL?.available ?? 0);
      const cost = new Decimal(order.averagePrice ?? 0).times(order.filledAmount).plus(order.fee);
      expect(isNear(cost, spent)).toBe(true);
      expect(spent.greaterThan('4900')).toBe(true);
    },
  );

  test('sells at once for no less than the fee leaves', async () => {
    const trader = await kit.trader({ BTC: '1' });
    const order = await kit.place(trader, { side: 'SELL', amount: '0.4' });
    expect(order.status).toBe('FILLED');
    const { BRL, BTC } = await kit.balances(await walletOf(trader));
    expect(BTC).toMatchObject({ available: '0.60000000', locked: '0.00000000' });
    const value = new Decimal(order.averagePrice ?? 0).times('0.4').minus(order.fee);
    expect(isNear(value, BRL?.available)).toBe(true);
  });

  test('shows how it was executed: books, venues alone, slippage and fills', async () => {
    const trader = await kit.trader();
    const { orderId } = await kit.place(trader, { amount: '0.05001' });
    const { data } = await kit.run(
      trader,
      `query ($id: ID!) { orderExecution(orderId: $id) { mid bound slippagePercent expected { notional fees total } venues { venue usable asks { price amount } alone { total } } children { venue amount } fills { venue price amount } } }`,
      { id: orderId },
    );
    const report = data['orderExecution'] as {
      expected: { notional: string; fees: string; total: string };
      venues: object[];
      fills: { amount: string }[];
    };
    expect(report.venues).toHaveLength(2);
    expect(Decimal.sum(...report.fills.map(({ amount }) => amount)).toFixed()).toBe('0.05001');
    const { notional, fees, total } = report.expected;
    expect(Object.values(report.expected)).toEqual(Array(3).fill(expect.stringMatching(/^\d+\.\d{2}$/)));
    expect(Decimal.sum(notional, fees).toFixed(2)).toBe(total);
  });
});

describe('a limit order', () => {
  test('that crosses is filled at its price or better', async () => {
    const trader = await kit.trader();
    const price = kit.ask('1.01');
    const order = await kit.place(trader, { ...limit, amount: '0.02', price });
    expect(order.status).toBe('FILLED');
    expect(new Decimal(order.averagePrice ?? Infinity).lessThanOrEqualTo(price)).toBe(true);
  });

  test('post-only that would take is rejected; FOK and IOC that find nothing are cancelled', async () => {
    const trader = await kit.trader();
    const buy = { ...limit, amount: '0.02' };
    expect(await kit.place(trader, { ...buy, price: kit.ask('1.01'), postOnly: true })).toMatchObject({
      status: 'REJECTED',
    });
    for (const timeInForce of ['FOK', 'IOC']) {
      const { orderId, status } = await kit.place(trader, { ...buy, price: kit.ask('0.5'), timeInForce });
      expect(status).toBe('CANCELLED');
      expect(await kit.rows('SELECT topic FROM shared.outbox WHERE key = $1', [orderId])).toEqual([
        { topic: 'order.cancelled' },
      ]);
    }
    expect((await kit.balances(await walletOf(trader)))['BRL']?.locked).toBe('0.00');
  });

  test('with an end expires then, and gives its funds back', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    const expiresAt = new Date(Date.now() + 5_000).toISOString();
    const input = { ...limit, amount: '0.1', price: kit.ask('0.5'), timeInForce: 'GTD', expiresAt };
    const { orderId } = await kit.place(trader, input);
    await kit.untilOver(orderId);
    expect(await eventsOf(orderId)).toEqual([{ topic: 'order.cancelled', status: 'EXPIRED' }]);
    expect((await kit.balances(await walletOf(trader)))['BRL']).toMatchObject({ available: '100000.00' });
  });
});

describe('the volume of a day', () => {
  /** As much as an order of 0.025 BTC at the best ask. */
  const some = () => kit.ask('0.025');

  test('is not passed by twenty market orders at once', async () => {
    const trader = await kit.trader({ BRL: '1000000' }, { terms: { maxDailyVolume: some() } });
    const input = { amount: '0.01' };
    const results = await Promise.all(Array.from({ length: 20 }, () => kit.run(trader, createOrder, input)));
    const placed = results.filter(({ error }) => error === undefined).map(({ data }) => data['createOrder']);
    // One that found nothing (the price moves) gives its volume back, to whoever comes after it.
    const filled = (placed as { status: string }[]).filter(({ status }) => status === 'FILLED');
    expect(placed.length).toBeGreaterThanOrEqual(2);
    expect(filled.length).toBeLessThanOrEqual(2);
    for (const { error } of results) if (error) expect(error).toMatchObject({ statusCode: 422 });
  });

  test('counts orders that rest, those of days before too, until they are cancelled', async () => {
    const trader = await kit.trader({ BRL: '1000000' }, { terms: { maxDailyVolume: some() } });
    const input = { ...limit, amount: '0.04', price: kit.ask('0.5') };
    const { orderId } = await kit.place(trader, input);
    await kit.rows(`UPDATE trading.orders SET created_at = created_at - interval '2 days' WHERE id = $1`, [orderId]);
    expect(await refused(trader, input)).toMatchObject({ statusCode: 422 });
    await kit.run(trader, cancelOrder, { orderId });
    await kit.place(trader, input);
  });
});

describe('the dead-man timer', () => {
  const after = (trader: TestTrader, seconds: number) => {
    const text = 'mutation ($seconds: Int!) { cancelAllAfter(seconds: $seconds) }';
    return valueOf<string | null>(kit.run(trader, text, { seconds }));
  };
  const timers = async (trader: TestTrader) =>
    kit.rows('SELECT FROM trading.cancel_timers WHERE wallet_id = $1', [(await walletOf(trader)).id]);
  const open = (trader: TestTrader) =>
    kit.rows('SELECT FROM trading.orders WHERE company_id = $1 AND closed_at IS NULL', [trader.companyId]);
  const fire = async (trader: TestTrader) => {
    const { id } = await walletOf(trader);
    await kit.rows(
      "UPDATE trading.cancel_timers SET fires_at = date_trunc('milliseconds', now()) WHERE wallet_id = $1",
      [id],
    );
    await until('the timer to fire', async () => (await timers(trader)).length === 0);
  };
  const resting = { ...limit, amount: '0.01' };

  test('cancels all open orders of its wallet when it is up, those of no other, and is gone', async () => {
    const [silent, other] = [await kit.trader({ BRL: '100000' }), await kit.trader({ BRL: '100000' })];
    for (const trader of [silent, silent, other]) await kit.place(trader, { ...resting, price: kit.ask('0.5') });
    expect(new Date((await after(silent, 60)) ?? 0).getTime()).toBeGreaterThan(Date.now() + 50_000);
    expect(await open(silent)).toHaveLength(2);
    await fire(silent);
    await until('the open orders to be cancelled', async () => (await open(silent)).length === 0);
    expect(await open(other)).toHaveLength(1);
    expect((await kit.balances(await walletOf(silent)))['BRL']).toMatchObject({
      available: '100000.00',
      locked: '0.00',
    });
  });

  test('is set anew, is taken away by 0, and takes no time beyond its bounds', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    const first = await after(trader, 60);
    const second = await after(trader, 3_600);
    expect(new Date(second ?? 0).getTime()).toBeGreaterThan(new Date(first ?? 0).getTime());
    expect(await timers(trader)).toHaveLength(1);
    expect(await after(trader, 0)).toBeNull();
    expect(await timers(trader)).toHaveLength(0);
    expect(await statusOf(kit.run(trader, 'mutation { cancelAllAfter(seconds: 86401) }'))).toBe(400);
  });

  test('requests the end of more orders than one step takes', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    const { id } = await walletOf(trader);
    await after(trader, 3_600);
    await kit.rows(
      `INSERT INTO trading.orders (id, company_id, wallet_id, synthetic, symbol, base, quote, side, type, time_in_force, post_only, amount,
         price, status, maker_fee, taker_fee, created_at)
       SELECT gen_random_uuid(), $1, $2, false, 'BTC/BRL', 'BTC', 'BRL', 'BUY', 'LIMIT', 'GTC', false, 1, 1, 'PENDING', 0, 0, now()
       FROM generate_series(1, 501)`,
      [trader.companyId, id],
    );
    await fire(trader);
    const left = 'SELECT FROM trading.orders WHERE company_id = $1 AND cancel_requested_at IS NULL';
    expect(await kit.rows(left, [trader.companyId])).toEqual([]);
  });
});

describe('what is wrong with an order', () => {
  test.each([
    ['both amounts', { amount: '1', quoteAmount: '1' }, 'amount', 'send only one of amount and quoteAmount'],
    ['no amount', {}, 'amount', 'send amount or quoteAmount'],
    ['a sell by quote amount', { side: 'SELL', quoteAmount: '10' }, 'quoteAmount', 'is for a BUY: a SELL takes amount'],
    ['a limit order without a price', { ...limit, amount: '1' }, 'price'],
    ['excess precision', { amount: '0.000001' }, 'amount'],
    ['a market order that waits', { amount: '1', timeInForce: 'GTC' }, 'timeInForce'],
    ['GTD without an end', { ...limit, amount: '1', price: '10', timeInForce: 'GTD' }, 'expiresAt'],
    ['a bad client order id', { amount: '1', clientOrderId: 'a b' }, 'clientOrderId'],
  ])('%s: 400 that names it', async (_what, input, path, message = expect.any(String) as unknown) => {
    const trader = await kit.trader({});
    expect(await refused(trader, input)).toMatchObject({
      statusCode: 400,
      details: expect.arrayContaining([expect.objectContaining({ path, message })]) as unknown,
    });
  });

  test('what is well formed and means nothing: 422 that names all of it, once nothing else is wrong', async () => {
    const trader = await kit.trader({});
    const end = { timeInForce: 'GTD', expiresAt: '2020-01-01T00:00:00Z' };
    const input = { ...limit, amount: '0.00', price: '-1.5', ...end };
    expect(await refused(trader, input)).toMatchObject({
      statusCode: 422,
      details: [{ path: 'amount' }, { path: 'price' }, { path: 'expiresAt' }],
    });
    expect(await refused(trader, { ...input, quoteAmount: '1' })).toMatchObject({
      statusCode: 400,
      details: [{ path: 'amount' }],
    });
  });
});

test('what the router saw of a refused order is kept for 30 days, and of one that left for as long as the order', async () => {
  const trader = await kit.trader();
  const wish = { amount: '0.01' };
  const placed = [
    await kit.place(trader, wish),
    await kit.place(trader, { ...wish, type: 'LIMIT', price: '10000000.00', postOnly: true }),
  ].map(({ orderId }) => orderId);
  const job = kit.trading.jobs.find(({ name }) => name === 'trading.order-retention');
  const seen = async (days: number) => {
    const clock = { now: () => new Date(Date.now() + days * 86_400_000) };
    await job?.run({ ...kit.context, clock });
    const text = 'query ($id: ID!) { orderExecution(orderId: $id) { venues { venue } } }';
    const reports = await Promise.all(placed.map((id) => valueOf<{ venues: object[] }>(kit.run(trader, text, { id }))));
    return reports.map(({ venues }) => venues.length);
  };
  expect(await seen(29)).toEqual([2, 2]);
  expect(await seen(31)).toEqual([2, 0]);
});

test('webhooks carry whose order it is, and by which id of the caller', async () => {
  const trader = await kit.trader();
  const { id: profileId } = await newProfile(trader);
  const { id: walletId } = await walletOf(trader, profileId);
  await kit.fund(walletId, { BRL: '10000' });
  const { orderId } = await kit.place(trader, { amount: '0.001', profileId, clientOrderId: 'mine' });
  const own = await kit.place(trader, { amount: '0.001' });
  const told = async (id: string) =>
    (await kit.rows<{ data: object }>(`SELECT payload->'data' AS data FROM shared.outbox WHERE key = $1`, [id])).map(
      (row) => row.data,
    );
  expect(await told(orderId)).toMatchObject([{ orderId, profileId, clientOrderId: 'mine' }]);
  const [of] = await told(own.orderId);
  expect(of).toMatchObject({ orderId: own.orderId });
  expect(of).not.toHaveProperty('profileId');
});

test('twenty orders at once spend one balance once', async () => {
  const trader = await kit.trader({ BRL: '30000' });
  const price = kit.ask();
  const amount = new Decimal('9000').dividedBy(price).toDecimalPlaces(4, Decimal.ROUND_DOWN).toFixed();
  const placed = await Promise.all(Array.from({ length: 20 }, () => kit.run(trader, createOrder, { amount })));
  // One that meets a price that has just moved is cancelled, and gives its funds back.
  const filled = placed.filter(({ data }) => (data['createOrder'] as { status: string } | null)?.status === 'FILLED');
  expect([1, 2, 3]).toContain(filled.length);
  const { BRL } = await kit.balances(await walletOf(trader));
  expect(new Decimal(BRL?.available ?? -1).greaterThanOrEqualTo(0)).toBe(true);
  expect(BRL?.locked).toBe('0.00');
});

test('the markets name the fees of the company that asks, by which an order is charged', async () => {
  const trader = await kit.trader({ BRL: '1000000' }, { terms: { makerFee: '0.10', takerFee: '0.125' } });
  const { data } = await kit.run(trader, '{ markets { symbol makerFeePercent takerFeePercent } }');
  const [market] = data['markets'] as object[];
  expect(market).toEqual({ symbol: 'BTC/BRL', makerFeePercent: '0.1', takerFeePercent: '0.125' });
  const order = await kit.place(trader, { amount: '0.05' });
  const fee = new Decimal(order.averagePrice ?? 0).times(order.filledAmount).times('0.00125');
  expect(isNear(fee, order.fee)).toBe(true);
});

interface Preview {
  readonly refused: string | null;
  readonly amount: string;
  readonly notional: string;
  readonly averagePrice: string | null;
  readonly worstPrice: string | null;
  readonly fee: string;
  readonly hold: { readonly currency: string; readonly amount: string } | null;
}

const previewed = (trader: TestTrader, input: object) => valueOf<Preview>(kit.run(trader, previewOrder, input));
/** A price that nobody offers now, or that somebody does. */
const price = (factor: string) => new Decimal(kit.ask(factor)).toDecimalPlaces(0).toFixed();

test('a preview names what an order then sets aside, and writes nothing', async () => {
  const trader = await kit.trader();
  const resting = { type: 'LIMIT', amount: '0.01', price: price('0.5') };
  const { hold, ...shown } = await previewed(trader, resting);
  const nothing = { refused: null, amount: '0.00000000', averagePrice: null, fee: '0.00' };
  expect(shown).toMatchObject({ ...nothing, worstPrice: `${resting.price}.00` });
  expect(await kit.rows('SELECT FROM trading.orders WHERE wallet_id = $1', [(await walletOf(trader)).id])).toEqual([]);
  await kit.place(trader, resting);
  const { BRL: held } = await kit.balances(await walletOf(trader));
  expect(new Decimal(hold?.amount ?? 0).equals(held?.locked ?? -1)).toBe(true);
  expect(hold?.currency).toBe('BRL');
});

test('a market order is priced by the present books, no part of it worse than its worst price', async () => {
  const trader = await kit.trader();
  for (const side of ['BUY', 'SELL'] as const) {
    const priced = await previewed(trader, { side, amount: '0.01234' });
    const { amount, notional, averagePrice, worstPrice, fee, hold } = priced;
    expect(amount).toBe('0.01234000');
    // As the order then pays them.
    expect([notional, fee]).toEqual([expect.stringMatching(/^\d+\.\d{2}$/), expect.stringMatching(/^\d+\.\d{2}$/)]);
    const [average, worst] = [new Decimal(averagePrice ?? 0), new Decimal(worstPrice ?? 0)];
    expect(side === 'BUY' ? average.lessThanOrEqualTo(worst) : average.greaterThanOrEqualTo(worst)).toBe(true);
    expect(new Decimal(fee).lessThan(new Decimal(notional).times('0.05'))).toBe(true);
    expect(hold?.currency).toBe(side === 'BUY' ? 'BRL' : 'BTC');
  }
});

test('what an order would end with at once is told, and what its input breaks is an error as in an order', async () => {
  const trader = await kit.trader();
  const all = { type: 'LIMIT', amount: '0.01', price: price('0.5'), timeInForce: 'FOK' };
  expect(await previewed(trader, all)).toMatchObject({ refused: expect.any(String), hold: null, worstPrice: null });
  for (const wrong of [
    { type: 'LIMIT', amount: '0.01' },
    { amount: '0' },
    { side: 'SELL', quoteAmount: '10.00' },
    { amount: '0.0000000001' },
  ]) {
    const told = async (document: string) => (await kit.run(trader, document, wrong)).error;
    const { code, details } = (await told(createOrder)) ?? {};
    expect(await told(previewOrder)).toMatchObject({ code, ...(details === undefined ? {} : { details }) });
  }
});
/** What the house has at its simulated exchanges is between the second and the third. */
const sizes = ['0.5', '50', '5000', '999999', '999999999999999'];

function ordersOf(amount: string): object[] {
  const limits = ['0.5', '1', '1.5'].flatMap((factor) => [
    ...['GTC', 'IOC', 'FOK'].map((timeInForce) => ({ timeInForce, price: price(factor) })),
    { timeInForce: 'GTD', expiresAt: new Date(Date.now() + 86_400_000).toISOString(), price: price(factor) },
  ]);
  const all = [
    ...limits.map((one) => ({ type: 'LIMIT', ...one })),
    { type: 'MARKET' },
    { type: 'MARKET', timeInForce: 'FOK' },
  ];
  return all.flatMap((one) => [
    { ...one, side: 'BUY', amount },
    { ...one, side: 'SELL', amount },
    { ...one, side: 'BUY', quoteAmount: new Decimal(amount).times(1_000).toFixed() },
  ]);
}

describe('an order beyond what the wallet can pay', () => {
  test('gets one and the same refusal at any size, of every kind, and so does its preview', async () => {
    const trader = await kit.trader({ BRL: '200', BTC: '0.001' });
    const tooLow = await refused(trader, ordersOf('0.5')[0] ?? {});
    expect(tooLow?.catalogue).toBe('CAAS_ORD_001');
    for (const order of sizes.flatMap(ordersOf)) {
      for (const document of [createOrder, previewOrder])
        expect({ order, refusal: (await kit.run(trader, document, order)).error }).toEqual({ order, refusal: tooLow });
    }
    expect(await kit.rows('SELECT FROM trading.orders WHERE company_id = $1', [trader.companyId])).toEqual([]);
  });

  test('is refused for a client order id that was used as one within the funds of the house would be', async () => {
    const trader = await kit.trader({ BRL: '1000' });
    const resting = { type: 'LIMIT', price: price('0.5'), clientOrderId: 'once' };
    await kit.run(trader, createOrder, { ...resting, amount: '0.0001' });
    for (const amount of sizes)
      expect(await refused(trader, { ...resting, amount })).toMatchObject({ statusCode: 409 });
  });

  test('is refused by an agreed limit as one within the funds of the house would be', async () => {
    const trader = await kit.trader({ BRL: '1000' }, { terms: { maxOrderValue: '500' } });
    const [first, ...others] = await Promise.all(
      sizes.map((amount) => refused(trader, { type: 'LIMIT', price: price('0.5'), amount })),
    );
    expect(first).toMatchObject({ statusCode: 422 });
    for (const other of others) expect(other).toEqual(first);
    const previews = sizes.map((amount) =>
      kit.run(trader, previewOrder, { type: 'LIMIT', price: price('0.5'), amount }),
    );
    for (const { error } of await Promise.all(previews)) expect(error).toEqual(first);
  });
});

test('what the wallet can pay and the house cannot execute is a market that is not available', async () => {
  const trader = await kit.trader({ BTC: '5000000' });
  const order = { side: 'SELL', type: 'LIMIT', price: price('1.5'), amount: '4000000' };
  for (const document of [createOrder, previewOrder])
    expect((await kit.run(trader, document, order)).error).toMatchObject({ catalogue: 'CAAS_ORD_002' });
});
