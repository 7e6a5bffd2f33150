import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { once } from '../../../shared/memo.js';
import type { AfterNewest } from '../unit-price/di-factor.js';
import type { UnitPriceInputs } from '../unit-price/unit-price.js';
import { readIndexRevision } from './index-value.store.js';
import { loadMarket } from './load-market.js';

export type Market = (context: Context) => Promise<UnitPriceInputs>;

/** Creates the input of projections: the newest values are repeated for all later dates. */
export const createHeldMarket = (calendar: () => Promise<Calendar>) => createMarket(calendar, 'HELD');

/** Caches that input in this process until index values are added; each request checks for additions. Input of a past moment is not cached. */
export function createMarket(calendar: () => Promise<Calendar>, afterNewest: AfterNewest): Market {
  let kept: { readonly revision: string | undefined; readonly load: Market } | undefined;
  return async (context) => {
    if (context.asOf !== undefined) return loadMarket(context, await calendar(), afterNewest);
    const revision = await readIndexRevision(context);
    if (kept === undefined || kept.revision !== revision) {
      const load = once(async () => loadMarket(context, await calendar(), afterNewest));
      kept = { revision, load };
    }
    return kept.load(context);
  };
}
