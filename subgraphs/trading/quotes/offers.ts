import { Decimal } from '../../../shared/kernel/decimal.js';
import { maxLevels } from '../routing/routing.js';
import type { Book, Level, Side, VenueFees } from '../venues/venue.js';
import type { RestingLevel } from './quote.store.js';

export interface OfferedBook extends Pick<Book, 'venue' | 'bids' | 'asks'> {
  /** Fees as fractions of price × amount. */
  readonly fees: VenueFees;
}

export interface Offers {
  /** The middle between the best bid and the best ask. */
  readonly mid: Decimal;
  /** No level is worse than this price, before fees. */
  readonly bound: Decimal;
  /** Best first; prices with the venues' taker fees. */
  readonly levels: readonly Level[];
  /** Sum of the levels, in the base currency. */
  readonly depth: Decimal;
}

/** Otherwise their owners could move the price of their own quotes with resting orders, and then cancel them. @param resting of any venue; each price at most once */
export function withoutResting<Shown extends Pick<Book, 'venue' | 'bids' | 'asks'>>(
  book: Shown,
  resting: readonly RestingLevel[],
): Shown {
  const own = resting.filter(({ venue }) => venue === book.venue);
  if (own.length === 0) return book;
  const left = (side: Side, levels: readonly Level[]) => {
    const amounts = new Map(own.filter((one) => one.side === side).map((one) => [priceOf(one.price), one.amount]));
    return levels
      .map(({ price, amount }) => ({ price, amount: amount.minus(amounts.get(priceOf(price)) ?? 0) }))
      .filter(({ amount }) => amount.greaterThan(0));
  };
  return { ...book, bids: left('BUY', book.bids), asks: left('SELL', book.asks) };
}

const priceOf = (price: Decimal | string): string => new Decimal(price).toFixed();

/** Only levels within the collar around the mid price count. @returns undefined if there are no bids or no asks */
export function offersOf(side: Side, books: readonly OfferedBook[], collarPercent: Decimal): Offers | undefined {
  const bids = books.flatMap(({ bids: [best] }) => best?.price ?? []);
  const asks = books.flatMap(({ asks: [best] }) => best?.price ?? []);
  if (bids.length === 0 || asks.length === 0) return undefined;
  const sign = side === 'BUY' ? 1 : -1;
  const mid = Decimal.max(...bids)
    .plus(Decimal.min(...asks))
    .dividedBy(2);
  const bound = mid.times(collarPercent.times(sign).dividedBy(100).plus(1));
  const levels = books
    .flatMap((book) => {
      const factor = book.fees.taker.times(sign).plus(1);
      return (side === 'BUY' ? book.asks : book.bids)
        .slice(0, maxLevels)
        .filter(({ price }) => price.comparedTo(bound) * sign <= 0)
        .map(({ price, amount }) => ({ price: price.times(factor), amount }));
    })
    .sort((left, right) => left.price.comparedTo(right.price) * sign);
  return { mid, bound, levels, depth: levels.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0)) };
}

/** Returns the value of an amount, starting with the best level; the amount is at most the depth. */
export function walkValue(levels: readonly Level[], amount: Decimal): Decimal {
  let [left, value] = [amount, new Decimal(0)];
  for (const level of levels) {
    if (left.isZero()) break;
    const taken = Decimal.min(left, level.amount);
    value = value.plus(taken.times(level.price));
    left = left.minus(taken);
  }
  return value;
}

/** Returns the amount that has a given value; more than the depth if the levels do not reach the value. Exact except for the last division. */
export function walkAmount(levels: readonly Level[], value: Decimal): Decimal {
  let [left, amount] = [value, new Decimal(0)];
  for (const level of levels) {
    const worth = level.price.times(level.amount);
    if (worth.greaterThanOrEqualTo(left)) return amount.plus(left.dividedBy(level.price));
    left = left.minus(worth);
    amount = amount.plus(level.amount);
  }
  return left.isZero() ? amount : new Decimal(Infinity);
}
