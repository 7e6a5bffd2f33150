import type { RejectReason } from '../venue.js';
import type { CallError } from './client.js';

/** Whether an order that an exchange did not confirm is surely not there. */
export type Fate = 'NOT_PLACED' | 'UNKNOWN';

/** Statuses below 500 after which the order may be there all the same: the server gave up waiting, or has one like it. */
const uncertain: ReadonlySet<number> = new Set([408, 409, 425]);
/** The exchange has the id already, or does not know itself: the first sending may have been right. */
const uncertainWords = /duplicate|already exists|status unknown|execution status|timeout/i;

/**
 * What an error of `place` means. The status of HTTP decides, not the class of the error.
 *
 * | what happened | fate |
 * |---|---|
 * | nothing was sent | NOT_PLACED |
 * | no response: timeout, reset | UNKNOWN |
 * | 2xx or 3xx that is no confirmation | UNKNOWN |
 * | 408, 409, 425 | UNKNOWN |
 * | other 4xx, 429 among them | NOT_PLACED, unless the text says that the id is taken or the status unknown |
 * | 5xx | UNKNOWN |
 */
export function fateOf({ sent, status, message }: Pick<CallError, 'sent' | 'status' | 'message'>): Fate {
  if (!sent) return 'NOT_PLACED';
  if (status === undefined || status < 400 || status >= 500 || uncertain.has(status)) return 'UNKNOWN';
  return uncertainWords.test(message) ? 'UNKNOWN' : 'NOT_PLACED';
}

const reasons: Readonly<Record<string, RejectReason>> = {
  InsufficientFunds: 'INSUFFICIENT_FUNDS',
  InvalidOrder: 'INVALID',
  BadRequest: 'INVALID',
  BadSymbol: 'INVALID',
  OrderImmediatelyFillable: 'WOULD_TAKE',
  MarketClosed: 'MARKET_CLOSED',
};

/** Why an order that is not placed was not, as far as that can be told. 418 is how Binance bans who went on after a 429. */
export function reasonOf({ status, kind }: Pick<CallError, 'status' | 'kind'>): RejectReason {
  if (status === 429 || status === 418) return 'RATE_LIMITED';
  return reasons[kind] ?? 'OTHER';
}
