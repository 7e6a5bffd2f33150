import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { offersOf, type OfferedBook } from '../../../subgraphs/trading/quotes/offers.js';
import { priceQuote, type QuotePrice, type QuoteSize } from '../../../subgraphs/trading/quotes/price-quote.js';
import { totalOf, houseTiers, spreadOf, type SpreadTier } from '../../../subgraphs/trading/quotes/quote.js';
import type { Level, Side } from '../../../subgraphs/trading/venues/venue.js';

const d = (value: string | number) => new Decimal(value);

/** Levels of a book, away from the middle of 100,000. */
const side = (sign: 1 | -1) =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: 400_000 }), fc.integer({ min: 1, max: 2_000_000 })), {
      minLength: 1,
      maxLength: 15,
    })
    .map((steps): Level[] => {
      let cents = 10_000_000;
      return steps.map(([step, amount]) => {
        cents += sign * Math.min(step, 600_000);
        return { price: d(Math.max(cents, 1)).dividedBy(100), amount: d(amount).dividedBy(100_000) };
      });
    });
const books: fc.Arbitrary<OfferedBook[]> = fc.array(
  fc.record({
    venue: fc.constantFrom<string>('aurora', 'boreal'),
    bids: side(-1),
    asks: side(1),
    fees: fc.integer({ min: 0, max: 30 }).map((bps) => ({ maker: d(0), taker: d(bps).dividedBy(10_000) })),
  }),
  { minLength: 1, maxLength: 3 },
);
/** Any tiers, falling or not. */
const tiers = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 30_000 }), fc.integer({ min: 0, max: 5_000 })), {
    minLength: 1,
    maxLength: 5,
    selector: ([above]) => above,
  })
  .map((rows): SpreadTier[] =>
    rows
      .sort(([left], [right]) => left - right)
      .map(([above, bps]) => ({ aboveBrl: d(above).times(100), percent: d(bps).dividedBy(100) })),
  );
const sides = fc.constantFrom<Side>('BUY', 'SELL');
const world = fc.record({
  side: sides,
  books,
  tiers: fc.oneof(fc.constant(houseTiers), tiers),
  brlRate: fc.constantFrom('1', '5.4137', '0.3'),
  feePercent: fc.integer({ min: 0, max: 1_000 }).map((bps) => d(bps).dividedBy(100)),
  priceDecimals: fc.integer({ min: 0, max: 4 }),
});
type World = typeof world extends fc.Arbitrary<infer Made> ? Made : never;

function quote({ side, books, tiers, brlRate, feePercent, priceDecimals }: World, size: QuoteSize) {
  const offers = offersOf(side, books, d(50));
  if (offers === undefined) throw new Error('There is no market');
  const spread = spreadOf(side, tiers, d(brlRate));
  return priceQuote({ side, size, offers, spread, feePercent, amountDecimals: 5, priceDecimals, quoteDecimals: 2 });
}
const isPrice = (result: ReturnType<typeof quote>): result is QuotePrice => typeof result !== 'string';
const total = (side: Side, { value, fee }: QuotePrice) => totalOf(side, value, fee);
/** The least difference of two prices. */
const step = ({ priceDecimals }: World) => d(10).pow(-priceDecimals);
const amounts = fc
  .oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20_000_000 }))
  .map((n) => d(n).dividedBy(100_000));

describe('the price of a quote', () => {
  test('more volume never costs a BUY less and never brings a SELL less, but for the rounding of the price, whatever the books and the tiers', () => {
    fc.assert(
      fc.property(world, amounts, amounts, fc.boolean(), (given, first, other, isNext) => {
        const more = isNext ? first.plus('0.00001') : first.plus(other);
        const [less, larger] = [quote(given, { amount: first }), quote(given, { amount: more })];
        if (!isPrice(less) || !isPrice(larger)) return;
        const rounding = step(given).times(given.side === 'BUY' ? first : more);
        expect(larger.value.plus(rounding).plus('0.01').greaterThan(less.value)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('is never better for the client than the books, and says by how much it is worse', () => {
    fc.assert(
      fc.property(world, amounts, (given, amount) => {
        const priced = quote(given, { amount });
        if (!isPrice(priced)) return;
        const worse = priced.value.minus(priced.bookValue).times(given.side === 'BUY' ? 1 : -1);
        expect(worse.greaterThanOrEqualTo(0)).toBe(true);
        expect(priced.value.decimalPlaces()).toBeLessThanOrEqual(2);
        const said = priced.bookValue.times(priced.spreadPercent).dividedBy(100);
        expect(said.minus(worse).abs().lessThanOrEqualTo(priced.bookValue.times('0.0000005'))).toBe(true);
      }),
    );
  });

  test('has the decimals of the market, worse for the client than the exact one by less than a step, and price × amount is the value', () => {
    fc.assert(
      fc.property(world, amounts, (given, amount) => {
        const [priced, exact] = [quote(given, { amount }), quote({ ...given, priceDecimals: 30 }, { amount })];
        if (!isPrice(priced) || !isPrice(exact)) return;
        const isBuy = given.side === 'BUY';
        expect(priced.price.decimalPlaces()).toBeLessThanOrEqual(given.priceDecimals);
        const worse = priced.price.minus(exact.price).times(isBuy ? 1 : -1);
        expect(worse.greaterThanOrEqualTo(0) && worse.lessThan(step(given))).toBe(true);
        const value = priced.price.times(amount).toDecimalPlaces(2, isBuy ? Decimal.ROUND_UP : Decimal.ROUND_DOWN);
        expect(priced.value).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  test('of a quote amount is that of the nearest amount: a BUY costs no more in all, a SELL brings no less, and one unit further would not do', () => {
    fc.assert(
      fc.property(world, fc.integer({ min: 1, max: 500_000_000 }), (given, cents) => {
        const wish = d(cents).dividedBy(100);
        const priced = quote(given, { quoteAmount: wish });
        if (!isPrice(priced)) return;
        expect(priced.amount.decimalPlaces()).toBeLessThanOrEqual(5);
        const isBuy = given.side === 'BUY';
        const does = (one: QuotePrice) =>
          isBuy ? total('BUY', one).lessThanOrEqualTo(wish) : total('SELL', one).greaterThanOrEqualTo(wish);
        expect(does(priced)).toBe(true);
        const next = quote(given, { amount: priced.amount.plus(isBuy ? '0.00001' : '-0.00001') });
        if (isPrice(next)) expect(does(next)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test('takes the best of all books after fees, and each tier for its own part alone', () => {
    const book = (venue: string, ask: string, taker: string): OfferedBook => ({
      venue,
      bids: [{ price: d('99'), amount: d(1) }],
      asks: [{ price: d(ask), amount: d(5_000) }],
      fees: { maker: d(0), taker: d(taker) },
    });
    // 101 with a fee of 2% is dearer than 102 without.
    const given: World = {
      side: 'BUY',
      books: [book('aurora', '101', '0.02'), book('boreal', '102', '0')],
      tiers: houseTiers,
      brlRate: '1',
      feePercent: d('0.1'),
      priceDecimals: 3,
    };
    const priced = quote(given, { amount: d(2_000) });
    // 204,000 of the book: 0.5% of 100,000 and 0.35% of the other 104,000.
    expect(priced).toMatchObject({ price: d('102.432'), value: d('204864'), bookValue: d('204000'), fee: d('204.86') });
    expect(isPrice(priced) && priced.spreadPercent.toFixed()).toBe('0.4235');
  });

  test('is not given for more than the books hold, nor for nothing', () => {
    fc.assert(
      fc.property(world, (given) => {
        const depth = offersOf(given.side, given.books, d(50))?.depth ?? d(0);
        expect(quote(given, { amount: depth.plus('0.00001') })).toBe('TOO_MUCH');
        expect(quote(given, { quoteAmount: d('1e15') })).toBe('TOO_MUCH');
      }),
    );
  });
});
