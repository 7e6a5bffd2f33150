import type { Clock } from '../../../../shared/kernel/clock.js';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import type { Fill, Side, Trade, VenueFees, VenueOrderRequest, VenueOrderState, VenueBalance } from '../venue.js';
import type { SimulatedMarket } from './market-maker.js';
import { createOrderBook, type Match, type OrderBook } from './order-book.js';

export interface KnownOrder {
  readonly request: VenueOrderRequest;
  state: VenueOrderState;
  filled: Decimal;
  readonly fills: Fill[];
}

export interface EngineParts {
  readonly name: string;
  /** Distinguishes the trade ids of different runs. */
  readonly epoch: string;
  readonly markets: readonly SimulatedMarket[];
  readonly fees: VenueFees;
  readonly funds: Funds;
  readonly clock: Clock;
  readonly onTrade: (trade: Trade) => void;
  readonly onFill: (fill: Fill) => void;
}

export interface OpenMarket {
  readonly market: SimulatedMarket;
  readonly book: OrderBook;
  quoted: readonly string[];
}

export interface EngineState extends EngineParts {
  readonly open: ReadonlyMap<string, OpenMarket>;
  readonly orders: Map<string, KnownOrder>;
  /** Closing times of orders, in milliseconds since 1970, oldest first. */
  readonly closed: Map<string, number>;
  trades: number;
  quotes: number;
}

export function createEngineState(parts: EngineParts): EngineState {
  const open = parts.markets.map((market) => [market.symbol, { market, book: createOrderBook(), quoted: [] }] as const);
  return {
    ...parts,
    open: new Map<string, OpenMarket>(open),
    orders: new Map(),
    closed: new Map(),
    trades: 0,
    quotes: 0,
  };
}

/** Returns the funds that a resting order locks: for a BUY price × amount and the maker's fee, for a SELL the amount. */
export function lockOf(
  { fees }: EngineState,
  { base, quote }: SimulatedMarket,
  { side, price, amount }: { readonly side: Side; readonly price: Decimal; readonly amount: Decimal },
): [currency: string, amount: Decimal] {
  return side === 'SELL' ? [base, amount] : [quote, amount.times(price).times(fees.maker.plus(1))];
}

export function closeOrder({ closed, clock }: EngineState, order: KnownOrder, state: VenueOrderState): void {
  order.state = state;
  closed.set(order.request.clientOrderId, clock.now().getTime());
}

/** Removes orders that were closed before a time, and the oldest of the others where there are more than `most`. */
export function forgetClosed({ orders, closed }: EngineState, beforeMs: number, most: number): void {
  for (const [id, closedMs] of closed) {
    if (closedMs >= beforeMs && closed.size <= most) return;
    closed.delete(id);
    orders.delete(id);
  }
}

/** Books executions in the order in which they happened; fees are exact, in the quote currency. @param taker the house's order that took; undefined for a stranger or the market maker */
export function execute(
  state: EngineState,
  market: SimulatedMarket,
  matches: readonly Match[],
  taker?: KnownOrder,
): void {
  const at = state.clock.now();
  for (const { maker, amount } of matches) {
    state.trades += 1;
    const id = `${state.epoch}-${state.trades}`;
    const trade = { price: maker.price, amount, at };
    const resting = maker.owner === 'HOUSE' ? state.orders.get(maker.id) : undefined;
    if (resting !== undefined) bookFill(state, resting, market, { ...trade, tradeId: `${id}-M`, liquidity: 'MAKER' });
    if (taker !== undefined) bookFill(state, taker, market, { ...trade, tradeId: `${id}-T`, liquidity: 'TAKER' });
    state.onTrade({ ...trade, venue: state.name, symbol: market.symbol });
  }
}

type Execution = Pick<Fill, 'price' | 'amount' | 'liquidity' | 'at' | 'tradeId'>;

function bookFill(state: EngineState, order: KnownOrder, market: SimulatedMarket, execution: Execution): void {
  const { fees, funds } = state;
  const { side, clientOrderId, amount } = order.request;
  const notional = execution.price.times(execution.amount);
  const fee = notional.times(execution.liquidity === 'MAKER' ? fees.maker : fees.taker);
  const [paid, received] = side === 'BUY' ? [market.quote, market.base] : [market.base, market.quote];
  if (execution.liquidity === 'MAKER') funds.unlock(...lockOf(state, market, { side, ...execution }));
  funds.spend(paid, side === 'BUY' ? notional.plus(fee) : execution.amount);
  funds.add(received, side === 'BUY' ? execution.amount : notional.minus(fee));
  order.filled = order.filled.plus(execution.amount);
  if (order.filled.equals(amount)) closeOrder(state, order, 'FILLED');
  const { symbol, quote: feeCurrency } = market;
  const fill: Fill = { ...execution, venue: state.name, clientOrderId, symbol, side, fee, feeCurrency };
  order.fills.push(fill);
  state.onFill(fill);
}

interface Funds {
  available(currency: string): Decimal;
  add(currency: string, amount: Decimal): void;
  /** Spends available funds; more than that is an error of the caller. */
  spend(currency: string, amount: Decimal): void;
  lock(currency: string, amount: Decimal): void;
  unlock(currency: string, amount: Decimal): void;
  list(): VenueBalance[];
}

interface Holding {
  available: Decimal;
  locked: Decimal;
}

const zero = new Decimal(0);

export function createFunds(initial: Readonly<Record<string, string>>): Funds {
  const holdings = new Map<string, Holding>();
  const of = (currency: string): Holding => {
    const known = holdings.get(currency);
    if (known !== undefined) return known;
    const made = { available: zero, locked: zero };
    holdings.set(currency, made);
    return made;
  };
  const move = (currency: string, available: Decimal, locked: Decimal) => {
    const holding = of(currency);
    const [nowAvailable, nowLocked] = [holding.available.plus(available), holding.locked.plus(locked)];
    if (nowAvailable.isNegative() && !nowAvailable.isZero()) throw new RangeError(`There is not so much ${currency}`);
    if (nowLocked.isNegative() && !nowLocked.isZero()) throw new RangeError(`Not so much ${currency} is locked`);
    holding.available = nowAvailable;
    holding.locked = nowLocked;
  };
  for (const [currency, amount] of Object.entries(initial)) move(currency, new Decimal(amount), zero);
  return {
    available: (currency) => of(currency).available,
    add: (currency, amount) => move(currency, amount, zero),
    spend: (currency, amount) => move(currency, amount.negated(), zero),
    lock: (currency, amount) => move(currency, amount.negated(), amount),
    unlock: (currency, amount) => move(currency, amount, amount.negated()),
    list: () => [...holdings].map(([currency, holding]) => ({ currency, ...holding })),
  };
}
