import { systemClock } from '../../shared/kernel/clock.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { createVenueListeners } from '../../subgraphs/trading/venues/listeners.js';
import type {
  Book,
  Fill,
  Level,
  PlaceResult,
  Venue,
  VenueMarket,
  VenueOrder,
  VenueOrderRequest,
} from '../../subgraphs/trading/venues/venue.js';
import { quietLog } from '../kit/context.js';

export type Levels = readonly (readonly [price: string, amount: string])[];

/** An exchange of one market whose book is what a test says, and that a test meets orders at. */
export interface ScriptedVenue extends Venue {
  readonly received: readonly VenueOrderRequest[];
  readonly orders: ReadonlyMap<string, VenueOrder>;
  show(asks: Levels, bids?: Levels): void;
  /** Acts on an order before it is executed. What it returns, or throws, is the response in place of the execution. */
  meet(
    act: ((order: VenueOrderRequest) => Promise<PlaceResult | undefined> | PlaceResult | undefined) | undefined,
  ): void;
  tell(fill: Fill): void;
  forget(): void;
}

const market: VenueMarket = {
  symbol: 'BTC/BRL',
  base: 'BTC',
  quote: 'BRL',
  priceDecimals: 2,
  amountDecimals: 5,
  minAmount: new Decimal('0.0001'),
};
const fee = new Decimal('0.001');

export function createScriptedVenue(name: string): ScriptedVenue {
  const listeners = createVenueListeners(quietLog, name);
  const received: VenueOrderRequest[] = [];
  const orders = new Map<string, VenueOrder>();
  const funds = new Map([
    ['BRL', new Decimal('1000000000')],
    ['BTC', new Decimal('100000')],
  ]);
  let bids: Level[] = [];
  let asks: Level[] = [];
  let sequence = 0;
  let trades = 0;
  let meeting: Parameters<ScriptedVenue['meet']>[0];
  const book = (): Book => ({ venue: name, symbol: market.symbol, bids, asks, sequence, at: systemClock.now() });
  const move = (currency: string, amount: Decimal) =>
    funds.set(currency, (funds.get(currency) ?? new Decimal(0)).plus(amount));

  /** Takes what a limit order finds, at the prices of the book. */
  const execute = ({ clientOrderId, side, amount, price, timeInForce }: VenueOrderRequest): VenueOrder => {
    const levels = side === 'BUY' ? asks : bids;
    const isWithin = (one: Level) =>
      price === undefined ||
      (side === 'BUY' ? one.price.lessThanOrEqualTo(price) : one.price.greaterThanOrEqualTo(price));
    const offered = levels.filter(isWithin).reduce((sum, one) => sum.plus(one.amount), new Decimal(0));
    let left = timeInForce === 'FOK' && offered.lessThan(amount) ? new Decimal(0) : amount;
    const fills: Fill[] = [];
    const rest = levels.flatMap((one) => {
      const taken = isWithin(one) ? Decimal.min(left, one.amount) : new Decimal(0);
      if (taken.isZero()) return [one];
      left = left.minus(taken);
      const value = taken.times(one.price);
      const sign = side === 'BUY' ? 1 : -1;
      move('BRL', value.times(-sign).minus(value.times(fee)));
      move('BTC', taken.times(sign));
      fills.push({
        ...{ venue: name, clientOrderId, symbol: market.symbol, side, price: one.price, amount: taken },
        ...{ tradeId: `${clientOrderId}-${(trades += 1)}`, fee: value.times(fee), feeCurrency: 'BRL' },
        ...{ at: systemClock.now(), liquidity: 'TAKER' },
      });
      const remaining = one.amount.minus(taken);
      return remaining.isZero() ? [] : [{ price: one.price, amount: remaining }];
    });
    if (side === 'BUY') asks = rest;
    else bids = rest;
    sequence += 1;
    const filled = fills.reduce((sum, one) => sum.plus(one.amount), new Decimal(0));
    return { clientOrderId, state: filled.equals(amount) ? 'FILLED' : 'CANCELLED', filled, fills };
  };
  return {
    name,
    synthetic: false,
    received,
    orders,
    markets: () => [market],
    fees: () => ({ maker: fee, taker: fee }),
    book,
    onBook: listeners.onBook.add,
    onTrade: listeners.onTrade.add,
    onFill: listeners.onFill.add,
    place: async (order) => {
      received.push(order);
      const met = await meeting?.(order);
      if (met !== undefined) return met;
      const done = execute(order);
      orders.set(order.clientOrderId, done);
      return { status: 'ACCEPTED', order: done };
    },
    cancel: (id) => Promise.resolve(orders.get(id) ?? 'absent'),
    lookUp: (id) => Promise.resolve(orders.get(id) ?? 'absent'),
    balances: () =>
      Promise.resolve([...funds].map(([currency, available]) => ({ currency, available, locked: new Decimal(0) }))),
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    show: (newAsks, newBids = []) => {
      const toLevels = (levels: Levels) =>
        levels.map(([price, amount]) => ({ price: new Decimal(price), amount: new Decimal(amount) }));
      [asks, bids] = [toLevels(newAsks), toLevels(newBids)];
      sequence += 1;
      listeners.onBook.tell(market.symbol);
    },
    meet: (act) => {
      meeting = act;
    },
    tell: listeners.onFill.tell,
    forget: () => {
      received.length = 0;
      orders.clear();
    },
  };
}
