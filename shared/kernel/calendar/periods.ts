import type { PriceInterval } from '../../securities/price-interval.js';
import { addDays, addMonths } from './days.js';

/** Returns the first day of the day, ISO week (from Monday) or month that contains a day, and that of the next one. Days are `YYYY-MM-DD`. */
export function periodOf(interval: PriceInterval, day: string): { readonly start: string; readonly next: string } {
  if (interval === 'DAILY') return { start: day, next: addDays(day, 1) };
  if (interval === 'MONTHLY') {
    const month = day.slice(0, 7);
    return { start: `${month}-01`, next: `${addMonths(month, 1)}-01` };
  }
  const daysSinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const start = addDays(day, -daysSinceMonday);
  return { start, next: addDays(start, 7) };
}
