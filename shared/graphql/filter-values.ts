import { Decimal } from '../kernel/decimal.js';
import { type ErrorDetail, errorAt } from '../kernel/errors.js';

/** Returns the distinct values of a filter in a fixed order: cursors are bound to them. */
export function distinctValues<T extends string>(values: readonly T[] | null | undefined): readonly T[] {
  return [...new Set(values ?? [])].sort();
}

/** Returns the distinct labels of a filter. PostgreSQL rejects text with a zero character, and no label contains one. */
export function filterLabels(labels: readonly string[] | null | undefined): readonly string[] {
  return distinctValues(labels?.map((label) => label.replaceAll('\0', '\uFFFD')));
}

/** A filter's lower and upper bound, by the name of the field of each. */
export type FilterRange = Readonly<Record<string, string | null | undefined>>;

/** Returns an error for each range of days that ends before it begins. @param prefix of the paths of errors, such as `filter.` */
export function dayRangeErrors(prefix: string, ...ranges: readonly FilterRange[]): ErrorDetail[] {
  return rangeErrors(prefix, ranges, 'NOT_BEFORE', (from, to) => to < from);
}

/** Returns an error for each range of decimals whose upper bound is below its lower one. */
export function decimalRangeErrors(prefix: string, ...ranges: readonly FilterRange[]): ErrorDetail[] {
  return rangeErrors(prefix, ranges, 'NOT_LESS_THAN', (from, to) => new Decimal(to).lt(from));
}

function rangeErrors(
  prefix: string,
  ranges: readonly FilterRange[],
  rule: 'NOT_BEFORE' | 'NOT_LESS_THAN',
  isReversed: (from: string, to: string) => boolean,
): ErrorDetail[] {
  return ranges.flatMap((range) => {
    const [[lower, from] = [], [upper, to] = []] = Object.entries(range);
    if (from == null || to == null || !isReversed(from, to)) return [];
    return [errorAt(`${prefix}${String(upper)}`, rule, { field: String(lower) })];
  });
}
