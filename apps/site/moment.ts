import { civilDate } from '../../shared/kernel/clock.js';
import { ApiError } from '../../shared/kernel/errors.js';

/** Moment whose data a reader asks for, as typed and as an instant; undefined for the present. */
export interface AsOf {
  readonly typed: string | undefined;
  readonly instant: string | undefined;
  /** Why the moment cannot be shown: a key of the texts. */
  readonly error: 'moment' | 'future' | undefined;
}

const form = /^((?:19|20)\d\d-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)?(Z)?$/;
/** Offsets of São Paulo, with and without the daylight saving time that it had until 2019. */
const offsets = ['-03:00', '-02:00'];

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/Sao_Paulo',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Returns the day and the time of an instant in São Paulo, as fields of forms hold them: `2026-11-01T09:00`. */
export function saoPauloTime(instant: string): string {
  const date = new Date(instant);
  return `${civilDate(date)}T${clock.format(date)}`;
}

/** Returns the instant of a day and time in São Paulo, or in UTC where it ends with `Z`; undefined for any other text. */
export function instantOf(typed: string): string | undefined {
  const [, day, time, seconds = ':00', zone] = form.exec(typed) ?? [];
  if (day === undefined || time === undefined) return undefined;
  const candidates = zone === undefined ? offsets : [zone];
  return candidates
    .map((offset) => new Date(`${day}T${time}${seconds}${offset}`))
    .filter((date) => !Number.isNaN(date.getTime()))
    .map((date) => date.toISOString())
    .find((instant) => (zone === undefined ? saoPauloTime(instant) : instant.slice(0, 16)) === `${day}T${time}`);
}

export function asOfOf(typed: string | undefined): AsOf {
  const instant = typed === undefined ? undefined : instantOf(typed);
  return { typed, instant, error: typed !== undefined && instant === undefined ? 'moment' : undefined };
}

export interface AtMoment {
  readonly asOf?: string;
}

/** Reads data of the moment. One that cannot be read, or has not come yet, is an error of its form and not of the page: nothing is read then. */
export async function readAsOf<T>(
  asOf: AsOf,
  readThen: (at: AtMoment) => Promise<T>,
): Promise<{ readonly asOf: AsOf; readonly found: T | undefined }> {
  if (asOf.error !== undefined) return { asOf, found: undefined };
  try {
    return { asOf, found: await readThen(asOf.instant === undefined ? {} : { asOf: asOf.instant }) };
  } catch (error) {
    if (asOf.instant === undefined || !isOfMoment(error)) throw error;
    return { asOf: { ...asOf, error: 'future' }, found: undefined };
  }
}

function isOfMoment(error: unknown): boolean {
  return error instanceof ApiError && error.extensions.details?.some(({ path }) => path === 'asOf') === true;
}
