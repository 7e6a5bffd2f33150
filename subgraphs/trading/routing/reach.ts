import { Decimal } from '../../../shared/decimal.js';
import { isWorthTooLittle, type ChildOrder, type RouteInput, type RouteVenue } from './routing.js';
import { isWithin } from './walk-books.js';

/** How far beyond the worst level of its first plan a MARKET order may be sent again, in percent: books move while it is on its way. */
const reachPercent = new Decimal('0.5');

/**
 * Lets the parts of a later round go as far as its bounds allow, and not only to the levels that they need: books have moved on the way before, and may do so again. Where the
 * value or the house's funds at a venue do not reach that far, all stay as they are.
 */
export function reaching(
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
export function worstPriceOf(
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
