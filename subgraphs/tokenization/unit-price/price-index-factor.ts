import type { Calendar } from '../../../shared/calendar/calendar.js';
import { Decimal, truncate } from '../../../shared/decimal.js';
import { anniversaryOf } from './anniversaries.js';
import { daysBetween } from './day-count.js';
import type { Missing } from './missing.js';
import { addMonths } from './months.js';
import type { PriceIndex, PriceIndexer } from './policy.js';
import { power } from './power.js';

/** Index numbers as IBGE (IPCA) and FGV (IGP-M) publish them, by index and month (`YYYY-MM`). */
export type IndexNumbers = Readonly<Record<PriceIndex, Pick<ReadonlyMap<string, Decimal>, 'get'>>>;

/**
 * Factor C of whole months: each ratio of neighbours truncated at 8 decimals, multiplied without truncation, the product
 * truncated at 8.
 * @param numbers index numbers, month by month, the base first
 */
export function priceIndexFactor(numbers: readonly Decimal[]): Decimal {
  let product = new Decimal(1);
  let previous: Decimal | undefined;
  for (const number of numbers) {
    if (previous !== undefined) product = product.times(monthFactor(number.div(previous), 1, 1));
    previous = number;
  }
  return truncate(product, 8);
}

/** Factor of a part of a month: `trunc((NIk/NIk-1)^(dup/dut), 8)`. */
export function monthFactor(ratio: Decimal, elapsed: number, total: number): Decimal {
  return truncate(elapsed === total ? ratio : power(ratio, new Decimal(elapsed).div(total)), 8);
}

/** A month of a price index from one anniversary to the next, or the part of it that counts. Months are `YYYY-MM`. */
export interface IndexMonth {
  /** The anniversaries that it lies between. */
  readonly start: string;
  readonly end: string;
  /** The days of it that count, and all of it, by the policy's count: dup and dut, or dcp and dct. */
  readonly elapsed: number;
  readonly total: number;
  /** The months whose index numbers are its ratio: that of `current` over that of `previous`. */
  readonly current: string;
  readonly previous: string;
}

/**
 * The months of which a factor from one day to another is made, oldest first: whole ones from anniversary to anniversary, the first and
 * the last in part. A month none of whose days has been counted is left out.
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
  // Twice where the anniversary of the month before was moved to a day after `from`.
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
 * Factor C from one day to another: whole months from anniversary to anniversary, the first and the last pro rata.
 * A month none of whose days has been counted yet needs no index number.
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
