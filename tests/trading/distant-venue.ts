import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../shared/kernel/clock.js';
import type { Decimal as DecimalOf } from '../../shared/kernel/decimal.js';
import type * as decimals from '../../shared/kernel/decimal.js';
import type * as listeners from '../../subgraphs/trading/venues/listeners.js';
import type * as venues from '../../subgraphs/trading/venues/venue.js';
import type { Book, Fill, Venue, VenueFees, VenueMarket, VenueOrder } from '../../subgraphs/trading/venues/venue.js';

/** A value as JSON carries it. */
export type Json<T> = T extends DecimalOf | Date
  ? string
  : T extends object
    ? { readonly [K in keyof T]: Json<T[K]> }
    : T;

/** What an exchange says to those who ask again and again. */
export interface News {
  readonly books: readonly Json<Book>[];
  /** The fills from the number on that was asked for. */
  readonly fills: readonly Json<Fill>[];
  readonly next: number;
}

/** What the venue is made with: of the program that is under test, and so of the folder that it was built in. */
export interface DistantVenueParts {
  readonly url: string;
  readonly name: string;
  readonly clock: Clock;
  readonly markets: readonly VenueMarket[];
  readonly fees: VenueFees;
  readonly Decimal: typeof decimals.Decimal;
  readonly VenueUnknown: typeof venues.VenueUnknown;
  readonly createListeners: typeof listeners.createListeners;
}

const pollMs = 50;
/** No response in this time: the fate of what was asked is unknown. */
const timeoutMs = 1_500;

/**
 * An exchange in another process (`distant-exchange.ts`), which goes on when this one is killed. Of fills it tells only those that
 * happen from its start on: earlier ones are found by looking up.
 */
export function createDistantVenue(parts: DistantVenueParts): Venue {
  const { url, name, clock, Decimal, VenueUnknown, createListeners } = parts;
  const ignore = () => undefined;
  const changes = createListeners<string>(ignore);
  const fills = createListeners<Fill>(ignore);
  const trades = createListeners<never>(ignore);
  const books = new Map<string, Book>();
  const ended = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const toFill = (told: Json<Fill>): Fill => ({
    ...told,
    price: new Decimal(told.price),
    amount: new Decimal(told.amount),
    fee: new Decimal(told.fee),
    at: new Date(told.at),
  });
  const toOrder = (told: Json<VenueOrder>): VenueOrder => ({
    ...told,
    filled: new Decimal(told.filled),
    fills: told.fills.map(toFill),
  });
  const toLevels = (levels: Json<Book>['bids']) =>
    levels.map(({ price, amount }) => ({ price: new Decimal(price), amount: new Decimal(amount) }));
  const call = async <T>(path: string, body: unknown): Promise<T> => {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), signal });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return (await response.json()) as T;
    } catch (error) {
      throw new VenueUnknown(name, 'no response', error);
    }
  };
  const orderOf = async (path: string, clientOrderId: string) => {
    const told = await call<Json<VenueOrder> | 'absent'>(path, { clientOrderId });
    return told === 'absent' ? told : toOrder(told);
  };
  const poll = async (from: number): Promise<number> => {
    const news = await call<News>('/news', { from });
    for (const book of news.books) {
      const { symbol, bids, asks, sequence } = book;
      const known = books.get(symbol);
      books.set(symbol, { venue: name, symbol, bids: toLevels(bids), asks: toLevels(asks), sequence, at: clock.now() });
      if (known?.sequence !== sequence) changes.tell(symbol);
    }
    for (const fill of news.fills) fills.tell(toFill(fill));
    return news.next;
  };
  return {
    name,
    synthetic: false,
    markets: () => parts.markets,
    fees: () => parts.fees,
    book: (symbol) => books.get(symbol),
    onBook: changes.add,
    onTrade: trades.add,
    onFill: fills.add,
    place: async (order) => {
      const told = await call<
        { status: 'ACCEPTED'; order: Json<VenueOrder> } | { status: 'REJECTED'; message: string }
      >('/place', order);
      if (told.status === 'REJECTED') return { status: 'REJECTED', reason: 'OTHER', message: told.message };
      return { status: 'ACCEPTED', order: toOrder(told.order) };
    },
    cancel: (clientOrderId) => orderOf('/cancel', clientOrderId),
    lookUp: (clientOrderId) => orderOf('/lookUp', clientOrderId),
    balances: async () =>
      (await call<{ currency: string; available: string; locked: string }[]>('/balances', {})).map((told) => ({
        currency: told.currency,
        available: new Decimal(told.available),
        locked: new Decimal(told.locked),
      })),
    start: async () => {
      let from = await poll(Number.MAX_SAFE_INTEGER);
      running = (async () => {
        while (!ended.signal.aborted) {
          from = await poll(from).catch(() => from);
          await sleep(pollMs, undefined, { ref: false });
        }
      })();
    },
    stop: async () => {
      ended.abort();
      await running;
    },
  };
}
