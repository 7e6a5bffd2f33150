import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';

/** Returns (`YYYY-MM-DD`) the business day on or before it, for which the issuer publishes a price. Undefined outside of the years that the holiday calendar covers. */
export function priceDueOn(calendar: Calendar, day: string): string | undefined {
  try {
    return calendar.preceding(day);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
