import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { isWorthTooLittle, maxLevels, type RouteCost, type RouteVenue } from './routing.js';
import { isWithin, offerOf, walkBooks, type Demand } from './walk-books.js';

/** A part of the demand, for one venue. */
export interface Share {
  readonly venue: RouteVenue;
  readonly amount: Decimal;
  /** The price of the worst level that it needs. */
  readonly limitPrice: Decimal;
  /** Price × amount by the book. */
  readonly notional: Decimal;
}

/** A distribution of the demand. Each share is at least its venue's minimum, with no more decimals than the venue accepts. */
export interface Allocation {
  readonly shares: readonly Share[];
  readonly cost: RouteCost;
  /** Sum of amount × limit price. */
  readonly worstNotional: Decimal;
}

const zero = new Decimal(0);

/** Distributes a demand over venues as well as lots and minimums allow. It may use only some of them. */
export function allocate(demand: Demand, venues: readonly RouteVenue[]): Allocation {
  const wanted = walkBooks(demand, venues);
  const least = new Map<string, Decimal>();
  venues.forEach((venue, index) => {
    const amount = floored(wanted[index] ?? zero, venue);
    const needed = leastOf(demand, venue);
    if (amount.greaterThan(0) && amount.lessThan(needed)) least.set(venue.venue, needed);
  });
  // A venue with too small a share gets its minimum, before the others are served, or nothing.
  const amounts = least.size === 0 ? wanted : walkBooks(demand, venues, least);
  const shares = venues.flatMap((venue, index) => {
    const amount = floored(amounts[index] ?? zero, venue);
    const share = amount.lessThan(venue.minAmount) ? undefined : shareOf(demand, venue, amount);
    return share ?? [];
  });
  return toAllocation(demand, topUp(demand, shares));
}

/**
 * Returns the smallest amount that a venue accepts by its book: its minimum, or more where that is worth too little at the price of the level that it
 * reaches; its minimum if the book within the bound does not offer so much.
 */
function leastOf({ side, bound }: Demand, venue: RouteVenue): Decimal {
  const { minAmount, minNotional, amountDecimals } = venue;
  if (minNotional === undefined) return minAmount;
  let before = zero;
  for (const { price, amount } of offerOf(side, venue).levels.slice(0, maxLevels)) {
    if (!isWithin(side, price, bound)) break;
    const worth = minNotional.dividedBy(price).toDecimalPlaces(amountDecimals, Decimal.ROUND_UP);
    // A smaller amount would end at a price of the levels before, at which it is worth too little.
    const least = Decimal.max(minAmount, worth, before.plus(new Decimal(10).pow(-amountDecimals)));
    before = before.plus(amount);
    if (least.lessThanOrEqualTo(before)) return floored(least, venue);
  }
  return minAmount;
}

function floored(amount: Decimal, { amountDecimals }: RouteVenue): Decimal {
  return amount.toDecimalPlaces(amountDecimals, Decimal.ROUND_DOWN);
}

/** Returns a venue's share of an amount, by its book; undefined if the book within the bound, or the funds, are insufficient. */
function shareOf({ side, bound }: Demand, venue: RouteVenue, amount: Decimal): Share | undefined {
  if (!amount.greaterThan(0)) return undefined;
  const { levels, factor } = offerOf(side, venue);
  let left = amount;
  let notional = zero;
  for (const { price, amount: offered } of levels.slice(0, maxLevels)) {
    if (!isWithin(side, price, bound)) return undefined;
    const part = Decimal.min(left, offered);
    notional = notional.plus(part.times(price));
    left = left.minus(part);
    if (left.greaterThan(0)) continue;
    if (isWorthTooLittle(venue, amount, price)) return undefined;
    const needed = side === 'SELL' ? amount : amount.times(price).times(factor);
    const has = side === 'SELL' ? venue.funds.base : venue.funds.quote;
    return needed.greaterThan(has) ? undefined : { venue, amount, limitPrice: price, notional };
  }
  return undefined;
}

/** Adds the remainder of rounding to the share of a venue that accepts it, in the cheapest way. */
function topUp(demand: Demand, shares: readonly Share[]): readonly Share[] {
  const left = demand.amount.minus(sum(shares.map(({ amount }) => amount)));
  if (!left.greaterThan(0) || !left.isFinite()) return shares;
  const options = shares.flatMap((share, index) => {
    const extra = floored(left, share.venue);
    const grown = extra.greaterThan(0) ? shareOf(demand, share.venue, share.amount.plus(extra)) : undefined;
    return grown === undefined ? [] : [shares.with(index, grown)];
  });
  return options
    .filter((option) => demand.budget === undefined || worstOf(option).lessThanOrEqualTo(demand.budget))
    .reduce(
      (best, option) => (isBetter(demand, toAllocation(demand, option), toAllocation(demand, best)) ? option : best),
      shares,
    );
}

function worstOf(shares: readonly Share[]): Decimal {
  return sum(shares.map(({ amount, limitPrice }) => amount.times(limitPrice)));
}

function toAllocation({ side }: Demand, shares: readonly Share[]): Allocation {
  const amount = sum(shares.map((share) => share.amount));
  const notional = sum(shares.map((share) => share.notional));
  const fees = sum(shares.map((share) => share.notional.times(share.venue.fees.taker)));
  const total = side === 'BUY' ? notional.plus(fees) : notional.minus(fees);
  return { shares, cost: { amount, notional, fees, total }, worstNotional: worstOf(shares) };
}

/** Whether one allocation is better than another: it executes more, or as much for a better total after fees, or on fewer venues. */
export function isBetter({ side }: Pick<Demand, 'side'>, one: Allocation, other: Allocation): boolean {
  const byAmount = one.cost.amount.comparedTo(other.cost.amount);
  if (byAmount !== 0) return byAmount > 0;
  const byTotal = one.cost.total.comparedTo(other.cost.total);
  if (byTotal !== 0) return side === 'BUY' ? byTotal < 0 : byTotal > 0;
  return one.shares.length < other.shares.length;
}
