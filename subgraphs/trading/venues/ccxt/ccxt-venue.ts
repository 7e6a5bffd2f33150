import { LRUCache } from 'lru-cache';
import { createVenueListeners } from '../listeners.js';
import type { PlaceResult, Venue, VenueOrder, VenueOrderRequest } from '../venue.js';
import { openCcxtClient } from './client.js';
import { fateOf, reasonOf, refusalWords, fillsOfOrder, readFills } from './fills.js';
import { parseBalances, parseBook, parseCurrencyDecimals, parseMarket, type CcxtMarket } from './parse.js';
import {
  ask,
  askTrades,
  isNew,
  readOrder,
  requireMarket,
  tradesAtOnce,
  unknown,
  type CcxtVenueOptions,
  type State,
} from './state.js';

const bookLevels = 20;
/** Works over REST: books, trades and fills are polled, nothing is repeated, and the HTTP status decides the outcome of an order (`fateOf`). @throws if the exchange has none of the symbols */
export async function openCcxtVenue(options: CcxtVenueOptions): Promise<Venue> {
  const state = await openState(options);
  const { name, client, call } = state;
  const polls = createPolls(options.pollMs ?? 1_000, (error, what) =>
    options.log.warn({ err: error, venue: name, what }, 'A call to a venue failed'),
  );
  return {
    name,
    synthetic: false,
    markets: () => [...state.markets.values()].map(({ market }) => market),
    balanceDecimals: () => state.currencyDecimals,
    fees: (symbol) => requireMarket(state, symbol).fees,
    book: (symbol) => state.books.get(symbol),
    onBook: state.onBook.add,
    onTrade: state.onTrade.add,
    onFill: state.onFill.add,
    place: (request) => place(state, request),
    cancel: async (clientOrderId, symbol) => {
      const result = await call(() => client.cancelOrder('', symbol, { clientOrderId }));
      // For an order that is already closed the exchange reports that there is none: its actual state decides.
      if (!result.ok && fateOf(result.error) === 'UNKNOWN') throw unknown(state, result.error);
      return lookUp(state, clientOrderId, symbol);
    },
    lookUp: (clientOrderId, symbol) => lookUp(state, clientOrderId, symbol),
    balances: async () => parseBalances(await ask(state, () => client.fetchBalance())),
    start: async () => {
      for (const symbol of state.markets.keys()) {
        polls.add(`book of ${symbol}`, () => readBook(state, symbol));
        polls.add(`trades of ${symbol}`, () => readTrades(state, symbol));
        polls.add(`fills of ${symbol}`, () => readFills(state, symbol));
      }
      await polls.start();
    },
    stop: () => polls.stop(),
  };
}

async function openState(options: CcxtVenueOptions): Promise<State> {
  const { client, call } = await openCcxtClient(options);
  const known = await client.loadMarkets();
  const markets = new Map<string, CcxtMarket>();
  for (const [symbol, value] of Object.entries(typeof known === 'object' && known !== null ? known : {})) {
    const market = options.symbols.includes(symbol) ? parseMarket(value) : undefined;
    if (market !== undefined) markets.set(symbol, market);
  }
  const missing = options.symbols.filter((symbol) => !markets.has(symbol));
  if (missing.length > 0)
    options.log.warn({ venue: options.name, missing }, 'A venue does not trade some of the configured symbols');
  if (markets.size === 0) throw new Error(`${options.name} trades none of ${options.symbols.join(', ')}`);
  return {
    ...options,
    client,
    call,
    markets,
    currencyDecimals: parseCurrencyDecimals(client.currencies),
    books: new Map(),
    clientIds: new LRUCache({ max: 20_000 }),
    seen: new LRUCache({ max: 20_000 }),
    fillsReadMs: new Map(),
    ...createVenueListeners(options.log, options.name),
  };
}

async function place(state: State, request: VenueOrderRequest): Promise<PlaceResult> {
  const { client, markets } = state;
  const { clientOrderId, symbol, side, type, amount, price, timeInForce, postOnly } = request;
  const market = markets.get(symbol)?.market;
  // ccxt would silently truncate decimals.
  if (
    market === undefined ||
    amount.decimalPlaces() > market.amountDecimals ||
    (price?.decimalPlaces() ?? 0) > market.priceDecimals
  ) {
    return {
      status: 'REJECTED',
      reason: 'INVALID',
      message: 'The venue does not support the symbol, or this number of decimals',
    };
  }
  const params = {
    clientOrderId,
    ...(type === 'LIMIT' && !postOnly ? { timeInForce } : {}),
    ...(postOnly ? { postOnly } : {}),
  };
  const result = await state.call(() =>
    client.createOrder(symbol, type.toLowerCase(), side.toLowerCase(), amount.toFixed(), price?.toFixed(), params),
  );
  if (!result.ok) {
    if (fateOf(result.error) === 'UNKNOWN') throw unknown(state, result.error);
    const reason = reasonOf(result.error);
    const { status, message } = result.error;
    state.log.warn({ venue: state.name, order: clientOrderId, reason, status, message }, 'A venue rejected an order');
    return { status: 'REJECTED', reason, message: refusalWords[reason] };
  }
  const order = readOrder(state, result.value);
  if (order.clientOrderId !== clientOrderId) throw unknown(state, { message: 'it confirmed a different order' });
  if (order.filled.greaterThan(0)) void readFills(state, symbol).catch(() => undefined);
  return { status: 'ACCEPTED', order: { clientOrderId, state: order.status, filled: order.filled, fills: [] } };
}

async function lookUp(state: State, clientOrderId: string, symbol: string): Promise<VenueOrder | 'absent'> {
  const { client } = state;
  const result = await state.call(() => client.fetchOrder('', symbol, { clientOrderId }));
  if (!result.ok) {
    const { kind, status = 0 } = result.error;
    if (kind === 'OrderNotFound' && status >= 200 && status < 500) return 'absent';
    throw unknown(state, result.error);
  }
  const order = readOrder(state, result.value);
  const fills = await fillsOfOrder(state, symbol, { ...order, clientOrderId });
  return { clientOrderId, state: order.status, filled: order.filled, fills };
}

async function readBook(state: State, symbol: string): Promise<void> {
  // The time of the request is the latest at which this was true.
  const at = state.clock.now();
  const levels = parseBook(await ask(state, () => state.client.fetchOrderBook(symbol, bookLevels)));
  const sequence = (state.books.get(symbol)?.sequence ?? 0) + 1;
  state.books.set(symbol, { venue: state.name, symbol, ...levels, sequence, at });
  state.onBook.tell(symbol);
}

async function readTrades(state: State, symbol: string): Promise<void> {
  const sinceMs = state.clock.now().getTime() - 60_000;
  const trades = await askTrades(state, () => state.client.fetchTrades(symbol, sinceMs, tradesAtOnce));
  for (const { id, price, amount, timestamp } of trades) {
    if (isNew(state, `${symbol} ${id}`)) {
      state.onTrade.tell({ venue: state.name, symbol, price, amount, at: new Date(timestamp) });
    }
  }
}

/** Independent polling tasks: one that is slow or fails does not stop the others. */
export interface Polls {
  add(what: string, ask: () => Promise<void>): void;
  /** Runs each task once, and then periodically. Never rejects. */
  start(): Promise<void>;
  /** Starts no further run; those under way end. */
  stop(): Promise<void>;
}

/** @param onError receives each failure; the task runs again at its next time */
function createPolls(everyMs: number, onError: (error: unknown, what: string) => void): Polls {
  const polls = new Map<string, () => Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();
  let stopped = true;

  const run = async (what: string, ask: () => Promise<void>): Promise<void> => {
    await ask().catch((error: unknown) => onError(error, what));
    if (!stopped) timers.set(what, setTimeout(() => void track(what, ask), everyMs).unref());
  };
  const track = (what: string, ask: () => Promise<void>): Promise<void> => {
    const running = run(what, ask);
    underWay.add(running);
    return running.finally(() => underWay.delete(running));
  };
  return {
    add: (what, ask) => polls.set(what, ask),
    start: async () => {
      stopped = false;
      await Promise.all([...polls].map(([what, ask]) => track(what, ask)));
    },
    stop: async () => {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}
