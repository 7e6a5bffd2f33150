import { Decimal } from '../../../shared/decimal.js';
import { isWorthTooLittle, type ChildOrder, type RouteInput, type RouteVenue } from './routing.js';

/**
 * Adds the resting part of a GTC order to the parts that take. It rests on one venue: the one with the lowest maker fee whose lots,
 * minimum and funds allow it, by name where fees are equal. On a venue that also takes, both are one order at the limit.
 * @param takers the parts that are executed at once
 * @param amount of the whole order, in the base currency
 */
export function placeRest(
  { side, postOnly }: RouteInput,
  limit: Decimal,
  takers: readonly ChildOrder[],
  amount: Decimal,
  venues: readonly RouteVenue[],
): readonly ChildOrder[] {
  const rest = takers.reduce((left, child) => left.minus(child.amount), amount);
  if (!rest.greaterThan(0)) return takers;
  const ranked = [...venues].sort((left, right) => left.fees.maker.comparedTo(right.fees.maker));
  for (const venue of ranked) {
    const taker = takers.find((child) => child.venue === venue.venue);
    const whole = rest.plus(taker?.amount ?? 0);
    if (!takes(venue, side, whole, limit)) continue;
    const resting = { venue: venue.venue, amount: whole, limitPrice: limit, timeInForce: 'GTC', postOnly } as const;
    return [...takers.filter((child) => child !== taker), resting].sort((left, right) =>
      left.venue < right.venue ? -1 : 1,
    );
  }
  return takers;
}

/** Whether a venue accepts an order of that amount, and the house has the funds for it there. */
function takes(venue: RouteVenue, side: RouteInput['side'], amount: Decimal, limit: Decimal): boolean {
  const { funds, fees, minAmount, amountDecimals, priceDecimals } = venue;
  if (amount.lessThan(minAmount) || amount.decimalPlaces() > amountDecimals) return false;
  if (isWorthTooLittle(venue, amount, limit)) return false;
  if (limit.decimalPlaces() > priceDecimals) return false;
  if (side === 'SELL') return amount.lessThanOrEqualTo(funds.base);
  const fee = Decimal.max(fees.maker, fees.taker);
  return amount.times(limit).times(fee.plus(1)).lessThanOrEqualTo(funds.quote);
}
