import { Decimal } from '../../../../shared/kernel/decimal.js';
import type { PlaceResult, Side, VenueFees, VenueOrderRequest, RejectReason, VenueMarket } from '../venue.js';
import {
  closeOrder,
  createEngineState,
  execute,
  forgetClosed,
  lockOf,
  type EngineParts,
  type EngineState,
  type KnownOrder,
  type OpenMarket,
} from './engine-state.js';
import type { Quote, SimulatedMarket } from './market-maker.js';
import type { OrderBook } from './order-book.js';

/** An order that rested on the exchange before its restart. */
export interface RestoredOrder {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly price: Decimal;
  /** Amount of the whole order, in the base currency. */
  readonly amount: Decimal;
  readonly filled: Decimal;
}

type Submitted =
  { readonly status: 'ACCEPTED'; readonly order: KnownOrder } | Extract<PlaceResult, { readonly status: 'REJECTED' }>;

/** The exchange itself: books, funds and the house's orders. All its methods are synchronous. */
export interface Engine {
  submit(request: VenueOrderRequest): Submitted;
  cancel(clientOrderId: string): KnownOrder | undefined;
  find(clientOrderId: string): KnownOrder | undefined;
  readonly book: (symbol: string) => OrderBook | undefined;
  quote(symbol: string, quotes: readonly Quote[]): void;
  takeAsStranger(symbol: string, side: Side, amount: Decimal): void;
  /** Restores a resting order. Call it before the market maker quotes. */
  restore(order: RestoredOrder): void;
  forgetClosed(beforeMs: number, most: number): void;
}

export function createEngine(parts: EngineParts): Engine {
  const state = createEngineState(parts);
  return {
    submit: (request) => submit(state, request),
    cancel: (clientOrderId) => cancel(state, clientOrderId),
    find: (clientOrderId) => state.orders.get(clientOrderId),
    book: (symbol) => state.open.get(symbol)?.book,
    quote: (symbol, quotes) => {
      const open = state.open.get(symbol);
      if (open !== undefined) quote(state, open, quotes);
    },
    takeAsStranger: (symbol, side, amount) => {
      const open = state.open.get(symbol);
      if (open !== undefined) execute(state, open.market, open.book.take({ side, amount }));
    },
    restore: (order) => restore(state, order),
    forgetClosed: (beforeMs, most) => forgetClosed(state, beforeMs, most),
  };
}

function submit(state: EngineState, request: VenueOrderRequest): Submitted {
  const open = state.open.get(request.symbol);
  const wrong = checkOrder(open?.market, request);
  if (wrong !== undefined || open === undefined) return wrong ?? rejected('INVALID', 'There is no such market');
  const { side, price, postOnly, clientOrderId } = request;
  if (postOnly && price !== undefined && open.book.crosses(side, price)) {
    return rejected('WOULD_TAKE', 'The order is post-only and would be executed at once');
  }
  const [currency, needed] = needs(request, open.market, open.book, state.fees);
  if (state.funds.available(currency).lessThan(needed)) {
    return rejected('INSUFFICIENT_FUNDS', `${needed.toFixed()} ${currency} are needed`);
  }
  const order: KnownOrder = { request, state: 'OPEN', filled: new Decimal(0), fills: [] };
  state.orders.set(clientOrderId, order);
  match(state, open, order);
  return { status: 'ACCEPTED', order };
}

function needs(
  { side, amount, price }: VenueOrderRequest,
  { base, quote }: SimulatedMarket,
  book: OrderBook,
  { maker, taker }: VenueFees,
): [currency: string, amount: Decimal] {
  if (side === 'SELL') return [base, amount];
  if (price === undefined) return [quote, book.takeable({ side, amount }).notional.times(taker.plus(1))];
  return [quote, amount.times(price).times(Decimal.max(maker, taker).plus(1))];
}

/** Executes an order as far as it can take; the rest of it rests or is cancelled. */
function match(state: EngineState, { market, book }: OpenMarket, order: KnownOrder): void {
  const { side, amount, price, timeInForce, clientOrderId } = order.request;
  const taker = { side, amount, limit: price };
  const fillsWhole = timeInForce !== 'FOK' || book.takeable(taker).amount.equals(amount);
  if (fillsWhole) execute(state, market, book.take(taker), order);
  if (order.state !== 'OPEN') return;
  if (timeInForce !== 'GTC' || price === undefined) {
    closeOrder(state, order, 'CANCELLED');
    return;
  }
  const remaining = amount.minus(order.filled);
  state.funds.lock(...lockOf(state, market, { side, price, amount: remaining }));
  book.rest({ id: clientOrderId, owner: 'HOUSE', side, price, remaining });
}

function cancel(state: EngineState, clientOrderId: string): KnownOrder | undefined {
  const order = state.orders.get(clientOrderId);
  const open = order === undefined ? undefined : state.open.get(order.request.symbol);
  const resting = open?.book.remove(clientOrderId);
  if (order === undefined || open === undefined || resting === undefined) return order;
  const { side, price, remaining } = resting;
  state.funds.unlock(...lockOf(state, open.market, { side, price, amount: remaining }));
  closeOrder(state, order, 'CANCELLED');
  return order;
}

function quote(state: EngineState, open: OpenMarket, quotes: readonly Quote[]): void {
  const { market, book } = open;
  for (const id of open.quoted) book.remove(id);
  const quoted: string[] = [];
  for (const { side, price, amount } of quotes) {
    // The house's orders at a better price are taken first.
    const matches = book.take({ side, amount, limit: price });
    execute(state, market, matches);
    const remaining = matches.reduce((left, taken) => left.minus(taken.amount), amount);
    if (remaining.isZero()) continue;
    state.quotes += 1;
    const id = `maker ${state.quotes}`;
    book.rest({ id, owner: 'MAKER', side, price, remaining });
    quoted.push(id);
  }
  open.quoted = quoted;
}

function restore(state: EngineState, order: RestoredOrder): void {
  const { clientOrderId, symbol, side, price, amount, filled } = order;
  const open = state.open.get(symbol);
  if (open === undefined || state.orders.has(clientOrderId)) return;
  const request = {
    clientOrderId,
    symbol,
    side,
    type: 'LIMIT',
    amount,
    price,
    timeInForce: 'GTC',
    postOnly: false,
  } as const;
  const remaining = amount.minus(filled);
  state.orders.set(clientOrderId, { request, state: 'OPEN', filled, fills: [] });
  const [currency, locked] = lockOf(state, open.market, { side, price, amount: remaining });
  // The order was paid for when it was placed: if the new run begins with less than it locks, the difference is added.
  const missing = locked.minus(state.funds.available(currency));
  if (missing.greaterThan(0)) state.funds.add(currency, missing);
  state.funds.lock(currency, locked);
  open.book.rest({ id: clientOrderId, owner: 'HOUSE', side, price, remaining });
}

function rejected(reason: RejectReason, message: string): Extract<PlaceResult, { status: 'REJECTED' }> {
  return { status: 'REJECTED', reason, message };
}

function checkOrder(
  market: VenueMarket | undefined,
  { symbol, type, amount, price, timeInForce, postOnly }: VenueOrderRequest,
): ReturnType<typeof rejected> | undefined {
  if (market === undefined) return rejected('INVALID', `There is no market ${symbol}`);
  if ((type === 'LIMIT') !== (price !== undefined)) {
    return rejected('INVALID', 'A LIMIT order must have a price, and a MARKET order must have none');
  }
  if (type === 'MARKET' && timeInForce !== 'IOC') return rejected('INVALID', 'A MARKET order must be IOC');
  if (postOnly && timeInForce !== 'GTC') return rejected('INVALID', 'A post-only order must be GTC');
  if (!amount.greaterThan(0) || amount.decimalPlaces() > market.amountDecimals) {
    return rejected('INVALID', `The amount must be greater than 0, with at most ${market.amountDecimals} decimals`);
  }
  if (price !== undefined && (!price.greaterThan(0) || price.decimalPlaces() > market.priceDecimals)) {
    return rejected('INVALID', `The price must be greater than 0, with at most ${market.priceDecimals} decimals`);
  }
  if (amount.lessThan(market.minAmount)) {
    return rejected('BELOW_MINIMUM', `The minimum amount is ${market.minAmount.toFixed()} ${market.base}`);
  }
  return undefined;
}
