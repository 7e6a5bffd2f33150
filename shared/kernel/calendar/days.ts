const msPerDay = 86_400_000;

/** Adds days to a civil date; a negative count subtracts. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * msPerDay).toISOString().slice(0, 10);
}

/** Returns the last day of a month: `2026-02-28` for `2026-02`. */
export function lastDayOf(month: string): string {
  return addDays(`${addMonths(month, 1)}-01`, -1);
}

/** Returns a day of a month as `YYYY-MM-DD`; the last day of the month if it has no such day. */
export function dayOfMonth(month: string, day: number): string {
  const last = lastDayOf(month);
  return day < Number(last.slice(8)) ? `${month}-${String(day).padStart(2, '0')}` : last;
}

/** Adds months to a month; a negative count subtracts. */
export function addMonths(month: string, count: number): string {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
}

/** Returns the months from one to another, both included; none if they are reversed. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month = from; month <= to; month = addMonths(month, 1)) months.push(month);
  return months;
}

/** Counts the days from one civil date to another; negative when they are reversed. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / msPerDay;
}
