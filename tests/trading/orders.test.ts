import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { postJournals } from '../../subgraphs/trading/ledger/post-journals.js';
import { until } from '../kit/until.js';
import { newProfile, walletOf, type TestTrader } from './kit.js';
import { openOrders, type OrdersKit } from './orders-kit.js';

let kit: OrdersKit;

beforeAll(async () => {
  kit = await openOrders();
});
afterAll(() => kit.close());

const fields =
  'orderId clientOrderId symbol side type timeInForce postOnly status reason amount quoteAmount price filledAmount averagePrice fee feeCurrency createdAt filledAt';
const create = `mutation ($symbol: String!, $side: OrderSide!, $type: OrderType!, $amount: Decimal, $quoteAmount: Decimal, $price: Decimal,
    $clientOrderId: String, $timeInForce: TimeInForce, $postOnly: Boolean, $expiresAt: DateTime, $synthetic: Boolean) {
  createOrder(symbol: $symbol, side: $side, type: $type, amount: $amount, quoteAmount: $quoteAmount, price: $price,
    clientOrderId: $clientOrderId, timeInForce: $timeInForce, postOnly: $postOnly, expiresAt: $expiresAt, synthetic: $synthetic) { ${fields} }
}`;
const cancel = `mutation ($orderId: ID!) { cancelOrder(orderId: $orderId) { ${fields} } }`;

interface OrderView {
  readonly orderId: string;
  readonly status: string;
  readonly filledAmount: string;
  readonly averagePrice: string | null;
  readonly fee: string;
  readonly amount: string | null;
  readonly reason: string | null;
}

const market = { symbol: 'BTC/BRL', type: 'MARKET' };
const limit = { symbol: 'BTC/BRL', type: 'LIMIT' };

async function place(trader: TestTrader, input: Record<string, unknown>): Promise<OrderView> {
  const { data, errors } = await kit.run(trader, create, input);
  expect(errors).toBeUndefined();
  return data?.['createOrder'] as OrderView;
}

/** Places a market order. */
function trade(trader: TestTrader, input: Record<string, unknown>): Promise<OrderView> {
  return place(trader, { ...market, ...input });
}

async function refused(trader: TestTrader, input: Record<string, unknown>) {
  const { errors } = await kit.run(trader, create, input);
  return errors?.[0]?.extensions;
}

/** The best ask of the consolidated book. */
function ask(): Decimal {
  const { ask: best } = kit.trading.markets.data.ticker(false, 'BTC/BRL');
  if (best === undefined) throw new Error('Nobody offers anything');
  return best;
}

const far = (factor: string) => ask().times(factor).toDecimalPlaces(2).toFixed();

/** The webhook events of an order. */
const eventsOf = (orderId: string) =>
  kit.rows("SELECT topic, payload #>> '{data,status}' AS status FROM shared.outbox WHERE key = $1 ORDER BY id", [
    orderId,
  ]);

describe('a market order', () => {
  test('buys at once: what is spent, the fee and what comes in are in the wallet, and nothing stays set aside', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    const order = await trade(trader, { side: 'BUY', amount: '0.05' });
    expect(order).toMatchObject({ status: 'FILLED', filledAmount: '0.05000000', feeCurrency: 'BRL' });
    const { BRL, BTC } = await kit.balances(await walletOf(trader));
    expect(BTC).toMatchObject({ available: '0.05000000', locked: '0.00000000' });
    expect(BRL?.locked).toBe('0.00');
    const spent = new Decimal(order.averagePrice ?? 0).times('0.05').plus(order.fee);
    expect(
      new Decimal('100000')
        .minus(spent)
        .minus(BRL?.available ?? 0)
        .abs()
        .lessThan('0.01'),
    ).toBe(true);
  });

  test.each(['IOC', 'FOK'])(
    'by a quote amount (%s) can spend all that the wallet has, the fee within it',
    async (timeInForce) => {
      const trader = await kit.trader({ BRL: '5000' });
      const order = await trade(trader, { side: 'BUY', quoteAmount: '5000', timeInForce });
      expect(order).toMatchObject({ status: 'FILLED', amount: null, quoteAmount: '5000.00' });
      const { BRL } = await kit.balances(await walletOf(trader));
      expect(BRL?.locked).toBe('0.00');
      const spent = new Decimal('5000').minus(BRL?.available ?? 0);
      expect(
        new Decimal(order.averagePrice ?? 0)
          .times(order.filledAmount)
          .plus(order.fee)
          .minus(spent)
          .abs()
          .lessThan('0.01'),
      ).toBe(true);
      expect(spent.greaterThan('4900')).toBe(true);
    },
  );

  test('sells at once for no less than the fee leaves', async () => {
    const trader = await kit.trader({ BTC: '1' });
    const order = await trade(trader, { side: 'SELL', amount: '0.4' });
    expect(order.status).toBe('FILLED');
    const { BRL, BTC } = await kit.balances(await walletOf(trader));
    expect(BTC).toMatchObject({ available: '0.60000000', locked: '0.00000000' });
    const value = new Decimal(order.averagePrice ?? 0).times('0.4').minus(order.fee);
    expect(
      value
        .minus(BRL?.available ?? 0)
        .abs()
        .lessThan('0.01'),
    ).toBe(true);
  });

  test('that the wallet cannot pay is refused with CAAS_ORD_001, and leaves nothing', async () => {
    const trader = await kit.trader({ BRL: '10' });
    expect(await refused(trader, { ...market, side: 'BUY', amount: '0.05' })).toMatchObject({
      statusCode: 400,
      catalogue: 'CAAS_ORD_001',
    });
    expect(await kit.rows('SELECT FROM trading.orders WHERE company_id = $1', [trader.companyId])).toEqual([]);
  });

  test('shows how it was executed: books, venues alone, slippage and fills', async () => {
    const trader = await kit.trader();
    const { orderId } = await trade(trader, { side: 'BUY', amount: '0.05' });
    const { data } = await kit.run(
      trader,
      `query ($id: ID!) { orderExecution(orderId: $id) { mid bound slippagePercent expected { amount total } venues { venue usable asks { price amount } alone { total } } children { venue amount } fills { venue price amount } } }`,
      { id: orderId },
    );
    const report = data?.['orderExecution'] as { venues: object[]; fills: { amount: string }[] };
    expect(report.venues).toHaveLength(2);
    expect(Decimal.sum(...report.fills.map(({ amount }) => amount)).toFixed()).toBe('0.05');
  });
});

describe('a limit order', () => {
  test('that does not cross waits with its funds set aside, and gives them back when it is cancelled', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    const { orderId, status } = await place(trader, { ...limit, side: 'BUY', amount: '0.1', price: far('0.5') });
    expect(status).toBe('PENDING');
    const wallet = await walletOf(trader);
    expect(new Decimal((await kit.balances(wallet))['BRL']?.locked ?? 0).greaterThan(0)).toBe(true);
    const { data } = await kit.run(trader, cancel, { orderId });
    expect(data?.['cancelOrder']).toMatchObject({ status: 'CANCELLED', filledAmount: '0.00000000' });
    expect((await kit.balances(wallet))['BRL']).toMatchObject({ available: '100000.00', locked: '0.00' });
    const again = await kit.run(trader, cancel, { orderId });
    expect(again.errors?.[0]?.extensions).toMatchObject({ statusCode: 409 });
  });

  test('that crosses is filled at its price or better', async () => {
    const trader = await kit.trader();
    const price = far('1.01');
    const order = await place(trader, { ...limit, side: 'BUY', amount: '0.02', price });
    expect(order.status).toBe('FILLED');
    expect(new Decimal(order.averagePrice ?? Infinity).lessThanOrEqualTo(price)).toBe(true);
  });

  test('post-only that would take is rejected; FOK and IOC that find nothing are cancelled', async () => {
    const trader = await kit.trader();
    const buy = { ...limit, side: 'BUY', amount: '0.02' };
    expect(await place(trader, { ...buy, price: far('1.01'), postOnly: true })).toMatchObject({ status: 'REJECTED' });
    for (const timeInForce of ['FOK', 'IOC']) {
      const { orderId, status } = await place(trader, { ...buy, price: far('0.5'), timeInForce });
      expect(status).toBe('CANCELLED');
      expect(await kit.rows('SELECT topic FROM shared.outbox WHERE key = $1', [orderId])).toEqual([
        { topic: 'order.cancelled' },
      ]);
    }
    expect((await kit.balances(await walletOf(trader)))['BRL']?.locked).toBe('0.00');
  });

  test('with an end expires then, and gives its funds back', async () => {
    const trader = await kit.trader({ BRL: '100000' });
    const expiresAt = new Date(Date.now() + 1_000).toISOString();
    const input = { ...limit, side: 'BUY', amount: '0.1', price: far('0.5'), timeInForce: 'GTD', expiresAt };
    const { orderId } = await place(trader, input);
    const status = async () =>
      (await kit.rows<{ status: string }>('SELECT status FROM trading.orders WHERE id = $1', [orderId]))[0]?.status;
    await until('the order to expire', async () => (await status()) !== 'PENDING');
    expect(await status()).toBe('EXPIRED');
    expect(await eventsOf(orderId)).toEqual([{ topic: 'order.cancelled', status: 'EXPIRED' }]);
    expect((await kit.balances(await walletOf(trader)))['BRL']).toMatchObject({ available: '100000.00' });
  });
});

describe('the volume of a day', () => {
  /** As much as an order of 0.025 BTC at the best ask. */
  const some = () => ask().times('0.025').toDecimalPlaces(2).toFixed();

  test('is not passed by twenty market orders at once', async () => {
    const trader = await kit.trader({ BRL: '1000000' }, { terms: { maxDailyVolume: some() } });
    const input = { ...market, side: 'BUY', amount: '0.01' };
    const results = await Promise.all(Array.from({ length: 20 }, () => kit.run(trader, create, input)));
    const placed = results.filter(({ errors }) => errors === undefined).map(({ data }) => data?.['createOrder']);
    // One that found nothing (the price moves) gives its volume back, to whoever comes after it.
    const filled = (placed as { status: string }[]).filter(({ status }) => status === 'FILLED');
    expect(placed.length).toBeGreaterThanOrEqual(2);
    expect(filled.length).toBeLessThanOrEqual(2);
    for (const { errors } of results) if (errors) expect(errors[0]?.extensions).toMatchObject({ statusCode: 422 });
  });

  test('counts orders that rest, those of days before too, until they are cancelled', async () => {
    const trader = await kit.trader({ BRL: '1000000' }, { terms: { maxDailyVolume: some() } });
    const input = { ...limit, side: 'BUY', amount: '0.04', price: far('0.5') };
    const { orderId } = await place(trader, input);
    await kit.rows(`UPDATE trading.orders SET created_at = created_at - interval '2 days' WHERE id = $1`, [orderId]);
    expect(await refused(trader, input)).toMatchObject({ statusCode: 422 });
    await kit.run(trader, cancel, { orderId });
    await place(trader, input);
  });
});

describe('the dead-man timer', () => {
  const after = async (trader: TestTrader, seconds: number) => {
    const text = 'mutation ($seconds: Int!) { cancelAllAfter(seconds: $seconds) }';
    const { data, errors } = await kit.run(trader, text, { seconds });
    expect(errors).toBeUndefined();
    return data?.['cancelAllAfter'] as string | null;
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
  const resting = { ...limit, side: 'BUY', amount: '0.01' };

  test('cancels all open orders of its wallet when it is up, those of no other, and is gone', async () => {
    const [silent, other] = [await kit.trader({ BRL: '100000' }), await kit.trader({ BRL: '100000' })];
    for (const trader of [silent, silent, other]) await place(trader, { ...resting, price: far('0.5') });
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
    const { errors } = await kit.run(trader, 'mutation { cancelAllAfter(seconds: 86401) }');
    expect(errors?.[0]?.extensions).toMatchObject({ statusCode: 400 });
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
    [
      'both amounts',
      { ...market, side: 'BUY', amount: '1', quoteAmount: '1' },
      'amount',
      'send only one of amount and quoteAmount',
    ],
    ['no amount', { ...market, side: 'BUY' }, 'amount', 'send amount or quoteAmount'],
    [
      'a sell by quote amount',
      { ...market, side: 'SELL', quoteAmount: '10' },
      'quoteAmount',
      'is for a BUY: a SELL takes amount',
    ],
    ['a limit order without a price', { ...limit, side: 'BUY', amount: '1' }, 'price'],
    ['excess precision', { ...market, side: 'BUY', amount: '0.000001' }, 'amount'],
    ['a market order that waits', { ...market, side: 'BUY', amount: '1', timeInForce: 'GTC' }, 'timeInForce'],
    ['GTD without an end', { ...limit, side: 'BUY', amount: '1', price: '10', timeInForce: 'GTD' }, 'expiresAt'],
    ['a bad client order id', { ...market, side: 'BUY', amount: '1', clientOrderId: 'a b' }, 'clientOrderId'],
  ])('%s: 400 that names it', async (_what, input, path, message = expect.any(String) as unknown) => {
    const trader = await kit.trader({});
    expect(await refused(trader, input)).toMatchObject({
      statusCode: 400,
      details: expect.arrayContaining([expect.objectContaining({ path, message })]) as unknown,
    });
  });

  test('what is well formed and means nothing: 422 that names all of it, once nothing else is wrong', async () => {
    const trader = await kit.trader({});
    const input = {
      ...limit,
      side: 'BUY',
      amount: '0.00',
      price: '-1.5',
      timeInForce: 'GTD',
      expiresAt: '2020-01-01T00:00:00Z',
    };
    expect(await refused(trader, input)).toMatchObject({
      statusCode: 422,
      details: [{ path: 'amount' }, { path: 'price' }, { path: 'expiresAt' }],
    });
    expect(await refused(trader, { ...input, quoteAmount: '1' })).toMatchObject({
      statusCode: 400,
      details: [{ path: 'amount' }],
    });
  });

  test('a market that is none is CAAS_ORD_002, less than its minimum CAAS_ORD_003', async () => {
    const trader = await kit.trader();
    expect(await refused(trader, { symbol: 'DOGE/BRL', type: 'MARKET', side: 'BUY', amount: '1' })).toMatchObject({
      catalogue: 'CAAS_ORD_002',
    });
    expect(await refused(trader, { ...market, side: 'BUY', amount: '0.00001' })).toMatchObject({
      catalogue: 'CAAS_ORD_003',
    });
  });

  test('a client order id is good once in a wallet', async () => {
    const trader = await kit.trader();
    await place(trader, { ...market, side: 'BUY', amount: '0.01', clientOrderId: 'once' });
    expect(await refused(trader, { ...market, side: 'BUY', amount: '0.01', clientOrderId: 'once' })).toMatchObject({
      statusCode: 409,
    });
  });
});

test('what the router saw of a refused order is kept for 30 days, and of one that left for as long as the order', async () => {
  const trader = await kit.trader();
  const wish = { ...market, side: 'BUY', amount: '0.01' };
  const placed = [
    await place(trader, wish),
    await place(trader, { ...wish, type: 'LIMIT', price: '10000000.00', postOnly: true }),
  ].map(({ orderId }) => orderId);
  const job = kit.trading.jobs.find(({ name }) => name === 'trading.order-retention');
  const seen = async (days: number) => {
    const clock = { now: () => new Date(Date.now() + days * 86_400_000) };
    await job?.run({ ...kit.context, clock });
    const reports = await Promise.all(
      placed.map((id) =>
        kit.run(trader, 'query ($id: ID!) { orderExecution(orderId: $id) { venues { venue } } }', { id }),
      ),
    );
    return reports.map(({ data }) => (data?.['orderExecution'] as { venues: object[] }).venues.length);
  };
  expect(await seen(29)).toEqual([2, 2]);
  expect(await seen(31)).toEqual([2, 0]);
});

test('webhooks carry whose order it is, and by which id of the caller', async () => {
  const trader = await kit.trader();
  const { id: profileId } = await newProfile(trader);
  const { id: walletId } = await walletOf(trader, profileId);
  const postings = [
    { account: { kind: 'AVAILABLE', walletId, currency: 'BRL' } as const, amount: '10000' },
    { account: { kind: 'CUSTODY', currency: 'BRL' } as const, amount: '-10000' },
  ];
  const journal = { key: `test:${walletId}`, cause: 'test', causeId: walletId, synthetic: false, postings };
  await inTransaction(kit.context, (tx) => postJournals(tx, [journal]));
  const text = `mutation ($profileId: ID) {
    createOrder(symbol: "BTC/BRL", side: BUY, type: MARKET, amount: "0.001", profileId: $profileId, clientOrderId: "mine") { orderId } }`;
  const { data } = await kit.run(trader, text, { profileId });
  const { orderId } = data?.['createOrder'] as OrderView;
  const own = await place(trader, { ...market, side: 'BUY', amount: '0.001' });
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
  const price = ask();
  const amount = new Decimal('9000').dividedBy(price).toDecimalPlaces(4, Decimal.ROUND_DOWN).toFixed();
  const placed = await Promise.all(
    Array.from({ length: 20 }, () => kit.run(trader, create, { ...market, side: 'BUY', amount })),
  );
  // One that meets a price that has just moved is cancelled, and gives its funds back.
  const filled = placed.filter(({ data }) => (data?.['createOrder'] as { status: string } | null)?.status === 'FILLED');
  expect([1, 2, 3]).toContain(filled.length);
  const { BRL } = await kit.balances(await walletOf(trader));
  expect(new Decimal(BRL?.available ?? -1).greaterThanOrEqualTo(0)).toBe(true);
  expect(BRL?.locked).toBe('0.00');
});

test('synthetic orders use synthetic funds, and no list shows both', async () => {
  const trader = await kit.trader({ BRL: '1000' });
  const synthetic = await place(trader, { ...market, side: 'BUY', amount: '0.01', synthetic: true });
  expect(synthetic.status).toBe('FILLED');
  const list = async (world: boolean) =>
    (await kit.run(trader, 'query ($s: Boolean) { fetchOrders(synthetic: $s) { orders { orderId } } }', { s: world }))
      .data;
  expect(await list(false)).toEqual({ fetchOrders: { orders: [] } });
  expect(await list(true)).toEqual({ fetchOrders: { orders: [{ orderId: synthetic.orderId }] } });
  expect((await kit.balances(await walletOf(trader)))['BRL']).toMatchObject({ total: '1000.00' });
  const other = await kit.trader();
  const seen = await kit.run(other, `query ($id: ID!) { fetchOrder(orderId: $id, synthetic: true) { orderId } }`, {
    id: synthetic.orderId,
  });
  expect(seen.errors?.[0]?.extensions).toMatchObject({ statusCode: 404 });
});

test('the markets name the fees of the company that asks, by which an order is charged', async () => {
  const trader = await kit.trader({ BRL: '1000000' }, { terms: { makerFee: '0.10', takerFee: '0.125' } });
  const { data } = await kit.run(trader, '{ markets { symbol makerFeePercent takerFeePercent } }');
  const [market] = data?.['markets'] as object[];
  expect(market).toEqual({ symbol: 'BTC/BRL', makerFeePercent: '0.1', takerFeePercent: '0.125' });
  const order = await trade(trader, { side: 'BUY', amount: '0.05' });
  const fee = new Decimal(order.averagePrice ?? 0).times(order.filledAmount).times('0.00125');
  expect(fee.minus(order.fee).abs().lessThan('0.01')).toBe(true);
});
