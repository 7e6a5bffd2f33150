/** Returns the month, `YYYY-MM`, that lies `count` months after (or, negative, before) a month. */
export function addMonths(month: string, count: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return date.toISOString().slice(0, 7);
}

/** Returns a day of a month as `YYYY-MM-DD`; the last day of the month if it has no such day. */
export function dayOfMonth(month: string, day: number): string {
  const last = Number(new Date(Date.parse(`${addMonths(month, 1)}-01T00:00:00Z`) - 1).toISOString().slice(8, 10));
  return `${month}-${String(Math.min(day, last)).padStart(2, '0')}`;
}
