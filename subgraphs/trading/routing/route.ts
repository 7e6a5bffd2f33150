import { Decimal, sum, truncate } from '../../../shared/kernel/decimal.js';
import type { Side } from '../venues/venue.js';
import {
  isWorthTooLittle,
  type ChildOrder,
  type RouteInput,
  type RoutePlan,
  type RouteRefusal,
  type RouteRefusalReason,
  type RouteVenue,
  type SingleCost,
  maxLevels,
  type RouteCost,
} from './routing.js';
import { isWithin, walkBooks, type Demand, offerOf } from './walk-books.js';

/** Up to this number of venues, every combination is tried; above it, only all together and each by itself. */
const maxCombined = 4;

/**
 * Decides where an order goes: a pure function of books, fees, funds and limits. The plan never exceeds the size, the house's
 * funds, the limit or the collar; it executes no less than the best single venue would, and as much at no worse total after fees.
 * The same input gives the same plan: ties are decided by the venue's name.
 *
 * - MARKET, IOC: everything within the bound, on one or several venues
 * - FOK: the one venue that fills all of it at the best total, since several cannot guarantee it together
 * - GTC: everything within the limit is taken; the rest, or all, rests on one venue, and nothing ends before it is filled
 *
 * A quote amount bounds the sum of amount × limit price of the children, so that it is not exceeded whatever the books do. So do the bounds of
 * what is left of an order after a round.
 * @throws {RangeError} for a LIMIT order without a price, and for a SELL by quote amount
 */
export function route(input: RouteInput): RoutePlan | RouteRefusal {
  const venues = input.venues.filter(({ usable }) => usable).sort((left, right) => (left.venue < right.venue ? -1 : 1));
  const mid = midOf(venues);
  const refused = (reason: RouteRefusalReason): RouteRefusal => ({ kind: 'REFUSED', reason, mid });
  const { side, price, timeInForce } = input;
  if (side === 'SELL' && 'quoteAmount' in input.size)
    throw new RangeError('A SELL order has no amount in the base currency');
  if (venues.length === 0) return refused('NO_VENUE');
  const bound = boundOf(input, mid);
  if (bound === undefined) return refused('NO_LIQUIDITY');
  const crosses = venues.some((venue) => opposite(side, venue).some((level) => isWithin(side, level.price, bound)));
  if (input.postOnly && crosses) return refused('WOULD_TAKE');

  const demand = demandOf(input, bound, venues);
  const singles = venues.map((venue) => ({ venue, allocation: allocate(demand, [venue]) }));
  const whole = singles.filter(({ allocation }) => allocation.cost.amount.equals(demand.amount));
  const alone = (timeInForce === 'FOK' ? whole : singles).map(({ allocation }) => allocation);
  const candidates = timeInForce === 'FOK' ? alone : [...alone, ...combined(demand, venues)];
  const best = bestOf(demand, candidates);
  const taken = input.postOnly || best === undefined ? [] : best.shares;
  const takers = taken.map(({ venue, amount, limitPrice }): ChildOrder => {
    const own = timeInForce === 'FOK' ? 'FOK' : 'IOC';
    return { venue: venue.venue, amount, limitPrice, timeInForce: own, postOnly: false };
  });
  const rests = timeInForce === 'GTC' && input.type === 'LIMIT' && price !== undefined;
  const children = rests
    ? placeRest(input, price, takers, demand.amount, venues)
    : reaching(input, bound, takers, venues);
  if (children.length === 0) return refused(whyNothing(input, demand, venues, crosses));
  const worstPrice = worstPriceOf(input, bound, children, venues);
  return planOf({
    input,
    demand,
    mid,
    bound,
    children,
    worstPrice,
    best: taken.length === 0 ? undefined : best,
    singles,
  });
}

/** Returns the middle between the best bid and the best ask; if there is one side only, its best. */
function midOf(venues: readonly RouteVenue[]): Decimal | undefined {
  const bids = venues.flatMap(({ bids: [best] }) => best?.price ?? []);
  const asks = venues.flatMap(({ asks: [best] }) => best?.price ?? []);
  const [bid, ask] = [
    bids.length === 0 ? undefined : Decimal.max(...bids),
    asks.length === 0 ? undefined : Decimal.min(...asks),
  ];
  return bid === undefined || ask === undefined ? (bid ?? ask) : bid.plus(ask).dividedBy(2);
}

/** Returns the worst allowed price: the limit, or the collar around the mid, and no worse than the first round's. */
function boundOf(input: RouteInput, mid: Decimal | undefined): Decimal | undefined {
  const { side, within } = input;
  const bound = ownBoundOf(input, mid);
  if (bound === undefined || within === undefined) return bound;
  return isWithin(side, within.worstPrice, bound) ? within.worstPrice : bound;
}

function ownBoundOf({ side, type, price, collarPercent }: RouteInput, mid: Decimal | undefined): Decimal | undefined {
  if (type === 'LIMIT') {
    if (price === undefined) throw new RangeError('A LIMIT order has no price');
    return price;
  }
  return mid?.times(side === 'BUY' ? collarPercent.plus(100) : collarPercent.negated().plus(100)).dividedBy(100);
}

function opposite(side: Side, { asks, bids }: RouteVenue) {
  return (side === 'BUY' ? asks : bids).slice(0, 1);
}

/** Returns the demand as an amount; for a quote amount the amount that the books give for it, with no more decimals than the market has. */
function demandOf(
  { side, size, amountDecimals, price, within }: RouteInput,
  bound: Decimal,
  venues: readonly RouteVenue[],
): Demand {
  if ('amount' in size) return { side, bound, amount: size.amount, budget: within?.value };
  const budget = size.quoteAmount;
  // An order with a limit is sized by it, so that it stays within the budget whatever is filled, and whenever.
  const amount =
    price !== undefined
      ? budget.dividedBy(price)
      : walkBooks({ side, bound, budget, amount: new Decimal(Infinity) }, venues).reduce((all, one) => all.plus(one));
  return { side, bound, budget, amount: amount.toDecimalPlaces(amountDecimals, Decimal.ROUND_DOWN) };
}

function combined(demand: Demand, venues: readonly RouteVenue[]): Allocation[] {
  const sets = venues.length <= maxCombined ? subsets(venues) : [venues];
  return sets.filter(({ length }) => length > 1).map((some) => allocate(demand, some));
}

/** Returns every non-empty combination, each in the order of the list. */
function subsets(venues: readonly RouteVenue[]): (readonly RouteVenue[])[] {
  return Array.from({ length: 2 ** venues.length - 1 }, (_, index) =>
    venues.filter((_venue, bit) => ((index + 1) >> bit) % 2 === 1),
  );
}

function bestOf(demand: Demand, candidates: readonly Allocation[]): Allocation | undefined {
  return candidates
    .filter(({ shares }) => shares.length > 0)
    .reduce<Allocation | undefined>(
      (best, one) => (best === undefined || isBetter(demand, one, best) ? one : best),
      undefined,
    );
}

/** Compares by amount or by value: at the limit of an order that may rest, else at the first price that the venue offers. */
function isBelow({ timeInForce, price }: RouteInput, { side, amount, bound }: Demand, venue: RouteVenue): boolean {
  const [best] = opposite(side, venue);
  const at = timeInForce === 'GTC' && price !== undefined ? price : (best?.price ?? bound);
  return amount.lessThan(venue.minAmount) || isWorthTooLittle(venue, amount, at);
}

function whyNothing(
  input: RouteInput,
  demand: Demand,
  venues: readonly RouteVenue[],
  crosses: boolean,
): RouteRefusalReason {
  if (venues.every((venue) => isBelow(input, demand, venue))) return 'BELOW_MINIMUM';
  const { timeInForce } = input;
  if (timeInForce === 'GTC') return 'NO_FUNDS';
  if (!crosses) return 'NO_LIQUIDITY';
  const endless = new Decimal(Infinity);
  const rich = venues.map((venue) => ({ ...venue, funds: { base: endless, quote: endless } }));
  const amounts = rich.map((venue) => allocate(demand, [venue]).cost.amount);
  const enough =
    timeInForce === 'FOK'
      ? (amount: Decimal) => amount.equals(demand.amount)
      : (amount: Decimal) => amount.greaterThan(0);
  if (amounts.some(enough)) return 'NO_FUNDS';
  return timeInForce === 'FOK' ? 'NOT_FILLABLE' : 'NO_LIQUIDITY';
}

interface PlanParts {
  readonly input: RouteInput;
  readonly demand: Demand;
  readonly mid: Decimal | undefined;
  readonly bound: Decimal;
  readonly children: readonly ChildOrder[];
  readonly worstPrice: Decimal;
  readonly best: Allocation | undefined;
  readonly singles: readonly { readonly venue: RouteVenue; readonly allocation: Allocation }[];
}

function planOf({ input, demand, mid, bound, children, worstPrice, best, singles }: PlanParts): RoutePlan {
  const zero = new Decimal(0);
  const amount = children.reduce((all, child) => all.plus(child.amount), zero);
  const expected = best?.cost ?? { amount: zero, notional: zero, fees: zero, total: zero };
  const average = expected.amount.isZero() ? undefined : expected.notional.dividedBy(expected.amount);
  const away = mid === undefined ? undefined : average?.minus(mid).dividedBy(mid).times(100);
  return {
    kind: 'PLAN',
    children,
    amount,
    unplaced: demand.amount.minus(amount),
    expected,
    worstNotional: children.reduce((all, child) => all.plus(child.amount.times(child.limitPrice)), zero),
    worstPrice,
    mid,
    slippagePercent: (input.side === 'BUY' ? away : away?.negated())?.toDecimalPlaces(6, Decimal.ROUND_HALF_UP),
    bound,
    singles: singles.map(({ venue, allocation }): SingleCost => ({ venue: venue.venue, ...allocation.cost })),
  };
}

/**
 * Turns the parts of a GTC order that are executed at once, and its rest, into orders that stay in force at the limit: an offer
 * that is gone before an order arrives must not end it. The rest goes to one venue: the one with the lowest maker fee whose lots,
 * minimum and funds allow it, by name where fees are equal; on a venue that also takes, both are one order. A part that its venue
 * cannot accept at the limit is executed at once or cancelled.
 * @param takers the parts that are executed at once, with the worst price that each needs
 * @param amount of the whole order, in the base currency
 */
function placeRest(
  { side, postOnly }: RouteInput,
  limit: Decimal,
  takers: readonly ChildOrder[],
  amount: Decimal,
  venues: readonly RouteVenue[],
): readonly ChildOrder[] {
  const rest = takers.reduce((left, child) => left.minus(child.amount), amount);
  const ranked = [...venues].sort((left, right) => left.fees.maker.comparedTo(right.fees.maker));
  const wholeAt = ({ venue }: RouteVenue) =>
    takers.reduce((whole, child) => (child.venue === venue ? whole.plus(child.amount) : whole), rest);
  const host = rest.greaterThan(0) ? ranked.find((venue) => takes(venue, side, wholeAt(venue), limit)) : undefined;
  return venues.flatMap((venue): readonly ChildOrder[] => {
    const taker = takers.find((child) => child.venue === venue.venue);
    const whole = venue === host ? wholeAt(venue) : taker?.amount;
    if (whole === undefined) return [];
    if (taker !== undefined && venue !== host && !takes(venue, side, whole, limit)) return [taker];
    return [{ venue: venue.venue, amount: whole, limitPrice: limit, timeInForce: 'GTC', postOnly }];
  });
}

function takes(venue: RouteVenue, side: RouteInput['side'], amount: Decimal, limit: Decimal): boolean {
  const { funds, fees, minAmount, amountDecimals, priceDecimals } = venue;
  if (amount.lessThan(minAmount) || amount.decimalPlaces() > amountDecimals) return false;
  if (isWorthTooLittle(venue, amount, limit)) return false;
  if (limit.decimalPlaces() > priceDecimals) return false;
  if (side === 'SELL') return amount.lessThanOrEqualTo(funds.base);
  const fee = Decimal.max(fees.maker, fees.taker);
  return amount.times(limit).times(fee.plus(1)).lessThanOrEqualTo(funds.quote);
}

/** How far beyond the worst level of its first plan a MARKET order may be sent again, in percent: books move while it is on its way. */
const reachPercent = new Decimal('0.5');

/** Parts of a later round go as far as its bounds allow, since books move on the way; where value or funds do not reach that far, all stay as they are. */
function reaching(
  { side, within }: RouteInput,
  bound: Decimal,
  takers: readonly ChildOrder[],
  venues: readonly RouteVenue[],
): readonly ChildOrder[] {
  if (within === undefined) return takers;
  const rounding = side === 'BUY' ? Decimal.ROUND_DOWN : Decimal.ROUND_UP;
  let value = new Decimal(0);
  const far: ChildOrder[] = [];
  for (const child of takers) {
    const venue = venues.find((one) => one.venue === child.venue);
    const limit = bound.toDecimalPlaces(venue?.priceDecimals ?? 0, rounding);
    const limitPrice = isWithin(side, child.limitPrice, limit) ? limit : child.limitPrice;
    const worth = child.amount.times(limitPrice);
    const isFunded =
      side === 'SELL' || worth.times(venue?.fees.taker.plus(1) ?? 1).lessThanOrEqualTo(venue?.funds.quote ?? 0);
    if (!isFunded || (venue !== undefined && isWorthTooLittle(venue, child.amount, limitPrice))) return takers;
    value = value.plus(worth);
    far.push({ ...child, limitPrice });
  }
  return within.value?.lessThan(value) === true ? takers : far;
}

/** Returns the worst price of all rounds, with no more decimals than a venue accepts. */
function worstPriceOf(
  { side, type, price, timeInForce, within }: RouteInput,
  bound: Decimal,
  children: readonly ChildOrder[],
  venues: readonly RouteVenue[],
): Decimal {
  const limits = children.map(({ limitPrice }) => limitPrice);
  const isBuy = side === 'BUY';
  const worst = isBuy ? Decimal.max(...limits) : Decimal.min(...limits);
  if (timeInForce !== 'IOC' || within !== undefined) return worst;
  if (type === 'LIMIT') return price ?? worst;
  const reach = worst.times(isBuy ? reachPercent.plus(100) : reachPercent.negated().plus(100)).dividedBy(100);
  const decimals = Math.max(...venues.map(({ priceDecimals }) => priceDecimals));
  const rounded = (price: Decimal) => price.toDecimalPlaces(decimals, isBuy ? Decimal.ROUND_DOWN : Decimal.ROUND_UP);
  // The worst level is within the bound, and so is what lies between the two.
  return isBuy
    ? Decimal.max(worst, rounded(Decimal.min(reach, bound)))
    : Decimal.min(worst, rounded(Decimal.max(reach, bound)));
}

export interface Share {
  readonly venue: RouteVenue;
  readonly amount: Decimal;
  /** The price of the worst level that it needs. */
  readonly limitPrice: Decimal;
  /** Price × amount by the book. */
  readonly notional: Decimal;
}

/** A distribution of the demand. Each share is at least its venue's minimum, with no more decimals than the venue accepts. */
interface Allocation {
  readonly shares: readonly Share[];
  readonly cost: RouteCost;
  /** Sum of amount × limit price. */
  readonly worstNotional: Decimal;
}

const zero = new Decimal(0);

/** Distributes a demand over venues as well as lots and minimums allow. It may use only some of them. */
function allocate(demand: Demand, venues: readonly RouteVenue[]): Allocation {
  const wanted = walkBooks(demand, venues);
  const least = new Map<string, Decimal>();
  venues.forEach((venue, index) => {
    const amount = truncate(wanted[index] ?? zero, venue.amountDecimals);
    const needed = leastOf(demand, venue);
    if (amount.greaterThan(0) && amount.lessThan(needed)) least.set(venue.venue, needed);
  });
  // A venue with too small a share gets its minimum, before the others are served, or nothing.
  const amounts = least.size === 0 ? wanted : walkBooks(demand, venues, least);
  const shares = venues.flatMap((venue, index) => {
    const amount = truncate(amounts[index] ?? zero, venue.amountDecimals);
    const share = amount.lessThan(venue.minAmount) ? undefined : shareOf(demand, venue, amount);
    return share ?? [];
  });
  return toAllocation(demand, topUp(demand, shares));
}

/** Returns its minimum, or more where that is worth too little at the price of the level reached; its minimum if the book within the bound does not offer so much. */
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
    if (least.lessThanOrEqualTo(before)) return truncate(least, venue.amountDecimals);
  }
  return minAmount;
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
    const extra = truncate(left, share.venue.amountDecimals);
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
function isBetter({ side }: Pick<Demand, 'side'>, one: Allocation, other: Allocation): boolean {
  const byAmount = one.cost.amount.comparedTo(other.cost.amount);
  if (byAmount !== 0) return byAmount > 0;
  const byTotal = one.cost.total.comparedTo(other.cost.total);
  if (byTotal !== 0) return side === 'BUY' ? byTotal < 0 : byTotal > 0;
  return one.shares.length < other.shares.length;
}
