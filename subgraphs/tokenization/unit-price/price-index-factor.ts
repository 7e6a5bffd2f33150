import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { anniversaryOf } from './anniversaries.js';
import { daysBetween } from '../../securities/day-count.js';
import type { ProjectionClause } from './index-bases.js';
import type { Missing } from './missing.js';
import { addMonths } from '../../../shared/kernel/calendar/days.js';
import type { PriceIndex, PriceIndexer } from './policy.js';
import { power } from './power.js';

/** Index numbers as IBGE (IPCA) and FGV (IGP-M) publish them, by index and month (`YYYY-MM`). */
export type IndexNumbers = Readonly<Record<PriceIndex, Pick<ReadonlyMap<string, Decimal>, 'get'>>>;

export interface ProjectedMonth {
  /** `YYYY-MM-DD`. */
  readonly publishedOn: string;
  /** Percent of the month. */
  readonly percent: Decimal;
}

export interface MonthProjections<Projection extends { readonly publishedOn: string } = ProjectedMonth> {
  /** The day on which the number itself was published, `YYYY-MM-DD`; undefined until it is known. */
  readonly numberPublishedOn: string | undefined;
  /** Projections by day of publication, oldest first. */
  readonly projections: readonly Projection[];
}

/** Projections by index and month (`YYYY-MM`). */
export type IndexProjections = Readonly<Record<PriceIndex, Pick<ReadonlyMap<string, MonthProjections>, 'get'>>>;

/** Returns the newest that was published by then; undefined where the day uses the number: from its publication on, by the clause, and without a projection. Later numbers change nothing. */
export function projectionOn<Projection extends { readonly publishedOn: string }>(
  { numberPublishedOn: published, projections }: MonthProjections<Projection>,
  clause: ProjectionClause,
  day: string,
): Projection | undefined {
  if (clause === 'NONE') return undefined;
  if (published !== undefined && (clause === 'SETTLED_BY_DIFFERENCE' || published <= day)) return undefined;
  return projections.findLast(({ publishedOn }) => publishedOn <= day);
}

/** Returns the projected index number: `NI(k-1) × (1 + percent/100)`, exact. Source: ANBIMA, VNA of NTN-B, "VNA projetado". */
export function projectedNumber(previous: Decimal, percent: Decimal): Decimal {
  return previous.times(percent.div(100).plus(1));
}

/** Returns the factor of a part of a month: `trunc((NIk/NIk-1)^(dup/dut), 8)`. */
export function monthFactor(ratio: Decimal, elapsed: number, total: number): Decimal {
  return truncate(elapsed === total ? ratio : power(ratio, new Decimal(elapsed).div(total)), 8);
}

/** A month of a price index between two anniversaries, or the part of it that counts. Months are `YYYY-MM`. */
export interface IndexMonth {
  /** The anniversaries at its ends. */
  readonly start: string;
  readonly end: string;
  /** Days that count and days in total, by the policy's count: dup and dut, or dcp and dct. */
  readonly elapsed: number;
  readonly total: number;
  /** Months of the ratio: the index number of `current` divided by the index number of `previous`. */
  readonly current: string;
  readonly previous: string;
}

/** Yields the oldest first: whole ones between anniversaries, with partial ones at both ends; a month without a counted day is left out. */
export function* indexMonths(
  indexer: PriceIndexer,
  { from, to }: { readonly from: string; readonly to: string },
  calendar: Calendar,
): Generator<IndexMonth> {
  const anniversary = (month: string) => anniversaryOf(month, indexer, calendar);
  const days = (start: string, end: string) => {
    const { businessDays, calendarDays } = daysBetween(start, end, calendar);
    return indexer.proRata === 'BUSINESS_DAYS' ? businessDays : calendarDays;
  };
  let month = from.slice(0, 7);
  // Runs twice if the previous month's anniversary was moved to a day after `from`.
  while (from < anniversary(month)) month = addMonths(month, -1);
  for (let start = anniversary(month); start < to; start = anniversary(month)) {
    month = addMonths(month, 1);
    const end = anniversary(month);
    const elapsed = days(from > start ? from : start, to < end ? to : end);
    if (elapsed === 0) continue;
    const current = addMonths(month, -indexer.lagMonths);
    yield { start, end, elapsed, total: days(start, end), current, previous: addMonths(current, -1) };
  }
}

/** Factor C, and whether a projection is part of it. */
export interface IndexFactor {
  readonly factor: Decimal;
  readonly projected: boolean;
}

/** Multiplies whole months between anniversaries, the first and the last pro rata; one without a counted day needs no number. A number is projected from a published one, never from a projection. */
export function priceIndexFactorBetween(
  indexer: PriceIndexer,
  period: { readonly from: string; readonly to: string },
  {
    calendar,
    indexNumbers,
    projections,
  }: {
    readonly calendar: Calendar;
    readonly indexNumbers: IndexNumbers;
    readonly projections?: IndexProjections;
  },
): IndexFactor | Missing {
  const numbers = indexNumbers[indexer.index];
  let product = new Decimal(1);
  let projected = false;
  for (const { elapsed, total, current, previous } of indexMonths(indexer, period, calendar)) {
    const before = numbers.get(previous);
    if (before === undefined) return { missing: { index: indexer.index, month: previous } };
    const month = projections?.[indexer.index].get(current);
    const projection = month && projectionOn(month, indexer.projection, period.to);
    projected ||= projection !== undefined;
    const after = projection === undefined ? numbers.get(current) : projectedNumber(before, projection.percent);
    if (after === undefined) return { missing: { index: indexer.index, month: current } };
    product = product.times(monthFactor(after.div(before), elapsed, total));
  }
  return { factor: truncate(product, 8), projected };
}
