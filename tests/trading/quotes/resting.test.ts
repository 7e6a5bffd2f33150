import { afterAll, expect, test } from '@jest/globals';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { restingIn } from '../../../subgraphs/trading/quotes/quote.store.js';
import type { Book } from '../../../subgraphs/trading/venues/venue.js';
import { valueOf } from '../domain-kit.js';
import { cancelOrder, openOrders } from '../orders/kit.js';
import { createScriptedVenue, type Levels } from '../scripted-venue.js';
import type { TestTrader } from '../kit.js';

const scripted = createScriptedVenue('a');
/** The book as it was polled last; undefined while it is read anew each time. */
let polled: Book | undefined;

const kit = await openOrders([{ ...scripted, book: (symbol) => polled ?? scripted.book(symbol) }]);
afterAll(() => kit.close());

const shown = (): Book => {
  const book = scripted.book('BTC/BRL');
  if (book === undefined) throw new Error('There is no book');
  return book;
};
const show = (asks: Levels) => {
  scripted.show(asks, [['100', '10']]);
  polled = shown();
};

const quoteFor = (trader: TestTrader) =>
  valueOf(kit.run(trader, 'mutation { createQuote(symbol: "BTC/BRL", side: BUY, amount: "5") { quoteAmount } }'));

/** Places a SELL that rests, and returns what ends it. */
async function rest(trader: TestTrader, price: string): Promise<() => Promise<void>> {
  let id = '';
  scripted.meet(({ clientOrderId }) => {
    id = clientOrderId;
    return { status: 'ACCEPTED', order: { clientOrderId, state: 'OPEN', filled: new Decimal(0), fills: [] } };
  });
  const { orderId } = await kit.place(trader, { side: 'SELL', type: 'LIMIT', amount: '5', price });
  return async () => {
    const over = { clientOrderId: id, state: 'CANCELLED', filled: new Decimal(0), fills: [] } as const;
    (scripted.orders as Map<string, typeof over>).set(id, over);
    expect(await valueOf(kit.run(trader, cancelOrder, { orderId }))).toMatchObject({ status: 'CANCELLED' });
  };
}

test('an order of a client moves no quote, neither while it rests nor when it was cancelled after the book was read', async () => {
  const trader = await kit.trader();
  show([['102', '10']]);
  const honest = await quoteFor(trader);
  expect(honest).toMatchObject({ quoteAmount: expect.any(String) });
  const cancel = await rest(trader, '100.01');
  show([
    ['100.01', '5'],
    ['102', '10'],
  ]);
  expect(await quoteFor(trader)).toEqual(honest);
  await cancel();
  // The book of before still shows it.
  expect(await quoteFor(trader)).toEqual(honest);
});

test('orders at prices that no book shows are not read for a quote, and those of a book that was read since are not taken off it', async () => {
  const trader = await kit.trader();
  show([['102', '10']]);
  const cancel = await rest(trader, '101');
  await rest(trader, '105');
  const read = (asks: Levels) => {
    show(asks);
    return restingIn(kit.context, { symbol: 'BTC/BRL', synthetic: false }, [shown()]);
  };
  expect(await read([['101', '5']])).toMatchObject([{ side: 'SELL', price: '101', amount: '5' }]);
  expect(await read([['102', '5']])).toEqual([]);
  await cancel();
  const [later] = await kit.rows<{ at: Date }>("SELECT now() + interval '1 second' AS at");
  const book = { ...shown(), asks: [{ price: new Decimal(101), amount: new Decimal(5) }] };
  const market = { symbol: 'BTC/BRL', synthetic: false };
  expect(await restingIn(kit.context, market, [{ ...book, at: later?.at ?? book.at }])).toEqual([]);
});
