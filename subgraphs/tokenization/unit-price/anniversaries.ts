import type { Calendar } from '../../../shared/calendar/calendar.js';
import { addMonths, dayOfMonth } from './months.js';
import type { PriceIndexer, UnitPricePolicy } from './policy.js';

/** What decides on which days the index factor begins anew although nothing is paid. */
type Updated = Pick<UnitPricePolicy, 'startDate' | 'indexer'>;

/** The anniversary of a month, at which one month's variation ends and the next begins. */
export function anniversaryOf(month: string, { anniversaryDay }: PriceIndexer): string {
  return dayOfMonth(month, anniversaryDay);
}

/**
 * The anniversaries after one day and before another at which the updated value becomes the new nominal value, oldest first:
 * each one with the base ANNIVERSARY, one a year with YEARLY, none with another base.
 */
export function updatesBetween(policy: Updated, from: string, to: string): string[] {
  const { indexer } = policy;
  if (!isUpdated(indexer)) return [];
  const days: string[] = [];
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = addMonths(month, 1)) {
    const day = anniversaryOf(month, indexer);
    if (day > from && day < to && updatesIn(month, policy)) days.push(day);
  }
  return days;
}

/** Whether a day is such an anniversary. */
export function isUpdate(policy: Updated, day: string): boolean {
  const { indexer } = policy;
  const month = day.slice(0, 7);
  return isUpdated(indexer) && anniversaryOf(month, indexer) === day && updatesIn(month, policy);
}

function isUpdated(indexer: UnitPricePolicy['indexer']): indexer is PriceIndexer {
  return indexer.kind === 'PRICE_INDEX' && (indexer.base === 'ANNIVERSARY' || indexer.base === 'YEARLY');
}

/** A year runs from the month in which the series starts to the same month of the next one. */
function updatesIn(month: string, { startDate, indexer }: Updated): boolean {
  const first = startDate.slice(0, 7);
  if (indexer.kind !== 'PRICE_INDEX' || indexer.base !== 'YEARLY') return true;
  return month > first && month.slice(5) === first.slice(5);
}
