import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { anniversaryOf } from './anniversaries.js';
import { daysBetween } from './day-count.js';
import type { Missing } from './missing.js';
import { addMonths } from './months.js';
import type { PriceIndex, PriceIndexer } from './policy.js';
import { power } from './power.js';

/** Index numbers as IBGE (IPCA) and FGV (IGP-M) publish them, by index and month (`YYYY-MM`). */
export type IndexNumbers = Readonly<Record<PriceIndex, Pick<ReadonlyMap<string, Decimal>, 'get'>>>;

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
  /** The months of its ratio: the index number of `current` divided by that of `previous`. */
  readonly current: string;
  readonly previous: string;
}

/**
 * Yields the months that make up a factor from one day to another, oldest first: whole ones between anniversaries, with partial ones at
 * both ends. A month without a counted day is left out.
 */
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

/**
 * Returns factor C from one day to another: whole months between anniversaries, the first and the last pro rata. A month
 * without a counted day needs no index number.
 */
export function priceIndexFactorBetween(
  indexer: PriceIndexer,
  period: { readonly from: string; readonly to: string },
  { calendar, indexNumbers }: { readonly calendar: Calendar; readonly indexNumbers: IndexNumbers },
): Decimal | Missing {
  const numbers = indexNumbers[indexer.index];
  let product = new Decimal(1);
  for (const { elapsed, total, current, previous } of indexMonths(indexer, period, calendar)) {
    const [before, after] = [numbers.get(previous), numbers.get(current)];
    if (before === undefined) return { missing: { index: indexer.index, month: previous } };
    if (after === undefined) return { missing: { index: indexer.index, month: current } };
    product = product.times(monthFactor(after.div(before), elapsed, total));
  }
  return truncate(product, 8);
}
