import type { Decimal } from '../../../shared/decimal.js';
import type { Level, OrderType, Side, TimeInForce, VenueFees } from '../venues/venue.js';

/** A venue as the router sees it. */
export interface RouteVenue {
  readonly venue: string;
  /** Whether orders may be sent there: its breaker is closed and its book fresh. */
  readonly usable: boolean;
  /** Best first. The router looks at the first `maxLevels` of each side. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** Of price × amount, as fractions. */
  readonly fees: VenueFees;
  /** What the house has available there: of the base and of the quote currency. */
  readonly funds: { readonly base: Decimal; readonly quote: Decimal };
  /** Decimals of an amount and of a price that it takes. */
  readonly amountDecimals: number;
  readonly priceDecimals: number;
  /** Least amount of an order, in the base currency. */
  readonly minAmount: Decimal;
  /** Least limit price × amount of an order, in the quote currency; left out where the venue asks for none. */
  readonly minNotional?: Decimal;
}

/** How much is wanted: an amount of the base currency, or at most so much price × amount in the quote currency. */
export type RouteSize = { readonly amount: Decimal } | { readonly quoteAmount: Decimal };

export interface RouteInput {
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly size: RouteSize;
  /** The limit of a LIMIT order. */
  readonly price?: Decimal;
  /** Of a MARKET order how far from the mid a price may be, in percent. */
  readonly collarPercent: Decimal;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** Decimals of an amount on the house's market. */
  readonly amountDecimals: number;
  readonly venues: readonly RouteVenue[];
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

/** What it would come to on one venue, or on several, by the books as they are. */
export interface RouteCost {
  /** That would be executed at once, in the base currency. */
  readonly amount: Decimal;
  /** Price × amount, in the quote currency. */
  readonly notional: Decimal;
  /** What the venues would charge, in the quote currency. */
  readonly fees: Decimal;
  /** Paid in all for a BUY, received in all for a SELL: notional and fees. */
  readonly total: Decimal;
}

/** One venue alone. */
export interface SingleCost extends RouteCost {
  readonly venue: string;
}

/** Where an order goes, and why: it is kept with the order. */
export interface RoutePlan {
  readonly kind: 'PLAN';
  /** At most one for each venue, by the venue's name. */
  readonly children: readonly ChildOrder[];
  /** Sum of the children's amounts. */
  readonly amount: Decimal;
  /** What is wanted and no venue is asked for, in the base currency; 0 where the children are all of it. */
  readonly unplaced: Decimal;
  /** What is expected to be executed at once. */
  readonly expected: RouteCost;
  /** Sum of amount × limit price: a BUY costs at most this before fees, whatever the books do meanwhile. */
  readonly worstNotional: Decimal;
  /** The middle between the best bid and ask of the usable venues. */
  readonly mid: Decimal | undefined;
  /** How much worse the expected average price is than the mid, in percent; negative where it is better. */
  readonly slippagePercent: Decimal | undefined;
  /** No child has a worse price: the limit, or the collar around the mid. */
  readonly bound: Decimal;
  /** What each usable venue would have cost alone for the same amount. */
  readonly singles: readonly SingleCost[];
}

/**
 * - NO_VENUE: no venue is usable
 * - NO_LIQUIDITY: nothing is offered within the limit or the collar
 * - NO_FUNDS: the house has no funds on any venue that could take it
 * - BELOW_MINIMUM: no venue takes so little, by amount or by value
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

/** Levels of a side that are looked at on each venue. */
export const maxLevels = 20;

/** Whether an order at a limit price is worth less than a venue takes. */
export function isWorthTooLittle(
  { minNotional }: Pick<RouteVenue, 'minNotional'>,
  amount: Decimal,
  limitPrice: Decimal,
): boolean {
  return minNotional !== undefined && amount.times(limitPrice).lessThan(minNotional);
}
