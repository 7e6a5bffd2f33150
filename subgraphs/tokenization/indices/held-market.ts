import type { Calendar } from '../../../shared/calendar/calendar.js';
import type { Context } from '../../../shared/context.js';
import { lazily } from '../../../shared/lazily.js';
import type { UnitPriceInputs } from '../unit-price/unit-price.js';
import { readIndexRevision } from './index-value.store.js';
import { loadMarket } from './load-market.js';

/** What projections are made of: what the market has published, and its newest numbers for all time after that. */
export type HeldMarket = (context: Context) => Promise<UnitPriceInputs>;

/** Keeps that market in this process until index values are added; each request looks whether some were. That of a past moment is not kept. */
export function createHeldMarket(calendar: () => Promise<Calendar>): HeldMarket {
  let kept: { readonly revision: string | undefined; readonly load: HeldMarket } | undefined;
  return async (context) => {
    if (context.asOf !== undefined) return loadMarket(context, await calendar(), 'HELD');
    const revision = await readIndexRevision(context);
    if (kept === undefined || kept.revision !== revision) {
      const load = lazily(async () => loadMarket(context, await calendar(), 'HELD'));
      kept = { revision, load };
    }
    return kept.load(context);
  };
}
