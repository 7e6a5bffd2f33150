import { Decimal } from '../../../../shared/decimal.js';
import { VenueUnknown, type Fill } from '../venue.js';
import type { CcxtTrade } from './parse.js';
import { askTrades, isNew, readOrder, requireMarket, tradesAtOnce, unknown, type State } from './state.js';

/** How far before the last read fills are read again: an exchange may report them late. */
export const fillsBackMs = 10 * 60_000;
/** Exchanges search no further than a day from the start of a request; longer periods take several requests. */
const fillsAheadMs = 23 * 3_600_000;
/** Maximum number of pages of fills per run. */
const fillPages = 20;
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

/** Returns the house's trades from a time on, page by page. */
async function tradesSince(state: State, symbol: string, sinceMs: number) {
  const trades: CcxtTrade[] = [];
  let fromMs = sinceMs;
  for (let page = 0; page < fillPages; page += 1) {
    const found = await askTrades(state, () => state.client.fetchMyTrades(symbol, fromMs, tradesAtOnce));
    trades.push(...found);
    const newestMs = Math.max(fromMs, ...found.map(({ timestamp }) => timestamp));
    if (found.length < tradesAtOnce || newestMs === fromMs) return { trades, isAll: true };
    fromMs = newestMs;
  }
  return { trades, isAll: false };
}

/**
 * Returns the client order id of an order that this process did not place; undefined if the exchange has none that can be read, as for an order
 * placed by hand.
 * @throws {VenueUnknown} if the exchange does not respond
 */
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

/** Converts a trade of the house to a fill. */
export function toFill(state: State, symbol: string, clientOrderId: string, trade: CcxtTrade): Fill {
  const { base, quote } = requireMarket(state, symbol).market;
  const side = trade.side === 'sell' ? 'SELL' : 'BUY';
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
