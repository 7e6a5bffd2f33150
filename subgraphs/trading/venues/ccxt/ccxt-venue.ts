import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../shared/clock.js';
import { Decimal } from '../../../../shared/decimal.js';
import type { Logger } from '../../../../shared/log.js';
import { createListeners, type Listeners } from '../listeners.js';
import {
  VenueUnknown,
  type Book,
  type Fill,
  type PlaceResult,
  type Trade,
  type Venue,
  type VenueOrder,
  type VenueOrderRequest,
} from '../venue.js';
import { openCcxtClient, type Call, type CcxtClient, type CcxtOptions } from './client.js';
import { fateOf, reasonOf } from './fate.js';
import {
  parseBalances,
  parseBook,
  parseMarket,
  parseOrder,
  parseTrades,
  type CcxtMarket,
  type CcxtOrder,
  type CcxtTrade,
} from './parse.js';
import { createPolls } from './polls.js';

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

interface State extends CcxtVenueOptions {
  readonly client: CcxtClient;
  readonly call: Call;
  readonly markets: ReadonlyMap<string, CcxtMarket>;
  readonly books: Map<string, Book>;
  /** Client order ids by the exchange's ids. */
  readonly clientIds: LRUCache<string, string>;
  readonly seen: LRUCache<string, true>;
  readonly onBook: Listeners<string>;
  readonly onTrade: Listeners<Trade>;
  readonly onFill: Listeners<Fill>;
}

const bookLevels = 20;
const tradesAtOnce = 500;
/** Fills are asked for from so long before now on: an exchange may tell of them late. */
const fillsBackMs = 10 * 60_000;

/**
 * Opens an exchange that ccxt knows as a venue, by REST: books, trades and fills are polled. Nothing is sent again by itself, and the
 * status of HTTP decides what became of an order (`fate.ts`). Fills are told of again after a restart.
 * @throws where the exchange does not say what it trades, or trades none of the symbols
 */
export async function openCcxtVenue(options: CcxtVenueOptions): Promise<Venue> {
  const state = await openState(options);
  const { name, client, call } = state;
  const polls = createPolls(options.pollMs ?? 1_000, (error, what) => {
    options.log.warn({ err: error, venue: name, what }, 'A venue could not be asked');
  });
  return {
    name,
    synthetic: false,
    markets: () => [...state.markets.values()].map(({ market }) => market),
    fees: (symbol) => requireMarket(state, symbol).fees,
    book: (symbol) => state.books.get(symbol),
    onBook: state.onBook.add,
    onTrade: state.onTrade.add,
    onFill: state.onFill.add,
    place: (request) => place(state, request),
    cancel: async (clientOrderId, symbol) => {
      const result = await call(() => client.cancelOrder('', symbol, { clientOrderId }));
      // Of an order that is closed already the exchange says that there is none: how it stands is what counts.
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
  const onError = (err: unknown) => {
    options.log.error({ err, venue: options.name }, 'A listener of a venue failed');
  };
  const known = await client.loadMarkets();
  const markets = new Map<string, CcxtMarket>();
  for (const [symbol, value] of Object.entries(typeof known === 'object' && known !== null ? known : {})) {
    const market = options.symbols.includes(symbol) ? parseMarket(value) : undefined;
    if (market !== undefined) markets.set(symbol, market);
  }
  const missing = options.symbols.filter((symbol) => !markets.has(symbol));
  if (missing.length > 0) options.log.warn({ venue: options.name, missing }, 'A venue does not trade some symbols');
  if (markets.size === 0) throw new Error(`${options.name} trades none of ${options.symbols.join(', ')}`);
  return {
    ...options,
    client,
    call,
    markets,
    books: new Map(),
    clientIds: new LRUCache({ max: 20_000 }),
    seen: new LRUCache({ max: 20_000 }),
    onBook: createListeners(onError),
    onTrade: createListeners(onError),
    onFill: createListeners(onError),
  };
}

function requireMarket({ markets, name }: State, symbol: string): CcxtMarket {
  const market = markets.get(symbol);
  if (market === undefined) throw new RangeError(`${name} does not trade ${symbol}`);
  return market;
}

function unknown(
  { name }: State,
  error: { readonly message: string; readonly status?: number | undefined; readonly cause?: unknown },
): VenueUnknown {
  const status = error.status === undefined ? 'no response' : `HTTP ${error.status}`;
  return new VenueUnknown(name, `${status}: ${error.message.slice(0, 300)}`, error.cause);
}

/** The value of a call that changes nothing. @throws {VenueUnknown} */
async function ask(state: State, work: () => Promise<unknown>): Promise<unknown> {
  const result = await state.call(work);
  if (!result.ok) throw unknown(state, result.error);
  return result.value;
}

async function place(state: State, request: VenueOrderRequest): Promise<PlaceResult> {
  const { client, markets } = state;
  const { clientOrderId, symbol, side, type, amount, price, timeInForce, postOnly } = request;
  const market = markets.get(symbol)?.market;
  // ccxt would cut off decimals in silence.
  if (
    market === undefined ||
    amount.decimalPlaces() > market.amountDecimals ||
    (price?.decimalPlaces() ?? 0) > market.priceDecimals
  ) {
    return {
      status: 'REJECTED',
      reason: 'INVALID',
      message: 'The venue does not take the symbol, or so many decimals',
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
    return { status: 'REJECTED', reason: reasonOf(result.error), message: result.error.message.slice(0, 300) };
  }
  const order = readOrder(state, result.value);
  if (order.clientOrderId !== clientOrderId) throw unknown(state, { message: 'it confirmed another order' });
  if (order.filled.greaterThan(0)) void readFills(state, symbol).catch(() => undefined);
  return { status: 'ACCEPTED', order: { clientOrderId, state: order.status, filled: order.filled, fills: [] } };
}

/** An order that the exchange told of. @throws {VenueUnknown} where it cannot be read */
function readOrder(state: State, value: unknown): CcxtOrder {
  try {
    const order = parseOrder(value);
    state.clientIds.set(order.id, order.clientOrderId);
    return order;
  } catch (cause) {
    throw unknown(state, { message: 'it says what cannot be read', cause });
  }
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
  const sinceMs = (order.timestamp ?? state.clock.now().getTime() - fillsBackMs) - 1_000;
  const trades = order.filled.isZero()
    ? []
    : await askTrades(state, () => client.fetchMyTrades(symbol, sinceMs, tradesAtOnce));
  const fills = trades
    .filter((trade) => trade.order === order.id)
    .map((trade) => toFill(state, symbol, clientOrderId, trade));
  return { clientOrderId, state: order.status, filled: order.filled, fills };
}

async function askTrades(state: State, work: () => Promise<unknown>): Promise<readonly CcxtTrade[]> {
  const value = await ask(state, work);
  try {
    return parseTrades(value);
  } catch (cause) {
    throw unknown(state, { message: 'it says what cannot be read', cause });
  }
}

function toFill(state: State, symbol: string, clientOrderId: string, trade: CcxtTrade): Fill {
  const { base, quote } = requireMarket(state, symbol).market;
  const side = trade.side === 'sell' ? 'SELL' : 'BUY';
  return {
    venue: state.name,
    // Ids of trades are unique within a market only.
    tradeId: `${base}${quote}-${trade.id}-${side}`,
    clientOrderId,
    symbol,
    side,
    price: trade.price,
    amount: trade.amount,
    fee: trade.fee?.cost ?? new Decimal(0),
    feeCurrency: trade.fee?.currency ?? quote,
    at: new Date(trade.timestamp),
    liquidity: trade.takerOrMaker === 'maker' ? 'MAKER' : 'TAKER',
  };
}

async function readBook(state: State, symbol: string): Promise<void> {
  // It was so at the latest when it was asked for.
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

async function readFills(state: State, symbol: string): Promise<void> {
  const sinceMs = state.clock.now().getTime() - fillsBackMs;
  const trades = await askTrades(state, () => state.client.fetchMyTrades(symbol, sinceMs, tradesAtOnce));
  for (const trade of trades) {
    const { id, order, side } = trade;
    if (order == null || state.seen.has(`own ${symbol} ${id} ${side ?? ''}`)) continue;
    const clientOrderId = state.clientIds.get(order) ?? (await clientIdOf(state, symbol, order));
    if (isNew(state, `own ${symbol} ${id} ${side ?? ''}`))
      state.onFill.tell(toFill(state, symbol, clientOrderId, trade));
  }
}

/** The client order id of an order that this process did not place. */
async function clientIdOf(state: State, symbol: string, id: string): Promise<string> {
  return readOrder(state, await ask(state, () => state.client.fetchOrder(id, symbol, {}))).clientOrderId;
}

function isNew({ seen }: State, key: string): boolean {
  if (seen.has(key)) return false;
  seen.set(key, true);
  return true;
}
