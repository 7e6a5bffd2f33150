import { isDay } from '../model/date-values.js';

const brazilianDay = /^(\d{2})\/(\d{2})\/(\d{4})$/;
const brazilianMonth = /^(\d{2})\/(\d{4})$/;

/** Converts `31/12/2026` to `2026-12-31`, and `12/2026` to `2026-12`; the day comes before the month. Returns anything else unchanged. */
export function plainDate(text: string): string {
  const day = text.replace(brazilianDay, '$3-$2-$1');
  if (isDay(day)) return day;
  const month = text.replace(brazilianMonth, '$2-$1');
  return isDay(`${month}-01`) ? month : text;
}
