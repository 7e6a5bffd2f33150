import type { Decimal } from '../../../shared/kernel/decimal.js';
import type { Level, OrderType, Side, TimeInForce, VenueFees } from '../venues/venue.js';

export interface RouteVenue {
  readonly venue: string;
  /** Whether orders may be sent there: its breaker is closed and its book fresh. */
  readonly usable: boolean;
  /** Best first. The router reads the first `maxLevels` of each side. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** Fees as fractions of price × amount. */
  readonly fees: VenueFees;
  /** The house's available funds there, in the base and in the quote currency. */
  readonly funds: { readonly base: Decimal; readonly quote: Decimal };
  /** Decimals of an amount and of a price that it accepts. */
  readonly amountDecimals: number;
  readonly priceDecimals: number;
  /** Least amount of an order, in the base currency. */
  readonly minAmount: Decimal;
  /** Least limit price × amount of an order, in the quote currency; omitted where the venue has no such minimum. */
  readonly minNotional?: Decimal;
}

/** The size of an order: an amount of the base currency, or a maximum of price × amount in the quote currency. */
export type RouteSize = { readonly amount: Decimal } | { readonly quoteAmount: Decimal };

export interface RouteInput {
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly size: RouteSize;
  readonly price?: Decimal;
  /** For a MARKET order, how far from the mid a price may be, in percent. */
  readonly collarPercent: Decimal;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** Bounds set by the plan of the first round, in addition to the order's own; for later rounds. */
  readonly within?: RouteBounds;
  /** Decimals of an amount on the house's market. */
  readonly amountDecimals: number;
  readonly venues: readonly RouteVenue[];
}

/** Bounds that no plan exceeds, whatever the books allow. */
export interface RouteBounds {
  readonly worstPrice: Decimal;
  /** Maximum of the sum of amount × limit price, in the quote currency; undefined for a SELL. */
  readonly value: Decimal | undefined;
}

/** An order for one venue: always a limit order, so that no price is worse than planned. */
export interface ChildOrder {
  readonly venue: string;
  readonly amount: Decimal;
  readonly limitPrice: Decimal;
  /** GTC for what may rest, FOK for a FOK order, else IOC. */
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
}

export interface RouteCost {
  /** The amount executed at once, in the base currency. */
  readonly amount: Decimal;
  /** Price × amount, in the quote currency. */
  readonly notional: Decimal;
  /** The venues' fees, in the quote currency. */
  readonly fees: Decimal;
  /** Paid in total for a BUY, received in total for a SELL: notional and fees. */
  readonly total: Decimal;
}

export interface SingleCost extends RouteCost {
  readonly venue: string;
}

export interface RoutePlan {
  readonly kind: 'PLAN';
  /** At most one per venue, by the venue's name. */
  readonly children: readonly ChildOrder[];
  readonly amount: Decimal;
  /** The part of the size for which no venue receives an order, in the base currency; 0 where the children cover all of it. */
  readonly unplaced: Decimal;
  readonly expected: RouteCost;
  /** Sum of amount × limit price: a BUY costs at most this before fees, whatever the books do meanwhile. */
  readonly worstNotional: Decimal;
  /** The worst price in whatever round: the worst limit of the children; for an IOC order the limit, or for MARKET somewhat beyond that, within the bound. */
  readonly worstPrice: Decimal;
  /** The middle between the best bid and ask of the usable venues. */
  readonly mid: Decimal | undefined;
  /** How much worse the expected average price is than the mid, in percent; negative where it is better. */
  readonly slippagePercent: Decimal | undefined;
  /** No child has a worse price: the limit, or the collar around the mid, and in a later round the worst price of the first. */
  readonly bound: Decimal;
  /** The cost of the same amount on each usable venue by itself. */
  readonly singles: readonly SingleCost[];
}

/**
 * - NO_VENUE: no venue is usable
 * - NO_LIQUIDITY: nothing is offered within the limit or the collar
 * - NO_FUNDS: the house has no funds on any venue that could execute it
 * - BELOW_MINIMUM: every venue's minimum is higher, by amount or by value
 * - WOULD_TAKE: the order is post-only and crosses a book
 * - NOT_FILLABLE: no venue can fill the FOK order whole by itself
 */
export type RouteRefusalReason =
  'NO_VENUE' | 'NO_LIQUIDITY' | 'NO_FUNDS' | 'BELOW_MINIMUM' | 'WOULD_TAKE' | 'NOT_FILLABLE';

export interface RouteRefusal {
  readonly kind: 'REFUSED';
  readonly reason: RouteRefusalReason;
  readonly mid: Decimal | undefined;
}

/** Levels of each side that are read of each venue. */
export const maxLevels = 20;

export function isWorthTooLittle(
  { minNotional }: Pick<RouteVenue, 'minNotional'>,
  amount: Decimal,
  limitPrice: Decimal,
): boolean {
  return minNotional !== undefined && amount.times(limitPrice).lessThan(minNotional);
}
