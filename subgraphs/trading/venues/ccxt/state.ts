import type { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../shared/kernel/clock.js';
import type { Logger } from '../../../../shared/kernel/log.js';
import type { VenueListeners } from '../listeners.js';
import { VenueUnknown, type Book } from '../venue.js';
import type { Call, CcxtClient, CcxtOptions } from './client.js';
import { parseOrder, parseTrades, type CcxtMarket, type CcxtOrder, type CcxtTrade } from './parse.js';

export interface CcxtVenueOptions extends CcxtOptions {
  readonly name: string;
  readonly symbols: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
  /** Interval between polls of books, trades and fills, in milliseconds; 1000 by default. */
  readonly pollMs?: number;
}

export interface State extends CcxtVenueOptions, VenueListeners {
  readonly client: CcxtClient;
  readonly call: Call;
  readonly markets: ReadonlyMap<string, CcxtMarket>;
  readonly currencyDecimals: ReadonlyMap<string, number>;
  readonly books: Map<string, Book>;
  /** Client order ids by the exchange's ids. */
  readonly clientIds: LRUCache<string, string>;
  readonly seen: LRUCache<string, true>;
  /** The time up to which fills were read, by symbol, in milliseconds since 1970. */
  readonly fillsReadMs: Map<string, number>;
}

/** Trades per request. */
export const tradesAtOnce = 500;

export function requireMarket({ markets, name }: State, symbol: string): CcxtMarket {
  const market = markets.get(symbol);
  if (market === undefined) throw new RangeError(`${name} does not trade ${symbol}`);
  return market;
}

export function unknown(
  { name }: State,
  error: { readonly message: string; readonly status?: number | undefined; readonly cause?: unknown },
): VenueUnknown {
  const status = error.status === undefined ? 'no response' : `HTTP ${error.status}`;
  return new VenueUnknown(name, `${status}: ${error.message.slice(0, 300)}`, error.cause);
}

/** Returns the result of a call that changes nothing. @throws {VenueUnknown} */
export async function ask(state: State, work: () => Promise<unknown>): Promise<unknown> {
  const result = await state.call(work);
  if (!result.ok) throw unknown(state, result.error);
  return result.value;
}

/** Parses an order that the exchange reported. @throws {VenueUnknown} if it cannot be read */
export function readOrder(state: State, value: unknown): CcxtOrder {
  try {
    const order = parseOrder(value);
    state.clientIds.set(order.id, order.clientOrderId);
    return order;
  } catch (cause) {
    throw unknown(state, { message: 'its response cannot be read', cause });
  }
}

export async function askTrades(state: State, work: () => Promise<unknown>): Promise<readonly CcxtTrade[]> {
  return readTrades(state, await ask(state, work));
}

/** Parses trades that the exchange reported. @throws {VenueUnknown} if they cannot be read */
export function readTrades(state: State, value: unknown): readonly CcxtTrade[] {
  try {
    return parseTrades(value);
  } catch (cause) {
    throw unknown(state, { message: 'its response cannot be read', cause });
  }
}

export function isNew({ seen }: State, key: string): boolean {
  if (seen.has(key)) return false;
  seen.set(key, true);
  return true;
}
