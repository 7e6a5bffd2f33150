import { Decimal } from '../../../../shared/kernel/decimal.js';
import type { Level, Side } from '../venue.js';

export interface RestingOrder {
  readonly id: string;
  readonly owner: 'HOUSE' | 'MAKER' | 'FLOW';
  readonly side: Side;
  readonly price: Decimal;
  /** In the base currency, more than 0. */
  remaining: Decimal;
}

/** An execution of an incoming order against a resting one, at the resting one's price. */
export interface Match {
  readonly maker: RestingOrder;
  readonly amount: Decimal;
}

export interface Taker {
  readonly side: Side;
  readonly amount: Decimal;
  /** The worst price; any when omitted. */
  readonly limit?: Decimal | undefined;
}

export interface Takeable {
  readonly amount: Decimal;
  /** Price × amount, exactly. */
  readonly notional: Decimal;
}

/** The resting orders of one market, by price, and at equal prices by time of arrival. */
export interface OrderBook {
  /** Executes the taker's order: the best price first, and at equal prices the earliest order. */
  take(taker: Taker): Match[];
  /** Returns the amount and value that `take` would execute; changes nothing. */
  takeable(taker: Taker): Takeable;
  /** Adds a resting order after those at its price. It must not cross any. */
  rest(order: RestingOrder): void;
  remove(id: string): RestingOrder | undefined;
  crosses(side: Side, price: Decimal): boolean;
  /** Returns the best levels of the bids (BUY) or asks (SELL). */
  levels(side: Side, count: number): Level[];
  /** Increases with every change. */
  readonly sequence: number;
}

interface PriceLevel {
  readonly price: Decimal;
  total: Decimal;
  /** In the order in which they came. */
  readonly orders: RestingOrder[];
}

const zero = new Decimal(0);
const opposite: Readonly<Record<Side, Side>> = { BUY: 'SELL', SELL: 'BUY' };

/** Whether `price` is better than `than` for a resting order: higher for bids, lower for asks. */
function isBetter(side: Side, price: Decimal, than: Decimal): boolean {
  return side === 'BUY' ? price.greaterThan(than) : price.lessThan(than);
}

/** Returns the index of a price's level in a side, best first, or where it would be inserted. */
function positionOf(levels: readonly PriceLevel[], side: Side, price: Decimal): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const level = levels[middle];
    if (level !== undefined && isBetter(side, level.price, price)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function createOrderBook(): OrderBook {
  const sides: Readonly<Record<Side, PriceLevel[]>> = { BUY: [], SELL: [] };
  const byId = new Map<string, RestingOrder>();
  let sequence = 0;

  const isWithin = (side: Side, limit: Decimal | undefined, price: Decimal) =>
    limit === undefined || !isBetter(opposite[side], limit, price);

  const levelOf = (order: RestingOrder): { readonly levels: PriceLevel[]; readonly at: number } => {
    const levels = sides[order.side];
    return { levels, at: positionOf(levels, order.side, order.price) };
  };

  return {
    take: ({ side, amount, limit }) => {
      const levels = sides[opposite[side]];
      const matches: Match[] = [];
      let left = amount;
      let [level] = levels;
      while (level !== undefined && left.greaterThan(0) && isWithin(side, limit, level.price)) {
        left = takeFrom(level, left, matches, byId);
        if (level.orders.length === 0) levels.shift();
        [level] = levels;
      }
      if (matches.length > 0) sequence += 1;
      return matches;
    },
    takeable: ({ side, amount, limit }) => {
      let taken = zero;
      let notional = zero;
      for (const { price, total } of sides[opposite[side]]) {
        if (!isWithin(side, limit, price) || taken.greaterThanOrEqualTo(amount)) break;
        const part = Decimal.min(total, amount.minus(taken));
        taken = taken.plus(part);
        notional = notional.plus(part.times(price));
      }
      return { amount: taken, notional };
    },
    rest: (order) => {
      const { levels, at } = levelOf(order);
      const level = levels[at];
      if (level?.price.equals(order.price) === true) {
        level.orders.push(order);
        level.total = level.total.plus(order.remaining);
      } else levels.splice(at, 0, { price: order.price, total: order.remaining, orders: [order] });
      byId.set(order.id, order);
      sequence += 1;
    },
    remove: (id) => {
      const order = byId.get(id);
      if (order === undefined) return undefined;
      const { levels, at } = levelOf(order);
      const level = levels[at];
      if (level !== undefined) {
        level.orders.splice(level.orders.indexOf(order), 1);
        level.total = level.total.minus(order.remaining);
        if (level.orders.length === 0) levels.splice(at, 1);
      }
      byId.delete(id);
      sequence += 1;
      return order;
    },
    crosses: (side, price) => {
      const [best] = sides[opposite[side]];
      return best !== undefined && isWithin(side, price, best.price);
    },
    levels: (side, count) => sides[side].slice(0, count).map(({ price, total }) => ({ price, amount: total })),
    get sequence() {
      return sequence;
    },
  };
}

/** Takes from the orders of one level, oldest first; returns the taker's remaining amount. */
function takeFrom(level: PriceLevel, wanted: Decimal, matches: Match[], byId: Map<string, RestingOrder>): Decimal {
  let left = wanted;
  let [maker] = level.orders;
  while (maker !== undefined && left.greaterThan(0)) {
    const amount = Decimal.min(maker.remaining, left);
    maker.remaining = maker.remaining.minus(amount);
    level.total = level.total.minus(amount);
    left = left.minus(amount);
    matches.push({ maker, amount });
    if (maker.remaining.isZero()) {
      level.orders.shift();
      byId.delete(maker.id);
    }
    [maker] = level.orders;
  }
  return left;
}
