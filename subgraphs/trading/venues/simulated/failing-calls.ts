import { setTimeout as sleep } from 'node:timers/promises';
import { VenueUnknown } from '../venue.js';
import type { CallFailure, FailingCall, ReadableScript } from './failures.js';

/** Executes a call, unless the script plans a failure. */
export type FailingCalls = <T>(call: FailingCall, act: () => T, rateLimited?: () => T) => Promise<T>;

const words: Readonly<Record<CallFailure, string>> = {
  HANG_AFTER: 'no response in time',
  RESET_BEFORE: 'the connection was reset',
  RESET_AFTER: 'the connection was reset',
  ERROR_BEFORE: 'HTTP 503',
  ERROR_AFTER: 'HTTP 503',
  RATE_LIMITED: 'HTTP 429',
};
/** Failures of calls that are executed all the same. */
const carriedOut: ReadonlySet<CallFailure> = new Set(['HANG_AFTER', 'RESET_AFTER', 'ERROR_AFTER']);

export function createFailingCalls(venue: string, script: ReadableScript, timeoutMs: number): FailingCalls {
  return async (call, act, rateLimited) => {
    const failure = script.take(call);
    if (failure === undefined) return act();
    if (failure === 'RATE_LIMITED' && rateLimited !== undefined) return rateLimited();
    if (carriedOut.has(failure)) act();
    if (failure === 'HANG_AFTER') await sleep(timeoutMs);
    throw new VenueUnknown(venue, words[failure]);
  };
}
