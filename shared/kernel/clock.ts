/** The source of the current time; passed in, so that a test can set it. */
export interface Clock {
  now(): Date;
  /** Whether it follows the database's clock; a statement may then take the time from the database itself. */
  readonly followsDatabase?: boolean;
}

export const systemClock: Clock = { now: () => new Date() };

const civil = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** Returns the civil date in São Paulo at an instant, as `YYYY-MM-DD`: the meaning of "today" for a Brazilian security. */
export function civilDate(instant: Date): string {
  const quarter = Math.floor(instant.getTime() / quarterMs);
  if (quarter !== latest.quarter) latest = { quarter, date: formatted(instant) };
  return latest.date;
}

/** First instant of a civil day (`YYYY-MM-DD`) in São Paulo: 03:00 UTC; 02:00 in summer time, and 03:00 on the day that began at one o'clock. */
export function startOfDay(day: string): Date {
  const inSummer = new Date(`${day}T02:00:00Z`);
  return formatted(inSummer) === day ? inSummer : new Date(`${day}T03:00:00Z`);
}

/** In every present time zone, days begin at a quarter of an hour: all instants of a quarter have the same day. */
const quarterMs = 15 * 60_000;
let latest = { quarter: NaN, date: '' };

function formatted(instant: Date): string {
  // Assembled from parts: the order and the separators of a locale's format are not guaranteed.
  const parts = Object.fromEntries(civil.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${parts['year'] ?? ''}-${parts['month'] ?? ''}-${parts['day'] ?? ''}`;
}
