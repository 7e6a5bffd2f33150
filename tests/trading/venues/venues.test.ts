import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../../../shared/kernel/decimal.js';
import {
  createSimulatedWorld,
  simulatedMarkets,
  simulatedPrices,
} from '../../../subgraphs/trading/venues/simulated/world.js';
import {
  superviseVenue,
  breakerDefaults,
  closedBreaker,
  transition,
  type Breaker,
  type BreakerEvent,
  type BreakerState,
} from '../../../subgraphs/trading/venues/supervise-venue.js';
import { VenueUnknown, type Fill, type VenueOrderRequest } from '../../../subgraphs/trading/venues/venue.js';
import { quietLog } from '../../kit/context.js';
import { openExchange, venueOrder, type TestExchange } from './kit.js';

const d = (text: string | number) => new Decimal(text);
const resting = (over: Partial<VenueOrderRequest> = {}) =>
  venueOrder({ type: 'LIMIT', price: d(90_000), timeInForce: 'GTC', ...over });

function fillsOf(exchange: TestExchange): Fill[] {
  const fills: Fill[] = [];
  exchange.onFill((fill) => fills.push(fill));
  return fills;
}
/** After the microtasks in which fills are delivered. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a simulated exchange', () => {
  test('takes an order once: the same id again is of unknown fate, not rejected', async () => {
    const exchange = openExchange();
    const order = resting();
    expect(await exchange.place(order)).toMatchObject({ status: 'ACCEPTED', order: { state: 'OPEN' } });
    await expect(exchange.place(order)).rejects.toThrow(VenueUnknown);
    expect((await exchange.balances()).find(({ currency }) => currency === 'BRL')?.locked.toFixed()).toBe('9009');
  });

  test('reports fills in the response, in look-ups and to who listens', async () => {
    const exchange = openExchange();
    const fills = fillsOf(exchange);
    const order = venueOrder();
    const answer = await exchange.place(order);
    await settled();
    const found = await exchange.lookUp(order.clientOrderId, 'BTC/BRL');
    expect(answer).toMatchObject({ order: { state: 'FILLED', filled: d('0.1'), fills } });
    expect(found).toMatchObject({ state: 'FILLED', fills });
    expect(fills).toMatchObject([
      { venue: 'aurora', clientOrderId: order.clientOrderId, liquidity: 'TAKER', feeCurrency: 'BRL' },
    ]);
  });

  test('does not know what a run before it knew, but for what it is given', async () => {
    const exchange = openExchange();
    expect(await exchange.lookUp('of yesterday', 'BTC/BRL')).toBe('absent');
    expect(await exchange.cancel('of yesterday', 'BTC/BRL')).toBe('absent');
    exchange.restore([
      { clientOrderId: 'of yesterday', symbol: 'BTC/BRL', side: 'BUY', price: d(1), amount: d(2), filled: d(1) },
    ]);
    expect(await exchange.lookUp('of yesterday', 'BTC/BRL')).toMatchObject({ state: 'OPEN', filled: d(1), fills: [] });
  });

  test('forgets closed orders after five minutes, and open ones never', async () => {
    const exchange = openExchange();
    const [closed, open] = [venueOrder(), resting()];
    for (const order of [closed, open]) await exchange.place(order);
    exchange.clock.advance(5 * 60_000);
    exchange.tick();
    expect(await exchange.lookUp(closed.clientOrderId, 'BTC/BRL')).toMatchObject({ state: 'FILLED' });
    exchange.clock.advance(1);
    exchange.tick();
    expect(await exchange.lookUp(closed.clientOrderId, 'BTC/BRL')).toBe('absent');
    expect(await exchange.lookUp(open.clientOrderId, 'BTC/BRL')).toMatchObject({ state: 'OPEN' });
  });

  test('shows an uncrossed book of at most 20 levels a side, which is new only when it changed', () => {
    const exchange = openExchange();
    const book = exchange.book('BTC/BRL');
    expect([book?.bids.length, book?.asks.length]).toEqual([10, 10]);
    expect(book?.bids[0]?.price.lessThan(book.asks[0]?.price ?? 0)).toBe(true);
    expect(exchange.book('BTC/BRL')?.asks).toBe(book?.asks);
    exchange.tick();
    expect(exchange.book('BTC/BRL')?.sequence).toBeGreaterThan(book?.sequence ?? 0);
    expect(exchange.book('DOGE/BRL')).toBeUndefined();
  });
});

describe('a circuit breaker', () => {
  const breaker = (state: BreakerState, over: Partial<Breaker> = {}): Breaker => ({
    state,
    sinceMs: 0,
    failures: 0,
    pauseMs: 1_000,
    ...over,
  });

  test.each<[BreakerState, BreakerEvent, Partial<Breaker>, number, Partial<Breaker>]>([
    ['CLOSED', 'SUCCESS', { failures: 2 }, 5, { state: 'CLOSED', failures: 0 }],
    ['CLOSED', 'FAILURE', { failures: 1 }, 5, { state: 'CLOSED', failures: 2 }],
    ['CLOSED', 'FAILURE', { failures: 2 }, 5, { state: 'OPEN', sinceMs: 5, pauseMs: 1_000 }],
    ['CLOSED', 'PROBE', {}, 9_999, { state: 'CLOSED' }],
    ['OPEN', 'PROBE', {}, 999, { state: 'OPEN' }],
    ['OPEN', 'PROBE', {}, 1_000, { state: 'HALF_OPEN', sinceMs: 1_000 }],
    ['OPEN', 'SUCCESS', {}, 9_999, { state: 'OPEN' }],
    ['OPEN', 'FAILURE', {}, 9_999, { state: 'OPEN', sinceMs: 0, pauseMs: 1_000 }],
    ['HALF_OPEN', 'SUCCESS', {}, 7, { state: 'CLOSED', sinceMs: 7, failures: 0, pauseMs: 1_000 }],
    ['HALF_OPEN', 'FAILURE', {}, 7, { state: 'OPEN', sinceMs: 7, pauseMs: 2_000 }],
    ['HALF_OPEN', 'FAILURE', { pauseMs: 50_000 }, 7, { state: 'OPEN', pauseMs: 60_000 }],
    ['HALF_OPEN', 'PROBE', {}, 7, { state: 'HALF_OPEN' }],
  ])('%s on %s', (state, event, over, nowMs, expected) => {
    expect(transition(breaker(state, over), event, nowMs)).toMatchObject(expected);
  });

  test('whatever happens, lets nothing but a probe out after it opened, and pauses no longer than it may', () => {
    const events = fc.array(
      fc.record({ event: fc.constantFrom<BreakerEvent>('SUCCESS', 'FAILURE', 'PROBE'), afterMs: fc.nat(5_000) }),
    );
    fc.assert(
      fc.property(events, (all) => {
        let nowMs = 0;
        let current = closedBreaker(0);
        for (const { event, afterMs } of all) {
          nowMs += afterMs;
          const next = transition(current, event, nowMs);
          if (next.state === 'CLOSED' && current.state !== 'CLOSED')
            expect([current.state, event]).toEqual(['HALF_OPEN', 'SUCCESS']);
          if (next.state === 'HALF_OPEN' && current.state === 'OPEN')
            expect(nowMs - current.sinceMs).toBeGreaterThanOrEqual(current.pauseMs);
          expect(next.pauseMs).toBeLessThanOrEqual(breakerDefaults.maxPauseMs);
          current = next;
        }
      }),
    );
  });
});

describe('a supervised venue', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  const supervised = () => {
    const exchange = openExchange();
    const venue = superviseVenue(exchange, { clock: exchange.clock, log: quietLog });
    stops.push(() => venue.stop());
    return { exchange, venue };
  };

  test('sends no order once it failed three times in a row, looks up all the same, and is used again after a probe', async () => {
    const { exchange, venue } = supervised();
    exchange.failures.next('place', 'RESET_BEFORE', 'ERROR_AFTER', 'RESET_BEFORE');
    for (let count = 0; count < 3; count += 1) await expect(venue.place(resting())).rejects.toThrow(VenueUnknown);
    expect(venue.health()).toMatchObject({ state: 'OPEN', lastError: 'aurora: the connection was reset' });
    const order = resting();
    expect(await venue.place(order)).toMatchObject({ status: 'REJECTED', reason: 'VENUE_DOWN' });
    expect(await venue.lookUp(order.clientOrderId, 'BTC/BRL')).toBe('absent');
    await venue.probe();
    expect(venue.isUsable()).toBe(false);
    exchange.clock.advance(1_000);
    exchange.failures.next('balances', 'ERROR_BEFORE');
    await venue.probe();
    expect(venue.health().state).toBe('OPEN');
    exchange.clock.advance(2_000);
    await venue.probe();
    expect(venue.isUsable()).toBe(true);
    expect(await venue.place(resting())).toMatchObject({ status: 'ACCEPTED' });
  });

  test('is not troubled by orders that are rejected', async () => {
    const { venue } = supervised();
    for (let count = 0; count < 5; count += 1) await venue.place(venueOrder({ amount: d('0.00001') }));
    expect(venue.health()).toMatchObject({ state: 'CLOSED', lastError: undefined });
  });
});

describe('simulated worlds', () => {
  const world = (synthetic: boolean) =>
    createSimulatedWorld({ synthetic, clock: openExchange().clock, log: quietLog, epoch: 'e', seed: 's' });

  test('have two exchanges each, with other names, books and fees, and share none', () => {
    const [real, synthetic] = [world(false), world(true)];
    expect([...real, ...synthetic].map(({ name }) => name)).toEqual([
      'aurora',
      'boreal',
      'aurora-synthetic',
      'boreal-synthetic',
    ]);
    for (const exchange of [...real, ...synthetic]) exchange.tick();
    const best = [...real, ...synthetic].map((exchange) => exchange.book('BTC/BRL')?.asks[0]?.price.toFixed());
    expect(new Set(best).size).toBe(4);
    expect(real[0]?.fees('BTC/BRL').taker.equals(real[1]?.fees('BTC/BRL').taker ?? 0)).toBe(false);
  });

  test('repeat themselves with the same seed at the same time', () => {
    const books = () =>
      world(false).map((exchange) => (exchange.tick(), simulatedMarkets.map(({ symbol }) => exchange.book(symbol))));
    expect(JSON.stringify(books())).toBe(JSON.stringify(books()));
  });

  test('have prices that are a function of time, move gently, and agree across pairs', () => {
    const prices = simulatedPrices(false);
    const start = Date.UTC(2026, 0, 1);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400 * 86_400_000 }),
        fc.constantFrom(...simulatedMarkets),
        (afterMs, { symbol }) => {
          const [now, soon] = [prices.at(symbol, start + afterMs), prices.at(symbol, start + afterMs + 1_000)];
          expect(now.greaterThan(0)).toBe(true);
          expect(soon.dividedBy(now).minus(1).abs().lessThan('0.002')).toBe(true);
          const cross = prices.at('BTC/USDT', start + afterMs).times(prices.at('USDT/BRL', start + afterMs));
          expect(prices.at('BTC/BRL', start + afterMs).toFixed()).toBe(cross.toFixed());
          expect(
            simulatedPrices(false)
              .at(symbol, start + afterMs)
              .toFixed(),
          ).toBe(now.toFixed());
        },
      ),
    );
  });
});
