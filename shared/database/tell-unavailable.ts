import { apiErrorFrom, type ApiError } from '../errors.js';
import type { Logger } from '../log.js';
import { DatabaseAway, type Unavailability } from './unavailable.js';

/** At most this often one reason is logged, however many requests fail for it. */
const pauseMs = 10_000;

const told = new Map<Unavailability['reason'], { untilMs: number; since: number }>();

/**
 * Tells the log why the database cannot serve: at once, and then every ten seconds at most, with how many errors there were since.
 * @returns false for an error that says something else; nothing is told then
 */
export function tellUnavailable(log: Logger, { cause }: ApiError): boolean {
  if (!(cause instanceof DatabaseAway)) return false;
  const now = performance.now();
  const known = told.get(cause.reason);
  if (known !== undefined && now < known.untilMs) {
    known.since += 1;
    return true;
  }
  log.warn({ err: cause, since: known?.since ?? 0 }, 'The database cannot serve at the moment');
  told.set(cause.reason, { untilMs: now + pauseMs, since: 0 });
  return true;
}

/**
 * Tells the log that work failed which is tried again: of a database that cannot serve as `tellUnavailable` does, of everything else as an
 * error.
 * @param about what it was about, for the log
 */
export function tellFailed(log: Logger, error: unknown, words: string, about: object = {}): void {
  if (!tellUnavailable(log, apiErrorFrom(error))) log.error({ err: error, ...about }, words);
}
