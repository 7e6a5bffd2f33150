import { addDays, addMonths } from './days.js';

/** A day, an ISO week (from Monday) or a month. */
export type Period = 'DAILY' | 'WEEKLY' | 'MONTHLY';

/** Returns the first day of the period of a day, and that of the period after it. Days are `YYYY-MM-DD`. */
export function periodOf(period: Period, day: string): { readonly start: string; readonly next: string } {
  if (period === 'DAILY') return { start: day, next: addDays(day, 1) };
  if (period === 'MONTHLY') {
    const month = day.slice(0, 7);
    return { start: `${month}-01`, next: `${addMonths(month, 1)}-01` };
  }
  const daysSinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const start = addDays(day, -daysSinceMonday);
  return { start, next: addDays(start, 7) };
}
