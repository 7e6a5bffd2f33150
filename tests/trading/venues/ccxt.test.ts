import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock, type Clock } from '../../../shared/kernel/clock.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { openCcxtClient } from '../../../subgraphs/trading/venues/ccxt/client.js';
import { openCcxtVenue } from '../../../subgraphs/trading/venues/ccxt/ccxt-venue.js';
import { fateOf, reasonOf } from '../../../subgraphs/trading/venues/ccxt/fills.js';
import { parseMarket } from '../../../subgraphs/trading/venues/ccxt/parse.js';
import {
  VenueUnknown,
  type Fill,
  type Trade,
  type Venue,
  type VenueOrderRequest,
} from '../../../subgraphs/trading/venues/venue.js';
import { quietLog } from '../../kit/context.js';
import { until } from '../../kit/until.js';
import { keys, openBinanceServer, type BinanceServer } from '../binance-server.js';
import { venueOrder } from './kit.js';

const d = (text: string | number) => new Decimal(text);
let server: BinanceServer;
let venue: Venue;
let fills: Fill[];

/** Far more than any request takes, and what tests wait for that expect no response. */
const [patientMs, hastyMs] = [30_000, 5_000];

function ccxtOptions() {
  const api = Object.fromEntries(['public', 'private', 'v1', 'sapi'].map((name) => [name, `${server.url}/api/v3`]));
  return {
    exchange: 'binance',
    ...keys,
    timeoutMs: patientMs,
    settings: {
      urls: { api },
      has: { fetchCurrencies: false },
      options: { fetchMarkets: { types: ['spot'] }, fetchMargins: false },
    },
  };
}

function open(over: Partial<typeof keys & { clock: Clock; timeoutMs: number }> = {}): Promise<Venue> {
  return openCcxtVenue({
    ...ccxtOptions(),
    name: 'binance',
    symbols: ['BTC/BRL'],
    clock: systemClock,
    ...over,
    log: quietLog,
    pollMs: 20,
  });
}

function withServer(): void {
  beforeEach(async () => {
    server = await openBinanceServer();
    server.engine.quote('BTC/BRL', [
      { side: 'SELL', price: d('100.50'), amount: d('0.3') },
      { side: 'SELL', price: d('101'), amount: d('2') },
      { side: 'BUY', price: d('99.50'), amount: d('1') },
    ]);
    venue = await open();
    fills = [];
    venue.onFill((fill) => fills.push(fill));
  });
  afterEach(async () => {
    try {
      await venue.stop();
    } finally {
      await server.close();
    }
  });
}

const order = (over: Partial<VenueOrderRequest> = {}) =>
  venueOrder({ type: 'LIMIT', amount: d('0.5'), price: d(90), timeInForce: 'GTC', ...over });
const taking = (over: Partial<VenueOrderRequest> = {}) => order({ price: d(101), timeInForce: 'IOC', ...over });
const lookUp = ({ clientOrderId }: VenueOrderRequest) => venue.lookUp(clientOrderId, 'BTC/BRL');

describe('an exchange through ccxt', () => {
  withServer();

  test('knows its markets, fees and balances, as decimals', async () => {
    const market = { symbol: 'BTC/BRL', base: 'BTC', quote: 'BRL', priceDecimals: 2, amountDecimals: 5 };
    expect(venue.markets()).toEqual([{ ...market, minAmount: d('0.0001'), minNotional: d(10) }]);
    expect(venue.fees('BTC/BRL').taker.toFixed()).toBe('0.001');
    expect(venue.balanceDecimals?.().get('BTC')).toBe(8);
    const balances = await venue.balances();
    expect(balances.find(({ currency }) => currency === 'BRL')).toMatchObject({
      available: d(1_000_000),
      locked: d(0),
    });
  });

  test('shows books and trades as they are polled', async () => {
    const trades: Trade[] = [];
    venue.onTrade((trade) => trades.push(trade));
    await venue.start();
    expect(venue.book('BTC/BRL')).toMatchObject({
      bids: [{ price: d('99.5') }],
      asks: [{ price: d('100.5'), amount: d('0.3') }, { price: d(101) }],
    });
    server.engine.takeAsStranger('BTC/BRL', 'BUY', d('0.3'));
    await until('the trade', () => trades.length > 0);
    await until('the book', () => venue.book('BTC/BRL')?.asks.length === 1);
    expect(trades).toMatchObject([{ venue: 'binance', price: d('100.5'), amount: d('0.3') }]);
  });

  test('reports an order that it refused in words of the house: its own may name the account, its address or its funds', async () => {
    const refused = await venue.place(order({ amount: d(100_000) }));
    const message = 'The venue cannot accept the order at the moment';
    expect(refused).toEqual({ status: 'REJECTED', reason: 'INSUFFICIENT_FUNDS', message });
  });

  test('takes an order, says how it stands, and cancels it', async () => {
    const resting = order();
    expect(await venue.place(resting)).toMatchObject({ status: 'ACCEPTED', order: { state: 'OPEN', filled: d(0) } });
    expect(await lookUp(resting)).toMatchObject({ state: 'OPEN', fills: [] });
    expect(await venue.cancel(resting.clientOrderId, 'BTC/BRL')).toMatchObject({ state: 'CANCELLED' });
    expect(await venue.cancel(resting.clientOrderId, 'BTC/BRL')).toMatchObject({ state: 'CANCELLED' });
    expect(await venue.lookUp('nobody', 'BTC/BRL')).toBe('absent');
  });

  test('reports each fill once, exactly, and in look-ups', async () => {
    await venue.start();
    const sent = taking();
    expect(await venue.place(sent)).toMatchObject({ order: { state: 'FILLED', filled: d('0.5') } });
    await until('both fills', () => fills.length === 2);
    expect(
      fills.map((fill) => [
        fill.price.toFixed(),
        fill.amount.toFixed(),
        fill.fee.toFixed(),
        fill.feeCurrency,
        fill.liquidity,
      ]),
    ).toEqual([
      ['100.5', '0.3', '0.03015', 'BRL', 'TAKER'],
      ['101', '0.2', '0.0202', 'BRL', 'TAKER'],
    ]);
    expect(fills.every(({ clientOrderId }) => clientOrderId === sent.clientOrderId)).toBe(true);
    expect(await lookUp(sent)).toMatchObject({ state: 'FILLED', filled: d('0.5'), fills });
  });

  test('reports fills of orders that an earlier run placed', async () => {
    const resting = order({ price: d('99.60') });
    await venue.place(resting);
    const later = await open();
    const heard: Fill[] = [];
    later.onFill((fill) => heard.push(fill));
    server.engine.takeAsStranger('BTC/BRL', 'SELL', d('0.2'));
    await later.start();
    await until('the fill of the resting order', () => heard.length > 0);
    await later.stop();
    expect(heard).toMatchObject([{ clientOrderId: resting.clientOrderId, amount: d('0.2'), liquidity: 'MAKER' }]);
  });

  test('reports fills of a time in which it could not be asked, however long that was', async () => {
    let aheadMs = 0;
    const sleeper = await open({ clock: { now: () => new Date(Date.now() + aheadMs) } });
    const heard: Fill[] = [];
    sleeper.onFill((fill) => heard.push(fill));
    const resting = order({ price: d('99.60') });
    await sleeper.place(resting);
    await sleeper.start();
    // What is traded now is three days old when it is asked for next.
    server.engine.takeAsStranger('BTC/BRL', 'SELL', d('0.2'));
    aheadMs = 3 * 86_400_000;
    await until('the fill of the resting order', () => heard.length > 0);
    await sleeper.stop();
    expect(heard).toMatchObject([{ clientOrderId: resting.clientOrderId, amount: d('0.2') }]);
  });

  test('reports fills after trades of an order that was made by hand and cannot be read', async () => {
    server.engine.submit({ ...taking({ amount: d('0.1') }), clientOrderId: '' });
    const resting = order({ price: d('99.60') });
    await venue.place(resting);
    await venue.start();
    server.engine.takeAsStranger('BTC/BRL', 'SELL', d('0.2'));
    await until('the fill', () => fills.length > 0);
    expect(fills).toMatchObject([{ clientOrderId: resting.clientOrderId, amount: d('0.2') }]);
  });

  test('sends post-only, IOC and FOK as such', async () => {
    expect(await venue.place(order({ price: d(101), postOnly: true }))).toMatchObject({
      status: 'REJECTED',
      reason: 'WOULD_TAKE',
    });
    expect(await venue.place(taking({ amount: d(3) }))).toMatchObject({
      order: { state: 'CANCELLED', filled: d('2.3') },
    });
    expect(await venue.place(taking({ timeInForce: 'FOK' }))).toMatchObject({
      order: { state: 'CANCELLED', filled: d(0) },
    });
  });

  test('refuses decimals that ccxt would cut off, without sending anything', async () => {
    expect(await venue.place(order({ amount: d('0.123456') }))).toMatchObject({
      status: 'REJECTED',
      reason: 'INVALID',
    });
    expect(server.received).toEqual([]);
  });
});

describe.each([
  ['lists the trades of an order', {}],
  ['lists trades by time only', { fetchOrderTrades: false }],
])('a look-up at an exchange that %s', (_what, has) => {
  test('finds all fills of an order that is days old, beyond a day and a page', async () => {
    let backMs = 3 * 86_400_000;
    const clock: Clock = { now: () => new Date(Date.now() - backMs) };
    server = await openBinanceServer({ clock, pageSize: 60 });
    const { settings, ...options } = ccxtOptions();
    const patient = { ...options, settings: { ...settings, has: { ...settings.has, ...has } } };
    const exchange = { ...patient, name: 'binance', symbols: ['BTC/BRL'], clock: systemClock, log: quietLog };
    venue = await openCcxtVenue(exchange);
    const resting = order({ price: d('99.60'), amount: d('1') });
    await venue.place(resting);
    // A day later, and more trades at once than a page has.
    backMs = 2 * 86_400_000;
    for (let count = 0; count < 70; count += 1) {
      backMs -= 10;
      server.engine.takeAsStranger('BTC/BRL', 'SELL', d('0.005'));
    }
    backMs = 3_600_000;
    server.engine.takeAsStranger('BTC/BRL', 'SELL', d('0.1'));
    const found = await lookUp(resting);
    await server.close();
    if (found === 'absent') throw new Error('The order is there');
    expect(found).toMatchObject({ state: 'OPEN', filled: d('0.45') });
    expect(found.fills).toHaveLength(71);
    expect(found.fills.reduce((total, { amount }) => total.plus(amount), d(0)).toFixed()).toBe('0.45');
  });
});

describe('when an exchange through ccxt fails', () => {
  withServer();

  test.each([
    ['RESET_BEFORE', false],
    ['ERROR_BEFORE', false],
    ['RESET_AFTER', true],
    ['ERROR_AFTER', true],
    ['HANG_AFTER', true],
  ] as const)(
    'by %s, the fate is unknown, the order is not sent again, and a look-up tells: %s',
    async (failure, isThere) => {
      const asked = failure === 'HANG_AFTER' ? await open({ timeoutMs: hastyMs }) : venue;
      server.failures.next('place', failure);
      const sent = order();
      await expect(asked.place(sent)).rejects.toThrow(VenueUnknown);
      expect((await lookUp(sent)) !== 'absent').toBe(isThere);
      expect(server.received).toEqual(isThere ? [sent.clientOrderId] : []);
    },
  );

  test('by 429 or for want of funds, the order is rejected', async () => {
    server.failures.next('place', 'RATE_LIMITED');
    expect(await venue.place(order())).toMatchObject({ status: 'REJECTED', reason: 'RATE_LIMITED' });
    expect(await venue.place(order({ amount: d(100_000) }))).toMatchObject({
      status: 'REJECTED',
      reason: 'INSUFFICIENT_FUNDS',
    });
    const stranger = await open({ secret: 'wrong' });
    expect(await stranger.place(order())).toMatchObject({ status: 'REJECTED', reason: 'OTHER' });
  });

  test('on an id that it has, the fate is unknown', async () => {
    const sent = order();
    await venue.place(sent);
    await expect(venue.place(sent)).rejects.toThrow(VenueUnknown);
  });

  test('in a look-up or a cancel, nothing is said of the order', async () => {
    const sent = order();
    await venue.place(sent);
    const hasty = await open({ timeoutMs: hastyMs });
    server.failures.next('lookUp', 'ERROR_BEFORE', 'RATE_LIMITED', 'HANG_AFTER');
    for (const asked of [venue, venue, hasty])
      await expect(asked.lookUp(sent.clientOrderId, 'BTC/BRL')).rejects.toThrow(VenueUnknown);
    server.failures.next('cancel', 'RESET_AFTER');
    await expect(venue.cancel(sent.clientOrderId, 'BTC/BRL')).rejects.toThrow(VenueUnknown);
    expect(await lookUp(sent)).toMatchObject({ state: 'CANCELLED' });
  });
});

test.each<[boolean, number | undefined, string, 'NOT_PLACED' | 'UNKNOWN']>([
  [false, undefined, 'InvalidOrder', 'NOT_PLACED'],
  [true, undefined, 'timed out', 'UNKNOWN'],
  [true, 200, 'it cannot be read', 'UNKNOWN'],
  [true, 302, 'moved', 'UNKNOWN'],
  [true, 400, 'Filter failure', 'NOT_PLACED'],
  [true, 400, 'Duplicate order sent.', 'UNKNOWN'],
  [true, 400, 'Timeout waiting for response; send status unknown.', 'UNKNOWN'],
  [true, 401, 'bad key', 'NOT_PLACED'],
  [true, 408, 'request timeout', 'UNKNOWN'],
  [true, 409, 'conflict', 'UNKNOWN'],
  [true, 418, 'banned', 'NOT_PLACED'],
  [true, 429, 'too many', 'NOT_PLACED'],
  [true, 500, 'error', 'UNKNOWN'],
  [true, 503, 'error', 'UNKNOWN'],
])('sent %s, status %s, "%s": %s', (sent, status, message, fate) => {
  expect(fateOf({ sent, status, write: undefined, message })).toBe(fate);
});

test('what a placement came to is said by its own response, whatever was read before or after it', async () => {
  const said = (write: number | undefined, status: number | undefined) =>
    fateOf({ sent: true, status, write: { status: write }, message: '' });
  expect([said(200, 400), said(undefined, 400), said(400, 500), said(400, 200)]).toEqual([
    'UNKNOWN',
    'UNKNOWN',
    'NOT_PLACED',
    'NOT_PLACED',
  ]);
  server = await openBinanceServer();
  const { client, call } = await openCcxtClient(ccxtOptions());
  const result = await call(async () => {
    await client.createOrder('BTC/BRL', 'limit', 'buy', '0.5', '90', { clientOrderId: 'taken', timeInForce: 'GTC' });
    await client.fetchOrder('', 'BTC/BRL', { clientOrderId: 'nobody' });
  });
  await server.close();
  expect(result).toMatchObject({ ok: false, error: { status: 400, write: { status: 200 } } });
});

test('a ban is a limit of rate, whatever the class of the error', () => {
  expect(reasonOf({ status: 418, write: { status: 418 }, kind: 'InsufficientFunds' })).toBe('RATE_LIMITED');
});

test.each(['0.05', '0.5', '25'])('a market with steps of %s, which decimals cannot say, is left out', (price) => {
  const market = { symbol: 'A/B', base: 'A', quote: 'B', maker: '0', taker: '0', limits: { amount: {} } };
  expect(parseMarket({ ...market, precision: { amount: '0.01', price: '0.01' } })).toMatchObject({
    market: { minAmount: d('0.01') },
  });
  expect(parseMarket({ ...market, precision: { amount: '0.01', price } })).toBeUndefined();
});
