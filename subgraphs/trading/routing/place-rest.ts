import { Decimal } from '../../../shared/decimal.js';
import { isWorthTooLittle, type ChildOrder, type RouteInput, type RouteVenue } from './routing.js';

/**
 * Turns the parts of a GTC order that are executed at once, and its rest, into orders that stay in force at the limit: an offer
 * that is gone before an order arrives must not end it. The rest goes to one venue: the one with the lowest maker fee whose lots,
 * minimum and funds allow it, by name where fees are equal; on a venue that also takes, both are one order. A part that its venue
 * cannot accept at the limit is executed at once or cancelled.
 * @param takers the parts that are executed at once, with the worst price that each needs
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
