import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Decimal } from '../../shared/kernel/decimal.js';
import { walletOf, type TestTrader } from './kit.js';
import { openOrders, type OrdersKit } from './orders-kit.js';

let kit: OrdersKit;

beforeAll(async () => {
  kit = await openOrders();
});
afterAll(() => kit.close());

const variables =
  '($side: OrderSide!, $type: OrderType!, $amount: Decimal, $quoteAmount: Decimal, $price: Decimal, $timeInForce: TimeInForce, $postOnly: Boolean)';
const passed =
  'symbol: "BTC/BRL", side: $side, type: $type, amount: $amount, quoteAmount: $quoteAmount, price: $price, timeInForce: $timeInForce, postOnly: $postOnly';
const preview = `query ${variables} { previewOrder(${passed}) {
  refused amount notional averagePrice worstPrice slippagePercent fee feeCurrency hold { currency amount } } }`;
const create = `mutation ${variables} { createOrder(${passed}) { orderId status } }`;

interface Preview {
  readonly refused: string | null;
  readonly amount: string;
  readonly notional: string;
  readonly averagePrice: string | null;
  readonly worstPrice: string | null;
  readonly fee: string;
  readonly hold: { readonly currency: string; readonly amount: string } | null;
}

async function previewed(trader: TestTrader, input: object): Promise<Preview> {
  const { data, errors } = await kit.run(trader, preview, { ...input });
  expect(errors).toBeUndefined();
  return data?.['previewOrder'] as Preview;
}

/** A price that nobody offers now. */
function farBelow(): string {
  const { ask } = kit.trading.markets.data.ticker(false, 'BTC/BRL');
  if (ask === undefined) throw new Error('Nobody offers anything');
  return ask.times(0.5).toDecimalPlaces(0).toFixed();
}

test('a preview names what an order then sets aside, and writes nothing', async () => {
  const trader = await kit.trader();
  const resting = { side: 'BUY', type: 'LIMIT', amount: '0.01', price: farBelow() };
  const { refused, amount, averagePrice, worstPrice, fee, hold } = await previewed(trader, resting);
  expect([refused, amount, averagePrice, worstPrice, fee]).toEqual([
    null,
    '0.00000000',
    null,
    `${resting.price}.00`,
    '0.00',
  ]);
  expect(await kit.rows('SELECT FROM trading.orders WHERE wallet_id = $1', [(await walletOf(trader)).id])).toEqual([]);
  await kit.run(trader, create, resting);
  const { BRL: held } = await kit.balances(await walletOf(trader));
  expect(new Decimal(hold?.amount ?? 0).equals(held?.locked ?? -1)).toBe(true);
  expect(hold?.currency).toBe('BRL');
});

test('a market order is priced by the present books, no part of it worse than its worst price', async () => {
  const trader = await kit.trader();
  for (const side of ['BUY', 'SELL'] as const) {
    const { amount, notional, averagePrice, worstPrice, fee, hold } = await previewed(trader, {
      side,
      type: 'MARKET',
      amount: '0.01',
    });
    expect(amount).toBe('0.01000000');
    const [average, worst] = [new Decimal(averagePrice ?? 0), new Decimal(worstPrice ?? 0)];
    expect(side === 'BUY' ? average.lessThanOrEqualTo(worst) : average.greaterThanOrEqualTo(worst)).toBe(true);
    expect(new Decimal(fee).lessThan(new Decimal(notional).times('0.05'))).toBe(true);
    expect(hold?.currency).toBe(side === 'BUY' ? 'BRL' : 'BTC');
  }
});

test('what an order would end with at once is told, and what its input breaks is an error as in an order', async () => {
  const trader = await kit.trader();
  const all = { side: 'BUY', type: 'LIMIT', amount: '0.01', price: farBelow(), timeInForce: 'FOK' };
  expect(await previewed(trader, all)).toMatchObject({
    refused: expect.any(String) as unknown,
    hold: null,
    worstPrice: null,
  });
  for (const wrong of [
    { side: 'BUY', type: 'LIMIT', amount: '0.01' },
    { side: 'BUY', type: 'MARKET', amount: '0' },
    { side: 'SELL', type: 'MARKET', quoteAmount: '10.00' },
    { side: 'BUY', type: 'MARKET', amount: '0.0000000001' },
  ]) {
    const told = async (document: string) => (await kit.run(trader, document, wrong)).errors?.[0]?.extensions;
    const { code, details } = (await told(create)) ?? {};
    expect(await told(preview)).toMatchObject({ code, ...(details === undefined ? {} : { details }) });
  }
});
