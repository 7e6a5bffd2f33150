import { Decimal, sum } from '../../../../shared/kernel/decimal.js';
import { VenueUnknown, type Fill, type RejectReason } from '../venue.js';
import type { CcxtOrder, CcxtTrade } from './parse.js';
import { askTrades, isNew, readOrder, readTrades, requireMarket, tradesAtOnce, unknown, type State } from './state.js';
import type { CallError } from './client.js';

/** How far before the last read fills are read again: an exchange may report them late. */
const fillsBackMs = 10 * 60_000;
/** Exchanges search no further than a day from the start of a request; longer periods take several requests. */
const fillsAheadMs = 23 * 3_600_000;
/** Maximum number of pages of fills per run. */
const fillPages = 20;
/** A page of fewer trades is the last: exchanges serve 50 to 1,000, whatever number a request asks for. */
const smallestPage = 50;
/** Maximum number of periods that a look-up searches: some three months. */
const lookUpWindows = 100;
/** Failed look-ups of orders before a run ends: more than one means that the exchange is unavailable. */
const maxFailures = 3;

/** Reports the fills since the last read, however long ago that was. */
export async function readFills(state: State, symbol: string): Promise<void> {
  const nowMs = state.clock.now().getTime();
  const lastMs = state.fillsReadMs.get(symbol) ?? nowMs;
  const { trades, isAll } = await tradesSince(state, symbol, lastMs - fillsBackMs);
  const failures: VenueUnknown[] = [];
  for (const trade of trades) {
    try {
      await tellFill(state, symbol, trade);
    } catch (error) {
      if (!(error instanceof VenueUnknown)) throw error;
      failures.push(error);
      if (failures.length >= maxFailures) break;
    }
  }
  // Fills that were not reported are read again.
  if (failures[0] !== undefined) throw failures[0];
  const newestMs = Math.max(lastMs, ...trades.map(({ timestamp }) => timestamp));
  state.fillsReadMs.set(symbol, Math.min(nowMs, isAll ? lastMs + fillsAheadMs : newestMs));
}

async function tellFill(state: State, symbol: string, trade: CcxtTrade): Promise<void> {
  const { id, order, side } = trade;
  const key = `own ${symbol} ${id} ${side ?? ''}`;
  if (order == null || state.seen.has(key)) return;
  const clientOrderId = state.clientIds.get(order) ?? (await clientIdOf(state, symbol, order));
  if (isNew(state, key) && clientOrderId !== undefined) state.onFill.tell(toFill(state, symbol, clientOrderId, trade));
}

/** Returns the house's trades from a time on, page by page, as far as the exchange searches in a request. */
async function tradesSince(state: State, symbol: string, sinceMs: number) {
  const trades = new Map<string, CcxtTrade>();
  let fromMs = sinceMs;
  for (let page = 0; page < fillPages; page += 1) {
    const found = await askTrades(state, () => state.client.fetchMyTrades(symbol, fromMs, tradesAtOnce));
    const fresh = found.filter((trade) => !trades.has(keyOf(trade)));
    for (const trade of fresh) trades.set(keyOf(trade), trade);
    if (fresh.length === 0 || found.length < smallestPage) return { trades: [...trades.values()], isAll: true };
    fromMs = Math.max(fromMs, ...fresh.map(({ timestamp }) => timestamp));
  }
  return { trades: [...trades.values()], isAll: false };
}

/** Both sides of a trade of the house with itself have the same id. */
const keyOf = ({ id, side }: CcxtTrade): string => `${id} ${side ?? ''}`;

/** Finds an order's fills by its id where the exchange lists trades so; where these are not all, by the trades of its market since it was placed. @throws {VenueUnknown} */
export async function fillsOfOrder(state: State, symbol: string, order: CcxtOrder): Promise<Fill[]> {
  const own = new Map<string, CcxtTrade>();
  const add = (trades: readonly CcxtTrade[]) => {
    for (const trade of trades) if (trade.order === order.id) own.set(keyOf(trade), trade);
  };
  const isWhole = () => sum([...own.values()].map(({ amount }) => amount)).greaterThanOrEqualTo(order.filled);
  if (state.client.has['fetchOrderTrades'] === true && !isWhole()) {
    const listed = await state.call(() => state.client.fetchOrderTrades(order.id, symbol, undefined, tradesAtOnce));
    if (listed.ok) add(readTrades(state, listed.value));
  }
  const nowMs = state.clock.now().getTime();
  let fromMs = (order.timestamp ?? nowMs - fillsBackMs) - 1_000;
  for (let count = 0; count < lookUpWindows && fromMs < nowMs && !isWhole(); count += 1) {
    const { trades, isAll } = await tradesSince(state, symbol, fromMs);
    add(trades);
    fromMs = isAll ? fromMs + fillsAheadMs : Math.max(fromMs + 1, ...trades.map(({ timestamp }) => timestamp));
  }
  return [...own.values()].map((trade) => toFill(state, symbol, order.clientOrderId, trade));
}

/** Returns undefined for an order without an id that can be read, as one placed by hand. @throws {VenueUnknown} if the exchange does not respond */
async function clientIdOf(state: State, symbol: string, id: string): Promise<string | undefined> {
  const result = await state.call(() => state.client.fetchOrder(id, symbol, {}));
  if (result.ok) {
    try {
      return readOrder(state, result.value).clientOrderId;
    } catch (err) {
      state.log.warn({ err, venue: state.name, order: id }, 'Trades of an unreadable order are skipped');
      return undefined;
    }
  }
  const { status, message } = result.error;
  if (status !== 400 && status !== 404) throw unknown(state, result.error);
  state.log.warn(
    { venue: state.name, order: id, message },
    'Trades of an order that the exchange does not have are skipped',
  );
  return undefined;
}

function toFill(state: State, symbol: string, clientOrderId: string, trade: CcxtTrade): Fill {
  const { base, quote } = requireMarket(state, symbol).market;
  const side = trade.side === 'sell' ? 'SELL' : 'BUY';
  if (trade.fee == null)
    state.log.error(
      { venue: state.name, symbol, trade: trade.id, clientOrderId },
      'An exchange reported a fill without a fee that can be read: it is booked as 0, and found as VENUE_BALANCE if it is more',
    );
  return {
    venue: state.name,
    // Trade ids are unique within a market only.
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
