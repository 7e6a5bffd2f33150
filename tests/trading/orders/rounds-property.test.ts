import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import type { ExecutionRow } from '../../../subgraphs/trading/orders/execution.store.js';
import {
  boundsOf,
  maxRounds,
  mayGoOn,
  restOf,
  plannedExecutions,
} from '../../../subgraphs/trading/orders/next-round.js';
import { budgetOf, holdOf } from '../../../subgraphs/trading/orders/order.js';
import { settleFill, type Executed } from '../../../subgraphs/trading/orders/settlement.js';
import { route } from '../../../subgraphs/trading/routing/route.js';
import type { RouteInput, RouteVenue } from '../../../subgraphs/trading/routing/routing.js';
import type { Fill, Side } from '../../../subgraphs/trading/venues/venue.js';
import { type Levels } from '../scripted-venue.js';

const now = new Date('2026-11-20T15:00:00Z');
const sides = fc.constantFrom<Side>('BUY', 'SELL');

/** Levels around 100,000, in steps of a half, of one lot to some bitcoins. */
const ladder = (sign: 1 | -1) =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 200_000 })), { maxLength: 6 })
    .map((levels) =>
      [...new Map(levels)]
        .sort(([left], [right]) => left - right)
        .map(
          ([away, lots]) =>
            [
              new Decimal(100_000).plus(new Decimal(away * sign).times('0.5')).toFixed(2),
              new Decimal(lots).dividedBy(100_000).toFixed(),
            ] as const,
        ),
    );
const book = fc.record({ asks: ladder(1), bids: ladder(-1) });
/** What the venues show before each round, and the share of it that is still there when an order arrives. */
const moment = fc.record({
  books: fc.tuple(book, book, book),
  there: fc.tuple(...Array.from({ length: 3 }, () => fc.integer({ min: 0, max: 100 }))),
});

const terms = fc.record({
  side: sides,
  lots: fc.integer({ min: 10, max: 500_000 }),
  byQuote: fc.boolean(),
  takerFee: fc.constantFrom('0', '0.25', '1.777777'),
  moments: fc.array(moment, { minLength: maxRounds + 1, maxLength: maxRounds + 1 }),
});
type Terms = typeof terms extends fc.Arbitrary<infer T> ? T : never;

const venueOf = (index: number, { asks, bids }: { asks: Levels; bids: Levels }): RouteVenue => {
  const levels = (all: Levels) =>
    all.map(([price, amount]) => ({ price: new Decimal(price), amount: new Decimal(amount) }));
  const fees = { maker: new Decimal(0), taker: new Decimal(index).times('0.001') };
  const endless = new Decimal('1e12');
  return {
    ...{ venue: `v${index}`, usable: true, asks: levels(asks), bids: levels(bids), fees },
    ...{
      funds: { base: endless, quote: endless },
      amountDecimals: 5,
      priceDecimals: 2,
      minAmount: new Decimal('0.0001'),
    },
  };
};

/** Sends an order round by round by the rules of the program, over books that move between them, and returns what became of it. */
function send({ side, lots, byQuote, takerFee, moments }: Terms) {
  const amount = new Decimal(lots).dividedBy(100_000);
  const isByQuote = byQuote && side === 'BUY';
  const quoteAmount = isByQuote ? amount.times(100_000).toDecimalPlaces(2).toFixed() : null;
  let order: Parameters<typeof restOf>[0]['order'] & Parameters<typeof plannedExecutions>[1] = {
    ...{ id: 'order', synthetic: false, symbol: 'BTC/BRL', side, status: 'PENDING', worstPrice: null },
    ...{ quoteAmount, cancelRequestedAt: null, createdAt: now },
    ...{ makerFee: takerFee, takerFee, quoteDecimals: 2 },
  };
  const settled = {
    ...{ side, walletId: 'wallet', base: 'BTC', quote: 'BRL', quoteDecimals: 2 },
    ...{ makerFee: new Decimal(takerFee), takerFee: new Decimal(takerFee) },
  };
  const zero = new Decimal(0);
  let executed: Executed = { amount: zero, exactValue: zero, value: zero, exactFee: zero, fee: zero };
  let [executions, fills, spent]: [ExecutionRow[], Fill[], Decimal] = [[], [], zero];
  const inputOf = (index: number, over: Pick<RouteInput, 'size' | 'within'>): RouteInput => ({
    ...{ symbol: 'BTC/BRL', side, type: 'MARKET', timeInForce: 'IOC', postOnly: false, amountDecimals: 5 },
    ...{ collarPercent: new Decimal(5), venues: (moments[index]?.books ?? []).map((one, at) => venueOf(at, one)) },
    ...over,
  });
  let rounds = 0;
  const fee = { feePercent: new Decimal(takerFee), decimals: 2 };
  let input = inputOf(0, { size: quoteAmount === null ? { amount } : { quoteAmount: budgetOf(quoteAmount, fee) } });
  for (;;) {
    const result = route(input);
    if (result.kind === 'REFUSED') break;
    rounds += 1;
    if (rounds === 1) order = { ...order, worstPrice: result.worstPrice.toFixed() };
    const { there = [] } = moments[rounds - 1] ?? {};
    const sent = plannedExecutions({ clock: { now: () => now } }, order, result, { session: 's', round: rounds });
    executions = [
      ...executions,
      ...sent.map((one): ExecutionRow => {
        const share = new Decimal(there[Number(one.venue.slice(1))] ?? 0).dividedBy(100);
        const taken = new Decimal(one.amount).times(share).toDecimalPlaces(5, Decimal.ROUND_DOWN);
        if (taken.isZero()) return { ...one, state: 'CANCELLED' };
        // At the limit: the worst that can happen.
        const fill: Fill = {
          ...{ venue: one.venue, tradeId: one.id, clientOrderId: one.id, symbol: one.symbol, side, at: now },
          ...{ price: new Decimal(one.limitPrice), amount: taken, fee: zero, feeCurrency: 'BRL', liquidity: 'TAKER' },
        };
        const done = settleFill(settled, executed, fill);
        [executed, fills, spent] = [done.after, [...fills, fill], spent.plus(done.spent)];
        const text = taken.toFixed();
        return {
          ...one,
          state: taken.equals(one.amount) ? 'FILLED' : 'CANCELLED',
          filledAmount: text,
          reportedAmount: text,
        };
      }),
    ];
    const reached = { order, executions, executed };
    const rest = restOf(reached);
    if (rest === undefined || !mayGoOn(reached, [], now)) break;
    input = inputOf(rounds, { size: { amount: rest.amount }, within: rest.within });
  }
  return { amount, order, executions, executed, fills, spent, rounds, takerFee };
}

describe('whatever the books do between the rounds of an order', () => {
  test('it never gets more, spends more than its hold, or trades at a worse price than its first plan allows', () => {
    fc.assert(
      fc.property(terms, (given) => {
        const { amount, order, executions, executed, fills, spent, rounds, takerFee } = send(given);
        expect(rounds).toBeLessThanOrEqual(maxRounds);
        if (rounds === 0) return;
        const { side } = given;
        const { quoteAmount } = order;
        const bounds = boundsOf(order, executions);
        if (bounds === undefined) throw new Error('An order without bounds was sent');
        const isBeyond = (price: Decimal | string) =>
          side === 'BUY' ? bounds.worstPrice.lessThan(price) : bounds.worstPrice.greaterThan(price);
        expect(executions.filter(({ limitPrice }) => isBeyond(limitPrice))).toEqual([]);
        expect(fills.filter(({ price }) => isBeyond(price))).toEqual([]);
        expect(executed.amount.lessThanOrEqualTo(bounds.amount)).toBe(true);
        if (quoteAmount === null) expect(executed.amount.lessThanOrEqualTo(amount)).toBe(true);
        else expect(spent.lessThanOrEqualTo(quoteAmount)).toBe(true);
        const hold = holdOf(
          side,
          { base: 'BTC', quote: 'BRL' },
          { amount: bounds.amount, notional: bounds.value ?? new Decimal(0) },
          { feePercent: new Decimal(takerFee), decimals: 2 },
        );
        expect(spent.lessThanOrEqualTo(hold.amount)).toBe(true);
        if (quoteAmount !== null) expect(hold.amount.lessThanOrEqualTo(quoteAmount)).toBe(true);
        // What was placed and not filled is what the next round can send at most.
        for (let round = 2; round <= rounds; round += 1) {
          const of = (which: number) => executions.filter((one) => one.round === which);
          const left = sum(of(round - 1).map((one) => one.amount)).minus(
            sum(of(round - 1).map((one) => one.filledAmount)),
          );
          const before = sum(executions.filter((one) => one.round < round).map((one) => one.filledAmount));
          expect(sum(of(round).map((one) => one.amount)).lessThanOrEqualTo(bounds.amount.minus(before))).toBe(true);
          expect(left.greaterThanOrEqualTo(0)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a further round is sent wherever the books then offer something within the bounds', () => {
    let again = 0;
    fc.assert(
      fc.property(terms, (given) => {
        again += send(given).rounds > 1 ? 1 : 0;
      }),
      { numRuns: 300 },
    );
    expect(again).toBeGreaterThan(0);
  });
});
