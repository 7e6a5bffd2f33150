import { Decimal } from '../../../shared/kernel/decimal.js';
import type { Level, Side } from '../venues/venue.js';
import { maxLevels, type RouteVenue } from './routing.js';

export interface Demand {
  readonly side: Side;
  /** In the base currency; without a limit by amount it is infinite. */
  readonly amount: Decimal;
  /** Maximum of amount × limit price over all children. */
  readonly budget: Decimal | undefined;
  /** The worst price. */
  readonly bound: Decimal;
}

interface Walk {
  readonly venue: RouteVenue;
  readonly levels: readonly Level[];
  /** 1 + fee for a BUY, 1 - fee for a SELL. */
  readonly factor: Decimal;
  /** Index of the current level, and the part of it that is taken. */
  at: number;
  takenOfLevel: Decimal;
  amount: Decimal;
  limitPrice: Decimal;
  /** Price of the current level after fees; undefined at the end of the book, the bound, the funds or the budget. */
  price: Decimal | undefined;
}

const zero = new Decimal(0);

/** Returns a venue's offer to a side: the factor for a taker's price × amount after fees, and the first levels. */
export function offerOf(side: Side, { asks, bids, fees }: RouteVenue): Pick<Walk, 'levels' | 'factor'> {
  return side === 'BUY'
    ? { levels: asks, factor: fees.taker.plus(1) }
    : { levels: bids, factor: fees.taker.negated().plus(1) };
}

export function isWithin(side: Side, price: Decimal, bound: Decimal): boolean {
  return side === 'BUY' ? price.lessThanOrEqualTo(bound) : price.greaterThanOrEqualTo(bound);
}

/** Takes the best price after fees first, ties in the list's order. Respects amount, bound, funds and budget, neither lots nor minimums. @param first amounts taken before the others, by name */
export function walkBooks(
  demand: Demand,
  venues: readonly RouteVenue[],
  first?: ReadonlyMap<string, Decimal>,
): Decimal[] {
  const walks = venues.map((venue) => openWalk(demand, venue));
  let left = demand.amount;
  for (const one of walks) {
    let wanted = Decimal.min(left, first?.get(one.venue.venue) ?? zero);
    while (one.price !== undefined && wanted.greaterThan(0)) {
      const taken = takeLevel(demand, walks, one, wanted);
      wanted = wanted.minus(taken);
      left = left.minus(taken);
    }
  }
  for (
    let best = bestOf(demand.side, walks);
    best !== undefined && left.greaterThan(0);
    best = bestOf(demand.side, walks)
  ) {
    left = left.minus(takeLevel(demand, walks, best, left));
  }
  return walks.map(({ amount }) => amount);
}

function openWalk({ side, bound }: Demand, venue: RouteVenue): Walk {
  const walk: Walk = {
    venue,
    ...offerOf(side, venue),
    at: -1,
    takenOfLevel: zero,
    amount: zero,
    limitPrice: zero,
    price: undefined,
  };
  goOn(side, bound, walk);
  return walk;
}

function goOn(side: Side, bound: Decimal, walk: Walk): void {
  walk.at += 1;
  walk.takenOfLevel = zero;
  const price = walk.at < maxLevels ? walk.levels[walk.at]?.price : undefined;
  walk.price = price !== undefined && isWithin(side, price, bound) ? price.times(walk.factor) : undefined;
}

function bestOf(side: Side, walks: readonly Walk[]): Walk | undefined {
  let best: Walk | undefined;
  for (const one of walks) {
    if (one.price === undefined) continue;
    const order = best?.price === undefined ? -1 : one.price.comparedTo(best.price) * (side === 'BUY' ? 1 : -1);
    if (order < 0) best = one;
  }
  return best;
}

/** Takes at most `wanted` of the current level, as far as funds and budget allow; returns the amount taken. */
function takeLevel(demand: Demand, walks: readonly Walk[], one: Walk, wanted: Decimal): Decimal {
  const level = one.levels[one.at];
  if (level === undefined) {
    one.price = undefined;
    return zero;
  }
  const reach = reachOf(demand, walks, one, level.price).minus(one.amount);
  const taken = Decimal.max(zero, Decimal.min(level.amount.minus(one.takenOfLevel), wanted, reach));
  if (taken.greaterThan(0)) {
    one.amount = one.amount.plus(taken);
    one.takenOfLevel = one.takenOfLevel.plus(taken);
    one.limitPrice = level.price;
  }
  if (reach.lessThanOrEqualTo(taken)) one.price = undefined;
  else if (one.takenOfLevel.equals(level.amount)) goOn(demand.side, demand.bound, one);
  return taken;
}

/** Returns the maximum total for a venue at a limit price, by the house's funds there and by the budget. */
function reachOf({ side, budget }: Demand, walks: readonly Walk[], one: Walk, price: Decimal): Decimal {
  const { funds } = one.venue;
  const byFunds = side === 'SELL' ? funds.base : funds.quote.dividedBy(price.times(one.factor));
  if (budget === undefined) return Decimal.min(byFunds, roundedDown(byFunds));
  let worstElsewhere = zero;
  for (const other of walks) {
    if (other !== one) worstElsewhere = worstElsewhere.plus(other.amount.times(other.limitPrice));
  }
  return roundedDown(Decimal.min(byFunds, budget.minus(worstElsewhere).dividedBy(price)));
}

/** Rounds a quotient down, far below the decimals of any venue, so that it never exceeds what was divided. */
function roundedDown(amount: Decimal): Decimal {
  return amount.toDecimalPlaces(20, Decimal.ROUND_DOWN);
}
