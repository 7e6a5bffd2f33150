import { Decimal } from '../../../shared/decimal.js';
import type { SupervisedVenue } from '../venues/supervise-venue.js';
import { isStale } from '../venues/venue.js';
import type { RouteVenue } from './routing.js';

export interface RouteVenuesOptions {
  readonly symbol: string;
  readonly now: Date;
  /** A book that is older is not used, in milliseconds. */
  readonly maxBookAgeMs: number;
  /** What the house has available on a venue, in a currency. */
  readonly fundsOf: (venue: string, currency: string) => Decimal;
}

/** The venues of a world as the router sees them at a moment: those that trade the symbol, used or not. */
export function toRouteVenues(venues: readonly SupervisedVenue[], options: RouteVenuesOptions): RouteVenue[] {
  const { symbol, now, maxBookAgeMs, fundsOf } = options;
  return venues.flatMap((venue) => {
    const market = venue.markets().find((one) => one.symbol === symbol);
    if (market === undefined) return [];
    const book = venue.book(symbol);
    const { base, quote, amountDecimals, priceDecimals, minAmount } = market;
    return {
      venue: venue.name,
      usable: venue.isUsable() && book !== undefined && !isStale(book, now, maxBookAgeMs),
      bids: book?.bids ?? [],
      asks: book?.asks ?? [],
      fees: venue.fees(symbol),
      funds: { base: fundsOf(venue.name, base), quote: fundsOf(venue.name, quote) },
      amountDecimals,
      priceDecimals,
      minAmount,
    };
  });
}
