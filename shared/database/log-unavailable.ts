import { apiErrorFrom, type ApiError } from '../kernel/errors.js';
import type { Logger } from '../kernel/log.js';
import { DatabaseAway, type Unavailability } from './unavailable.js';

/** Each reason is logged at most this often, however many requests fail because of it. */
const pauseMs = 10_000;

const reports = new Map<Unavailability['reason'], { untilMs: number; since: number }>();

/** Logs why the database cannot serve: at once, then at most every ten seconds, with a count. @returns false for any other error, which is not logged */
export function logUnavailable(log: Logger, { cause }: ApiError): boolean {
  if (!(cause instanceof DatabaseAway)) return false;
  const now = performance.now();
  const known = reports.get(cause.reason);
  if (known !== undefined && now < known.untilMs) {
    known.since += 1;
    return true;
  }
  log.warn({ err: cause, since: known?.since ?? 0 }, 'The database is unavailable');
  reports.set(cause.reason, { untilMs: now + pauseMs, since: 0 });
  return true;
}

/** Logs failed work that will be retried: like `logUnavailable` if the database cannot serve, else as an error. @param about further fields of the line */
export function logFailed(log: Logger, error: unknown, words: string, about: object = {}): void {
  if (!logUnavailable(log, apiErrorFrom(error))) log.error({ err: error, ...about }, words);
}
