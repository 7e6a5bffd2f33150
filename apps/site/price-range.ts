import { addDays, daysBetween } from '../../shared/kernel/calendar/days.js';
import { fields, type Locale } from './page.js';

/** The days of a chart and of its files, and how dense its prices are. */
export interface PriceRange {
  readonly from: string;
  readonly to: string;
  readonly interval: 'DAILY' | 'WEEKLY' | 'MONTHLY';
  /** What was typed instead of it, and why that is no range. */
  readonly refused?: { readonly from: string; readonly to: string; readonly error: string };
}

export const rangeFields = { from: fields.day, to: fields.day };

/** Days of a range whose prices are shown day by day, and week by week: no range has more than a thousand points. */
const [mostDaily, mostWeekly] = [1_110, 6_000];
export const mostPoints = 1_000;

/** Returns the range that a reader asks for; the last twelve months without one, and in place of one that ends before it begins. */
export function rangeOf(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
  locale: Locale,
): PriceRange {
  const to = query.to ?? today;
  const from = query.from ?? addDays(to, -365);
  if (from > to) return { ...rangeOf({}, today, locale), refused: { from, to, error: locale.text.errors.order } };
  const days = daysBetween(from, to);
  return { from, to, interval: days <= mostDaily ? 'DAILY' : days <= mostWeekly ? 'WEEKLY' : 'MONTHLY' };
}

export function usualRanges(
  to: string,
  start: string,
  { text }: Locale,
): readonly { readonly text: string; readonly from: string }[] {
  const { ranges } = text.price;
  return [
    { text: ranges.m1, from: addDays(to, -30) },
    { text: ranges.m6, from: addDays(to, -182) },
    { text: ranges.y1, from: addDays(to, -365) },
    { text: ranges.y3, from: addDays(to, -1096) },
    { text: ranges.all, from: start < to ? start : to },
  ];
}
