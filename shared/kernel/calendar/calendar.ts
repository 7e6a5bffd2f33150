import type { Manager } from '../../database/manager.js';

/** Business days of the Brazilian banking calendar. Days are civil dates, `YYYY-MM-DD`. */
export interface Calendar {
  /** The version of the holiday table, to be stored with results computed from it. */
  readonly version: number;
  isBusinessDay(day: string): boolean;
  /** Returns the day itself if it is a business day, else the next one ("following"). */
  following(day: string): string;
  /** Returns the day itself if it is a business day, else the previous one ("preceding"). */
  preceding(day: string): string;
  /** Returns the day `count` business days after a day, or before it if negative. */
  addBusinessDays(day: string, count: number): string;
  /** Counts the business days from `from` (inclusive) to `to` (exclusive): the `du` of Brazilian formulas. Negative when reversed. */
  businessDaysBetween(from: string, to: string): number;
}

export interface Holiday {
  readonly day: string;
  readonly version: number;
}

const msPerDay = 86_400_000;
const form = /^\d{4}-\d{2}-\d{2}$/;

function ordinal(day: string): number {
  const ms = form.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms) || isoDay(ms / msPerDay) !== day)
    throw new RangeError(`${day} is not a date of the form YYYY-MM-DD`);
  return ms / msPerDay;
}

function isoDay(ordinalDay: number): string {
  return new Date(ordinalDay * msPerDay).toISOString().slice(0, 10);
}

/** Creates a calendar of the years that the holidays cover; throws for a day outside of them. */
export function createCalendar(holidays: readonly Holiday[]): Calendar {
  const days = holidays.map(({ day }) => day).sort();
  const firstYear = days[0]?.slice(0, 4);
  const lastYear = days.at(-1)?.slice(0, 4);
  if (firstYear === undefined || lastYear === undefined) throw new RangeError('The table of holidays is empty');
  const start = ordinal(`${firstYear}-01-01`);
  const end = ordinal(`${lastYear}-12-31`);
  const free = new Set(days.map(ordinal));
  // before[i] is the number of business days in [start, start + i).
  const before = new Int32Array(end - start + 2);
  for (let index = 0; index <= end - start; index++) {
    const weekday = (start + index + 4) % 7;
    const works = weekday !== 0 && weekday !== 6 && !free.has(start + index);
    before[index + 1] = (before[index] ?? 0) + (works ? 1 : 0);
  }
  const at = (position: number): number => {
    const count = before[position];
    if (count === undefined) throw new RangeError(`The table of holidays covers ${firstYear} to ${lastYear} only`);
    return count;
  };
  const works = (day: number) => at(day - start + 1) > at(day - start);
  const step = (day: number, by: 1 | -1) => {
    let next = day;
    while (!works(next)) next += by;
    return next;
  };
  return {
    version: Math.max(...holidays.map(({ version }) => version)),
    isBusinessDay: (day) => works(ordinal(day)),
    following: (day) => isoDay(step(ordinal(day), 1)),
    preceding: (day) => isoDay(step(ordinal(day), -1)),
    addBusinessDays: (day, count) => {
      let current = ordinal(day);
      const by = count < 0 ? -1 : 1;
      for (let left = Math.abs(count); left > 0; left--) current = step(current + by, by);
      return isoDay(current);
    },
    businessDaysBetween: (from, to) => at(ordinal(to) - start) - at(ordinal(from) - start),
  };
}

export async function loadCalendar(manager: Manager): Promise<Calendar> {
  const rows = await manager.rows<Holiday>(`SELECT to_char(day, 'YYYY-MM-DD') AS day, version FROM shared.holidays`);
  return createCalendar(rows);
}
