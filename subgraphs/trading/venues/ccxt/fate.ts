import type { RejectReason } from '../venue.js';
import type { CallError } from './client.js';

/** Whether an order that an exchange did not confirm certainly does not exist there. */
export type Fate = 'NOT_PLACED' | 'UNKNOWN';

/** Statuses below 500 after which the order may exist all the same: the server stopped waiting, or has a similar order. */
const uncertain: ReadonlySet<number> = new Set([408, 409, 425]);
/** The exchange has the id already, or does not know the state itself: the first request may have succeeded. */
const uncertainWords = /duplicate|already exists|status unknown|execution status|timeout/i;

/**
 * Returns the fate of an order after an error of `place`. The HTTP status decides, not the class of the error: that of the response to the placement
 * itself, which is the last request that was not a GET. ccxt may read something before or after it.
 *
 * | event | fate |
 * |---|---|
 * | nothing was sent | NOT_PLACED |
 * | no response: timeout, reset | UNKNOWN |
 * | 2xx or 3xx without a confirmation | UNKNOWN |
 * | 408, 409, 425 | UNKNOWN |
 * | other 4xx, including 429 | NOT_PLACED, unless the text says that the id is taken or the status unknown |
 * | 5xx | UNKNOWN |
 */
export function fateOf({
  sent,
  write,
  message,
  ...last
}: Pick<CallError, 'sent' | 'status' | 'write' | 'message'>): Fate {
  if (!sent) return 'NOT_PLACED';
  // If there were only GETs, one of them may be how the exchange accepts orders.
  const { status } = write ?? last;
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

/** Returns why an order was not placed, as far as that is known. 418 is Binance's ban of clients that continued after a 429. */
export function reasonOf({ write, kind, ...last }: Pick<CallError, 'status' | 'write' | 'kind'>): RejectReason {
  const { status } = write ?? last;
  if (status === 429 || status === 418) return 'RATE_LIMITED';
  return reasons[kind] ?? 'OTHER';
}

/** The client's text for an order that an exchange rejected. The exchange's own message is only logged: it may name the house's account, address or funds. */
export const refusalWords: Readonly<Record<RejectReason, string>> = {
  INVALID: 'The venue does not support the order in this form',
  BELOW_MINIMUM: 'The order is below the minimum of the venue',
  INSUFFICIENT_FUNDS: 'The venue cannot accept the order at the moment',
  WOULD_TAKE: 'The order is post-only and would have been executed at once',
  MARKET_CLOSED: 'The market is closed at the venue',
  RATE_LIMITED: 'The venue accepts no more orders at the moment',
  VENUE_DOWN: 'The venue is not in use at the moment',
  OTHER: 'The venue rejected the order',
};
