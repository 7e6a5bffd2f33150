import type { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../shared/clock.js';
import type { Logger } from '../../../../shared/log.js';
import type { Listeners } from '../listeners.js';
import { VenueUnknown, type Book, type Fill, type Trade } from '../venue.js';
import type { Call, CcxtClient, CcxtOptions } from './client.js';
import { parseOrder, parseTrades, type CcxtMarket, type CcxtOrder, type CcxtTrade } from './parse.js';

export interface CcxtVenueOptions extends CcxtOptions {
  /** How the house calls the venue. */
  readonly name: string;
  /** The markets that are traded there. */
  readonly symbols: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
  /** How often books, trades and fills are asked for, in milliseconds; 1000 when left out. */
  readonly pollMs?: number;
}

/** What the parts of an open exchange share. */
export interface State extends CcxtVenueOptions {
  readonly client: CcxtClient;
  readonly call: Call;
  readonly markets: ReadonlyMap<string, CcxtMarket>;
  /** In how many decimals it keeps currencies. */
  readonly currencyDecimals: ReadonlyMap<string, number>;
  readonly books: Map<string, Book>;
  /** Client order ids by the exchange's ids. */
  readonly clientIds: LRUCache<string, string>;
  readonly seen: LRUCache<string, true>;
  /** By symbol: up to when fills were read, in milliseconds since 1970. */
  readonly fillsReadMs: Map<string, number>;
  readonly onBook: Listeners<string>;
  readonly onTrade: Listeners<Trade>;
  readonly onFill: Listeners<Fill>;
}

/** Trades that are asked for at once. */
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

/** The value of a call that changes nothing. @throws {VenueUnknown} */
export async function ask(state: State, work: () => Promise<unknown>): Promise<unknown> {
  const result = await state.call(work);
  if (!result.ok) throw unknown(state, result.error);
  return result.value;
}

/** An order that the exchange told of. @throws {VenueUnknown} where it cannot be read */
export function readOrder(state: State, value: unknown): CcxtOrder {
  try {
    const order = parseOrder(value);
    state.clientIds.set(order.id, order.clientOrderId);
    return order;
  } catch (cause) {
    throw unknown(state, { message: 'it says what cannot be read', cause });
  }
}

export async function askTrades(state: State, work: () => Promise<unknown>): Promise<readonly CcxtTrade[]> {
  const value = await ask(state, work);
  try {
    return parseTrades(value);
  } catch (cause) {
    throw unknown(state, { message: 'it says what cannot be read', cause });
  }
}

export function isNew({ seen }: State, key: string): boolean {
  if (seen.has(key)) return false;
  seen.set(key, true);
  return true;
}
