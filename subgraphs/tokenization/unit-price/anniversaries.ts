import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { addMonths, dayOfMonth } from '../../../shared/kernel/calendar/days.js';
import type { PriceIndexer, UnitPricePolicy } from './policy.js';

/** The fields that decide on which days the index factor restarts without a payment. */
type Updated = Pick<UnitPricePolicy, 'startDate' | 'indexer'>;

/** Returns the day at which one month's variation ends and the next begins: the anniversary, or, if the policy says so, the first business day from there on, even in the next month. */
export function anniversaryOf(month: string, { anniversaryDay, proRata }: PriceIndexer, calendar: Calendar): string {
  const day = dayOfMonth(month, anniversaryDay);
  return proRata === 'CALENDAR_DAYS_FOLLOWING' ? calendar.following(day) : day;
}

/** Returns the days at which the updated value becomes the new nominal value, oldest first: each one with the base ANNIVERSARY, one a year with YEARLY, none with another base. */
export function updatesBetween(policy: Updated, from: string, to: string, calendar: Calendar): string[] {
  const { indexer } = policy;
  if (!isUpdated(indexer)) return [];
  const days: string[] = [];
  // The anniversary of the previous month may fall on a business day of this one.
  for (let month = addMonths(from.slice(0, 7), -1); month <= to.slice(0, 7); month = addMonths(month, 1)) {
    if (!isUpdatedIn(month, indexer, policy.startDate)) continue;
    const day = anniversaryOf(month, indexer, calendar);
    if (day > from && day < to) days.push(day);
  }
  return days;
}

export function isUpdate(policy: Updated, day: string, calendar: Calendar): boolean {
  const { indexer } = policy;
  const month = day.slice(0, 7);
  return (
    isUpdated(indexer) &&
    [addMonths(month, -1), month].some(
      (each) => isUpdatedIn(each, indexer, policy.startDate) && anniversaryOf(each, indexer, calendar) === day,
    )
  );
}

function isUpdated(indexer: UnitPricePolicy['indexer']): indexer is PriceIndexer {
  return indexer.kind === 'PRICE_INDEX' && (indexer.base === 'ANNIVERSARY' || indexer.base === 'YEARLY');
}

/** A year runs from the month in which the series starts to the same month of the following year. */
function isUpdatedIn(month: string, { base }: PriceIndexer, startDate: string): boolean {
  const first = startDate.slice(0, 7);
  return base !== 'YEARLY' || (month > first && month.slice(5) === first.slice(5));
}
