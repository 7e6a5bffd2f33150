import { LRUCache } from 'lru-cache';
import { countLookup } from '../../../shared/memo.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { createHeldMarket } from '../indices/held-market.js';
import { tranchesById } from '../tranches/tranche.store.js';
import type { UnitPriceInputs } from '../unit-price/unit-price.js';
import { standingEvents } from '../events/event.store.js';
import { projectInstalments, type Projectable, type Projection } from './project-instalments.js';
import { newestPrices } from './schedule-writes.store.js';
import { schedulesOf } from './schedule.store.js';

/** Returns the projections of some series, in their order; the number of queries does not depend on the number of series. */
export type Projections = (context: Context, trancheIds: readonly string[]) => Promise<Projection[]>;

/** Instalments whose projections are cached: some 200 bytes each. */
const maxCached = 100_000;

/** Projects instalment amounts with the newest DI rate and index numbers repeated for later dates. */
export function createProjections(calendar: () => Promise<Calendar>): Projections {
  const market = createHeldMarket(calendar);
  const projectCached = createProjector();
  return async (context, trancheIds) => {
    const project = context.asOf === undefined ? projectCached : projectOnce;
    const inputs = await market(context);
    const tranches = await loaderOf(context, tranchesById).loadMany(trancheIds);
    const schedules = await loaderOf(context, schedulesOf).loadMany(trancheIds);
    const declared = await loaderOf(context, standingEvents).loadMany(trancheIds);
    const openings = await newestPrices(context, trancheIds, inputs.calendar.version);
    const projections: Projection[] = [];
    for (const [index, id] of trancheIds.entries()) {
      const [series, instalments, events] = [tranches[index], schedules[index], declared[index]];
      if (series instanceof Error) throw series;
      if (instalments instanceof Error) throw instalments;
      if (events instanceof Error) throw events;
      const projectable = series &&
        instalments && { series, instalments, events: events ?? [], opening: openings.get(id) };
      projections.push(projectable ? await project(id, projectable, inputs) : new Map());
    }
    return projections;
  };
}

type Project = (id: string, projectable: Projectable, inputs: UnitPriceInputs) => Promise<Projection>;

interface CachedProjection {
  /** Everything that the projection depends on, besides the published values. */
  readonly basis: string;
  readonly size: number;
  readonly value: Promise<Projection>;
}

/** Keeps a projection until its price, schedule, policy or the published values change; requests for the same one share its computation. Inputs are the same object until values are added. */
function createProjector(): Project {
  let current: UnitPriceInputs | undefined;
  const cache = new LRUCache<string, CachedProjection>({ maxSize: maxCached, sizeCalculation: ({ size }) => size });
  return (id, projectable, inputs) => {
    if (current !== inputs) cache.clear();
    current = inputs;
    const basis = basisOf(projectable);
    const known = cache.get(id);
    const fresh = known?.basis === basis;
    countLookup('projections', fresh);
    if (fresh) return known.value;
    const value = projectInstalments(projectable, inputs);
    const made: CachedProjection = { basis, size: projectable.instalments.length + 1, value };
    cache.set(id, made);
    value.catch(() => {
      if (cache.peek(id) === made) cache.delete(id);
    });
    return value;
  };
}

const projectOnce: Project = (_id, projectable, inputs) => projectInstalments(projectable, inputs);

const seriesColumns = [
  'status',
  'tokenQuantity',
  'remunerationStartDate',
  'issueValue',
  'dayCount',
  'rate',
  'indexer',
  'diPercentage',
  'diLagBusinessDays',
  'indexLagMonths',
  'indexAnniversaryDay',
  'indexProRata',
  'indexBase',
  'projection',
  'amortizationOf',
] as const satisfies readonly (keyof Projectable['series'])[];

function basisOf({ series, instalments, events, opening }: Projectable): string {
  const columns = instalments.map((row) => [
    row.installmentNumber,
    row.calculationDate,
    row.interestEvent,
    row.amortizationPercentage,
    row.interestValue === null,
  ]);
  return JSON.stringify([seriesColumns.map((column) => series[column]), opening ?? null, columns, events]);
}
