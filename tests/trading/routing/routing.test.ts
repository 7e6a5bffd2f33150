import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { route } from '../../../subgraphs/trading/routing/route.js';
import type { RouteInput, RoutePlan, RouteRefusal, RouteVenue } from '../../../subgraphs/trading/routing/routing.js';
import type { Level, Side, TimeInForce } from '../../../subgraphs/trading/venues/venue.js';

const d = (value: string | number) => new Decimal(value);
const zero = d(0);
/** The levels of a book, as `100 1, 103 9`: price and amount of each. */
const levelsOf = (text: string): Level[] =>
  text.split(', ').map((one) => {
    const [price = '', amount = ''] = one.split(' ');
    return { price: d(price), amount: d(amount) };
  });

interface Given {
  readonly asks?: string;
  readonly bids?: string;
  readonly taker?: string;
  readonly maker?: string;
  readonly over?: Partial<RouteVenue>;
}

function venue(name: string, { asks, bids, taker = '0', maker = '0', over = {} }: Given = {}): RouteVenue {
  return {
    venue: name,
    usable: true,
    asks: asks === undefined ? [] : levelsOf(asks),
    bids: bids === undefined ? [] : levelsOf(bids),
    fees: { maker: d(maker), taker: d(taker) },
    funds: { base: d('1000000'), quote: d('1000000000') },
    amountDecimals: 2,
    priceDecimals: 2,
    minAmount: d('0.01'),
    ...over,
  };
}

function ask(venues: readonly RouteVenue[], over: Partial<RouteInput> = {}): RoutePlan | RouteRefusal {
  return route({
    symbol: 'BTC/BRL',
    side: 'BUY',
    type: 'MARKET',
    size: { amount: d(3) },
    collarPercent: d(10),
    timeInForce: 'IOC',
    postOnly: false,
    amountDecimals: 2,
    venues,
    ...over,
  });
}

function planned(venues: readonly RouteVenue[], over: Partial<RouteInput> = {}): RoutePlan {
  const answer = ask(venues, over);
  if (answer.kind === 'REFUSED') throw new Error(answer.reason);
  return answer;
}

const children = (plan: RoutePlan) =>
  plan.children.map((child) =>
    [child.venue, child.amount.toFixed(), child.limitPrice.toFixed(), child.timeInForce].join(' '),
  );

describe('a market order', () => {
  const cheap = venue('a', {
    asks: '100 1, 103 9',
    bids: '99 9',
  });
  const deep = venue('b', {
    asks: '101 1, 102 5',
    bids: '98 9',
  });

  test('takes the best levels of all venues, with a limit at the worst that it needs', () => {
    const plan = planned([deep, cheap]);
    expect(children(plan)).toEqual(['a 1 100 IOC', 'b 2 102 IOC']);
    expect(plan.expected.total.toFixed()).toBe('303');
    expect(plan.worstNotional.toFixed()).toBe('304');
    expect(plan.mid?.toFixed()).toBe('99.5');
    expect(plan.slippagePercent?.toFixed()).toBe('1.507538');
    expect(plan.singles.map((one) => [one.venue, one.amount.toFixed(), one.total.toFixed()])).toEqual([
      ['a', '3', '306'],
      ['b', '3', '305'],
    ]);
  });

  test('goes no further than the collar around the mid', () => {
    const far = venue('a', {
      asks: '100 1, 111 9',
      bids: '100 1',
    });
    const plan = planned([far]);
    expect([plan.amount.toFixed(), plan.unplaced.toFixed(), plan.bound.toFixed()]).toEqual(['1', '2', '110']);
  });

  test('gives a venue its minimum rather than leave something out', () => {
    const first = venue('a', { asks: '100 2.5' });
    const second = venue('b', { asks: '101 9', over: { minAmount: d(1) } });
    expect(children(planned([first, second]))).toEqual(['a 2 100 IOC', 'b 1 101 IOC']);
  });

  test('that nobody can take is refused, and says why', () => {
    const none = venue('a');
    const poor = venue('a', { asks: '100 9', over: { funds: { base: zero, quote: zero } } });
    const reason = (venues: readonly RouteVenue[], over?: Partial<RouteInput>) => ask(venues, over);
    expect(reason([])).toMatchObject({ reason: 'NO_VENUE' });
    expect(reason([none])).toMatchObject({ reason: 'NO_LIQUIDITY' });
    expect(reason([poor])).toMatchObject({ reason: 'NO_FUNDS' });
    expect(reason([cheap], { size: { amount: d('0.001') } })).toMatchObject({ reason: 'BELOW_MINIMUM' });
    expect(reason([cheap], { type: 'LIMIT', price: d(99) })).toMatchObject({ reason: 'NO_LIQUIDITY' });
  });
});

describe('a limit order', () => {
  const a = venue('a', {
    asks: '100 1, 105 9',
    bids: '99 1',
    maker: '0.002',
  });
  const b = venue('b', { asks: '101 1', bids: '98 1', maker: '0.001' });
  const limit = { type: 'LIMIT', timeInForce: 'GTC' } as const;

  test('that does not cross rests on the venue with the best maker fee', () => {
    expect(children(planned([a, b], { ...limit, price: d(95) }))).toEqual(['b 3 95 GTC']);
    const tie = { ...a, venue: 'c', fees: b.fees };
    expect(children(planned([tie, b], { ...limit, price: d(95) }))).toEqual(['b 3 95 GTC']);
  });

  test('that crosses takes what is within its limit, and the rest rests', () => {
    expect(children(planned([a, b], { ...limit, price: d(101) }))).toEqual(['a 1 101 GTC', 'b 2 101 GTC']);
  });

  test('stays in force at its limit on every venue, so that an offer that is gone meanwhile does not end it', () => {
    const inForce = { ...limit, price: d(110), size: { amount: d(2) } };
    expect(children(planned([a, b], inForce))).toEqual(['a 1 110 GTC', 'b 1 110 GTC']);
    const poor = { ...a, funds: { base: zero, quote: d(105) } };
    expect(children(planned([poor, b], inForce))).toEqual(['a 1 100 IOC', 'b 1 110 GTC']);
  });

  test('that is post-only rests, or is refused where it crosses anywhere', () => {
    expect(ask([a, b], { ...limit, postOnly: true, price: d(100) })).toMatchObject({ reason: 'WOULD_TAKE' });
    expect(planned([a, b], { ...limit, postOnly: true, price: d('99.99') }).children).toMatchObject([
      { venue: 'b', postOnly: true },
    ]);
  });

  test('FOK goes to the one venue that fills it whole, since two cannot promise it together', () => {
    const fok = { type: 'LIMIT', timeInForce: 'FOK', price: d(105) } as const;
    expect(children(planned([a, b], { ...fok, size: { amount: d(2) } }))).toEqual(['a 2 105 FOK']);
    expect(ask([a, b], { ...fok, size: { amount: d(11) } })).toMatchObject({ reason: 'NOT_FILLABLE' });
  });
});

// Whole lots, small books: small enough to try every way of spreading an order.
const levels = (from: number, step: number) =>
  fc
    .array(fc.record({ gap: fc.integer({ min: 1, max: 4 }), amount: fc.integer({ min: 1, max: 4 }) }), { maxLength: 3 })
    .map((gaps) => {
      let price = from;
      return gaps.map(({ gap, amount }): Level => {
        price += gap * step;
        return { price: d(price), amount: d(amount) };
      });
    });
const anyVenue = (name: string) =>
  fc
    .record({
      asks: levels(100, 1),
      bids: levels(101, -1),
      taker: fc.constantFrom('0', '0.005', '0.01', '0.02'),
      maker: fc.constantFrom('0', '0.001'),
      minAmount: fc.integer({ min: 1, max: 3 }),
      minNotional: fc.constantFrom(undefined, 250, 500),
      base: fc.constantFrom(0, 2, 1000),
      quote: fc.constantFrom(0, 250, 100_000),
      usable: fc.boolean().map((one) => one || name === 'a'),
    })
    .map(({ base, quote, minAmount, minNotional, taker, maker, ...rest }): RouteVenue => ({
      ...rest,
      venue: name,
      fees: { taker: d(taker), maker: d(maker) },
      funds: { base: d(base), quote: d(quote) },
      minAmount: d(minAmount),
      ...(minNotional === undefined ? {} : { minNotional: d(minNotional) }),
      amountDecimals: 0,
      priceDecimals: 0,
    }));
const anyInput = fc
  .record({
    side: fc.constantFrom<Side>('BUY', 'SELL'),
    limit: fc.option(fc.integer({ min: 95, max: 108 }), { nil: undefined }),
    amount: fc.integer({ min: 1, max: 12 }),
    byQuote: fc.boolean(),
    collarPercent: fc.constantFrom('1', '5', '50'),
    timeInForce: fc.constantFrom<TimeInForce>('GTC', 'IOC', 'FOK'),
    postOnly: fc.boolean(),
    venues: fc.tuple(anyVenue('a'), anyVenue('b'), anyVenue('c')),
  })
  .map(({ limit, amount, byQuote, side, collarPercent, timeInForce, postOnly, venues }): RouteInput => {
    const isLimit = limit !== undefined;
    const rule = isLimit ? timeInForce : 'IOC';
    return {
      symbol: 'BTC/BRL',
      side,
      type: isLimit ? 'LIMIT' : 'MARKET',
      size: byQuote && side === 'BUY' ? { quoteAmount: d(amount * 104) } : { amount: d(amount) },
      ...(isLimit ? { price: d(limit) } : {}),
      collarPercent: d(collarPercent),
      timeInForce: rule,
      postOnly: postOnly && rule === 'GTC',
      amountDecimals: 0,
      venues,
    };
  });

/** What a taker gets on a venue for a whole amount by its book, within a bound; undefined where that cannot be. */
function costOn(input: RouteInput, bound: Decimal, one: RouteVenue, amount: number) {
  if (amount === 0) return { total: zero, worst: zero };
  let [left, notional, worst] = [d(amount), zero, zero];
  for (const { price, amount: offered } of input.side === 'BUY' ? one.asks : one.bids) {
    if (left.isZero() || (input.side === 'BUY' ? price.greaterThan(bound) : price.lessThan(bound))) break;
    const part = Decimal.min(left, offered);
    [left, notional, worst] = [left.minus(part), notional.plus(part.times(price)), price];
  }
  if (!left.isZero() || one.minAmount.greaterThan(amount)) return undefined;
  if (worst.times(amount).lessThan(one.minNotional ?? 0)) return undefined;
  const buys = input.side === 'BUY';
  const funded = buys
    ? worst.times(amount).times(one.fees.taker.plus(1)).lessThanOrEqualTo(one.funds.quote)
    : one.funds.base.greaterThanOrEqualTo(amount);
  const total = notional.times(buys ? one.fees.taker.plus(1) : d(1).minus(one.fees.taker));
  return funded ? { total, worst: worst.times(amount) } : undefined;
}

/** The best that can be executed at once: every way of spreading up to `most` over the venues is tried. */
function bestByTrying(input: RouteInput, bound: Decimal, most: number, sets: readonly (readonly RouteVenue[])[]) {
  let best = { amount: 0, total: zero };
  for (const venues of sets) {
    const [a, b, c] = venues;
    for (let x = 0; x <= most; x += 1) {
      for (let y = 0; y <= (b === undefined ? 0 : most - x); y += 1) {
        for (let z = 0; z <= (c === undefined ? 0 : most - x - y); z += 1) {
          const costs = [
            a && costOn(input, bound, a, x),
            b && costOn(input, bound, b, y),
            c && costOn(input, bound, c, z),
          ];
          const known = costs.flatMap((cost) => cost ?? []);
          if (known.length < venues.length) continue;
          const total = sum(known.map((cost) => cost.total));
          if ('quoteAmount' in input.size && sum(known.map((cost) => cost.worst)).greaterThan(input.size.quoteAmount))
            continue;
          const amount = x + y + z;
          const cheaper = input.side === 'BUY' ? total.lessThan(best.total) : total.greaterThan(best.total);
          if (amount > best.amount || (amount === best.amount && cheaper)) best = { amount, total };
        }
      }
    }
  }
  return best;
}

describe('a venue that takes orders from a value on', () => {
  const choosy = (asks: string) => venue('a', { asks, bids: '99 9', over: { minNotional: d(200) } });

  test('gets none that is worth less: it is refused as below the minimum, or goes elsewhere', () => {
    const small = { size: { amount: d(1) } };
    expect(ask([choosy('100 9')], small)).toMatchObject({ kind: 'REFUSED', reason: 'BELOW_MINIMUM' });
    const resting = { ...small, type: 'LIMIT', price: d(90), timeInForce: 'GTC' } as const;
    expect(ask([choosy('100 9')], resting)).toMatchObject({ kind: 'REFUSED', reason: 'BELOW_MINIMUM' });
    const other = venue('b', { asks: '104 9' });
    expect(children(planned([choosy('100 9'), other], small))).toEqual(['b 1 104 IOC']);
  });

  test('gets the least that it takes where that is the best way', () => {
    const other = venue('b', { asks: '99 2' });
    const plan = planned([choosy('100 9'), other], { size: { amount: d(3) } });
    expect(children(plan)).toEqual(['a 2 100 IOC', 'b 1 99 IOC']);
  });
});

describe('whatever the books, fees, funds, lots and limits', () => {
  const usable = ({ venues }: RouteInput) => venues.filter((one) => one.usable);

  test('a plan keeps to size, funds, limit or collar, minimums and lots, and is the same again in any order of venues', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const answer = route(input);
        expect(JSON.stringify(route({ ...input, venues: [...input.venues].reverse() }))).toBe(JSON.stringify(answer));
        if (answer.kind === 'REFUSED') return;
        expect(new Set(answer.children.map((child) => child.venue)).size).toBe(answer.children.length);
        for (const child of answer.children) {
          const one = usable(input).find((known) => known.venue === child.venue);
          expect(one).toBeDefined();
          const [funds, fees] = [one?.funds, one?.fees];
          const within =
            input.side === 'BUY'
              ? child.limitPrice.lessThanOrEqualTo(answer.bound)
              : child.limitPrice.greaterThanOrEqualTo(answer.bound);
          expect(within).toBe(true);
          expect(child.amount.isInteger() && child.amount.greaterThanOrEqualTo(one?.minAmount ?? 0)).toBe(true);
          expect(child.amount.times(child.limitPrice).greaterThanOrEqualTo(one?.minNotional ?? 0)).toBe(true);
          const cost = child.amount.times(child.limitPrice).times(fees?.taker.plus(1) ?? 1);
          expect(
            input.side === 'BUY'
              ? cost.lessThanOrEqualTo(funds?.quote ?? 0)
              : child.amount.lessThanOrEqualTo(funds?.base ?? 0),
          ).toBe(true);
        }
        expect(sum(answer.children.map((child) => child.amount)).toFixed()).toBe(answer.amount.toFixed());
        if ('amount' in input.size)
          expect(answer.amount.plus(answer.unplaced).toFixed()).toBe(input.size.amount.toFixed());
        else expect(answer.worstNotional.lessThanOrEqualTo(input.size.quoteAmount)).toBe(true);
        expect(answer.unplaced.isNegative() && !answer.unplaced.isZero()).toBe(false);
        if (input.timeInForce === 'FOK') expect([answer.children.length, answer.unplaced.toFixed()]).toEqual([1, '0']);
      }),
      { numRuns: 1000 },
    );
  });

  test('a plan is never worse than the best single venue after fees, nor better than the best there is', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const answer = route(input);
        if (answer.kind === 'REFUSED' || input.postOnly || input.timeInForce === 'FOK') return;
        const most = answer.amount.plus(answer.unplaced).toNumber();
        const venues = usable(input);
        const planned = { amount: answer.expected.amount.toNumber(), total: answer.expected.total };
        const single = bestByTrying(
          input,
          answer.bound,
          most,
          venues.map((one) => [one]),
        );
        const ideal = bestByTrying(input, answer.bound, most, [venues]);
        const isWorse = (one: typeof planned, than: typeof planned) =>
          one.amount < than.amount ||
          (one.amount === than.amount &&
            (input.side === 'BUY' ? one.total.greaterThan(than.total) : one.total.lessThan(than.total)));
        expect(isWorse(planned, single)).toBe(false);
        expect(isWorse(ideal, planned)).toBe(false);
        // With neither minimums nor short funds in the way, and no budget that limits bind, the greedy walk is the best there is.
        const free = venues.every(
          (one) =>
            one.minNotional === undefined &&
            one.minAmount.equals(1) &&
            one.funds.quote.greaterThan(1000) &&
            one.funds.base.greaterThan(500),
        );
        if (free && 'amount' in input.size) expect(isWorse(planned, ideal)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  test('a quote amount is used as far as a lot more would go beyond it', () => {
    fc.assert(
      fc.property(levels(100, 1), fc.integer({ min: 100, max: 1200 }), (asks, quoteAmount) => {
        const answer = route({
          symbol: 'BTC/BRL',
          side: 'BUY',
          type: 'MARKET',
          size: { quoteAmount: d(quoteAmount) },
          collarPercent: d(50),
          timeInForce: 'IOC',
          postOnly: false,
          amountDecimals: 0,
          venues: [{ ...venue('a'), asks, amountDecimals: 0, minAmount: d(1) }],
        });
        if (answer.kind === 'REFUSED') return;
        const more = answer.amount.plus(1);
        let left = more;
        const worst = asks.find(({ amount }) => (left = left.minus(amount)).lessThanOrEqualTo(0))?.price;
        if (worst !== undefined) expect(more.times(worst).greaterThan(quoteAmount)).toBe(true);
      }),
    );
  });
});
