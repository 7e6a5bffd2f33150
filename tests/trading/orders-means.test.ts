import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Decimal } from '../../shared/kernel/decimal.js';
import type { TestTrader } from './kit.js';
import { openOrders, type OrdersKit } from './orders-kit.js';

let kit: OrdersKit;

beforeAll(async () => {
  kit = await openOrders();
});
afterAll(() => kit.close());

const variables =
  '($side: OrderSide!, $type: OrderType!, $amount: Decimal, $quoteAmount: Decimal, $price: Decimal, $timeInForce: TimeInForce, $expiresAt: DateTime, $clientOrderId: String)';
const passed =
  'symbol: "BTC/BRL", side: $side, type: $type, amount: $amount, quoteAmount: $quoteAmount, price: $price, timeInForce: $timeInForce, expiresAt: $expiresAt, clientOrderId: $clientOrderId';
const create = `mutation ${variables} { createOrder(${passed}) { orderId status } }`;
const preview = `query ${variables} { previewOrder(${passed}) { refused hold { currency amount } } }`;

interface Refusal {
  readonly catalogue?: string;
  readonly message?: string;
}

async function refusal(trader: TestTrader, document: string, input: object): Promise<Refusal> {
  const { errors } = await kit.run(trader, document, { ...input });
  const [error] = errors ?? [];
  return { ...(error?.extensions as Refusal | undefined), ...(error && { message: error.message }) };
}

function ask(): Decimal {
  const { ask: best } = kit.trading.markets.data.ticker(false, 'BTC/BRL');
  if (best === undefined) throw new Error('Nobody offers anything');
  return best;
}

const price = (factor: string) => ask().times(factor).toDecimalPlaces(0).toFixed();
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();
/** What the house has at its simulated exchanges is between the second and the third. */
const sizes = ['0.5', '50', '5000', '999999', '999999999999999'];

function ordersOf(amount: string): object[] {
  const limits = ['0.5', '1', '1.5'].flatMap((factor) => [
    ...['GTC', 'IOC', 'FOK'].map((timeInForce) => ({ timeInForce, price: price(factor) })),
    { timeInForce: 'GTD', expiresAt: tomorrow(), price: price(factor) },
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
    const tooLow = await refusal(trader, create, ordersOf('0.5')[0] ?? {});
    expect(tooLow.catalogue).toBe('CAAS_ORD_001');
    for (const order of sizes.flatMap(ordersOf)) {
      for (const document of [create, preview])
        expect({ order, refusal: await refusal(trader, document, order) }).toEqual({ order, refusal: tooLow });
    }
    expect(await kit.rows('SELECT FROM trading.orders WHERE company_id = $1', [trader.companyId])).toEqual([]);
  });

  test('is refused for a client order id that was used as one within the funds of the house would be', async () => {
    const trader = await kit.trader({ BRL: '1000' });
    const resting = { side: 'BUY', type: 'LIMIT', price: price('0.5'), clientOrderId: 'once' };
    await kit.run(trader, create, { ...resting, amount: '0.0001' });
    for (const amount of sizes)
      expect(await refusal(trader, create, { ...resting, amount })).toMatchObject({ statusCode: 409 });
  });

  test('is refused by an agreed limit as one within the funds of the house would be', async () => {
    const trader = await kit.trader({ BRL: '1000' }, { terms: { maxOrderValue: '500' } });
    const [first, ...others] = await Promise.all(
      sizes.map((amount) => refusal(trader, create, { side: 'BUY', type: 'LIMIT', price: price('0.5'), amount })),
    );
    expect(first).toMatchObject({ statusCode: 422 });
    for (const other of others) expect(other).toEqual(first);
  });
});

test('what the wallet can pay and the house cannot execute is a market that is not available', async () => {
  const trader = await kit.trader({ BTC: '5000000' });
  const order = { side: 'SELL', type: 'LIMIT', price: price('1.5'), amount: '4000000' };
  for (const document of [create, preview])
    expect(await refusal(trader, document, order)).toMatchObject({ catalogue: 'CAAS_ORD_002' });
});
