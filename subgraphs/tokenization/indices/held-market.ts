import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { once } from '../../../shared/memo.js';
import type { UnitPriceInputs } from '../unit-price/unit-price.js';
import { readIndexRevision } from './index-value.store.js';
import { loadMarket } from './load-market.js';

/** Loads the input of projections: published index values, with the newest ones repeated for all later dates. */
export type HeldMarket = (context: Context) => Promise<UnitPriceInputs>;

/** Caches that input in this process until index values are added; each request checks for additions. Input of a past moment is not cached. */
export function createHeldMarket(calendar: () => Promise<Calendar>): HeldMarket {
  let kept: { readonly revision: string | undefined; readonly load: HeldMarket } | undefined;
  return async (context) => {
    if (context.asOf !== undefined) return loadMarket(context, await calendar(), 'HELD');
    const revision = await readIndexRevision(context);
    if (kept === undefined || kept.revision !== revision) {
      const load = once(async () => loadMarket(context, await calendar(), 'HELD'));
      kept = { revision, load };
    }
    return kept.load(context);
  };
}
