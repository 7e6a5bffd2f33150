import type { Calendar } from '../../../shared/calendar/calendar.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { createHeldMarket } from '../indices/held-market.js';
import { tranchesById } from '../tranches/tranche.store.js';
import { projectInstalments, type Projection } from './project-instalments.js';
import { newestPrices } from './projection.store.js';
import { schedulesOf } from './schedule.store.js';

/** Returns the projections of some series, in their order; the number of queries does not depend on the number of series. */
export type Projections = (context: Context, trancheIds: readonly string[]) => Promise<Projection[]>;

/** Projects instalment amounts with the newest DI rate and index numbers repeated for later dates. */
export function createProjections(calendar: () => Promise<Calendar>): Projections {
  const market = createHeldMarket(calendar);
  return async (context, trancheIds) => {
    const inputs = await market(context);
    const tranches = await loaderOf(context, tranchesById).loadMany(trancheIds);
    const schedules = await loaderOf(context, schedulesOf).loadMany(trancheIds);
    const openings = await newestPrices(context, trancheIds, inputs.calendar.version);
    const projections: Projection[] = [];
    for (const [index, id] of trancheIds.entries()) {
      const [series, instalments] = [tranches[index], schedules[index]];
      if (series instanceof Error) throw series;
      if (instalments instanceof Error) throw instalments;
      const projectable = series && instalments && { series, instalments, opening: openings.get(id) };
      projections.push(projectable ? await projectInstalments(projectable, inputs) : new Map());
    }
    return projections;
  };
}
