import type { Calendar } from '../../../shared/calendar/calendar.js';

/**
 * The day whose unit price is the last one that is due on a day, `YYYY-MM-DD`: the business day on it or before it, for which the
 * issuer publishes one. Undefined outside of the years that the table of holidays covers.
 */
export function priceDueOn(calendar: Calendar, day: string): string | undefined {
  try {
    return calendar.preceding(day);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
