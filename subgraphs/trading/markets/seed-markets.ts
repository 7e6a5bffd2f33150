import type { Context } from '../../../shared/context.js';
import type { VenueMarket } from '../venues/venue.js';
import { usualCollarPercent } from './market-rules.js';
import { addFirstMarkets } from './market.store.js';

/** Adds the markets of the venues if there are no markets at all; later changes by operators stay. */
export function seedMarkets(context: Context, markets: readonly VenueMarket[]): Promise<void> {
  const rows = markets.map(({ minAmount, ...market }) => ({
    ...market,
    minOrderSize: minAmount.toFixed(),
    collarPercent: usualCollarPercent,
  }));
  return addFirstMarkets(context, rows);
}
