import type { Decimal } from '../../../shared/kernel/decimal.js';

export type Side = 'BUY' | 'SELL';
export type OrderType = 'MARKET' | 'LIMIT';
/**
 * - GTC: rests until it is filled or cancelled
 * - IOC: executes what is available, and the rest is cancelled
 * - FOK: is filled in full at once, or not at all
 */
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';

export interface VenueMarket {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly priceDecimals: number;
  readonly amountDecimals: number;
  /** Least amount of an order, in the base currency. */
  readonly minAmount: Decimal;
  /** Least price × amount of an order, in the quote currency; omitted where the venue has no such minimum. */
  readonly minNotional?: Decimal;
}

/** Fees as fractions of price × amount (`0.001` is 0.1%). */
export interface VenueFees {
  readonly maker: Decimal;
  readonly taker: Decimal;
}

export interface Level {
  /** In the quote currency, for one unit of the base currency. */
  readonly price: Decimal;
  /** In the base currency. */
  readonly amount: Decimal;
}

/** The order book of a venue at a time, each side best first. */
export interface Book {
  readonly venue: string;
  readonly symbol: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** Increases with every change; two books of a venue and symbol with the same sequence are equal. */
  readonly sequence: number;
  /** When the venue last confirmed the book. An old one is stale: see `isStale`. */
  readonly at: Date;
}

export interface Trade {
  readonly venue: string;
  readonly symbol: string;
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly at: Date;
}

export interface VenueOrderRequest {
  /** Assigned by the house; the venue accepts each id once. */
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  /** In the base currency. */
  readonly amount: Decimal;
  /** The limit, in the quote currency; omitted for MARKET. */
  readonly price?: Decimal;
  /** Always IOC for a MARKET order. */
  readonly timeInForce: TimeInForce;
  /** Whether the venue rejects the order if it would take; only with GTC. */
  readonly postOnly: boolean;
}

/** An execution of an order of the house. It may arrive late, twice and out of order: `(venue, tradeId)` identifies it. */
export interface Fill extends Trade {
  /** Unique on the venue, for each side of a trade and across restarts. */
  readonly tradeId: string;
  readonly clientOrderId: string;
  readonly side: Side;
  /** Charged to the house, in `feeCurrency`; a rebate is negative. */
  readonly fee: Decimal;
  readonly feeCurrency: string;
  readonly liquidity: 'MAKER' | 'TAKER';
}

/** OPEN may still be filled; the others cannot, but their fills may still be on their way: compare `filled`. */
export type VenueOrderState = 'OPEN' | 'FILLED' | 'CANCELLED' | 'REJECTED';

export interface VenueOrder {
  readonly clientOrderId: string;
  readonly state: VenueOrderState;
  /** The total executed amount, in the base currency. It exceeds the sum of the fills while some are still to come. */
  readonly filled: Decimal;
  /** The fills that the venue reports so far. */
  readonly fills: readonly Fill[];
}

export type RejectReason =
  | 'INVALID'
  | 'BELOW_MINIMUM'
  | 'INSUFFICIENT_FUNDS'
  | 'WOULD_TAKE'
  | 'MARKET_CLOSED'
  | 'RATE_LIMITED'
  /** Not sent: the circuit breaker of the venue is not closed. */
  | 'VENUE_DOWN'
  | 'OTHER';

export type PlaceResult =
  | { readonly status: 'ACCEPTED'; readonly order: VenueOrder }
  | { readonly status: 'REJECTED'; readonly reason: RejectReason; readonly message: string };

export interface VenueBalance {
  readonly currency: string;
  readonly available: Decimal;
  readonly locked: Decimal;
}

/**
 * The outcome of a request to a venue is unknown: it timed out, the connection broke, the venue failed (5xx), or it reports that
 * it has an order with this id already. Never send again: look up by the client order id.
 */
export class VenueUnknown extends Error {
  override readonly name = 'VenueUnknown';

  constructor(
    readonly venue: string,
    message: string,
    cause?: unknown,
  ) {
    super(`${venue}: ${message}`, cause === undefined ? undefined : { cause });
  }
}

export type Stop = () => void;

/** An exchange, as the house uses it: one account of the house, any number of markets. */
export interface Venue {
  readonly name: string;
  /** Whether the venue is synthetic. Live and synthetic trading share no venue. */
  readonly synthetic: boolean;
  /** The markets it trades; known once it has started. */
  markets(): readonly VenueMarket[];
  /** The decimals in which it keeps the house's balances, by currency, without those that it does not report. */
  readonly balanceDecimals?: () => ReadonlyMap<string, number>;
  fees(symbol: string): VenueFees;
  /** Returns the latest book; undefined if there is none yet. Costs nothing while it does not change. */
  book(symbol: string): Book | undefined;
  readonly onBook: (listener: (symbol: string) => void) => Stop;
  readonly onTrade: (listener: (trade: Trade) => void) => Stop;
  readonly onFill: (listener: (fill: Fill) => void) => Stop;
  /** Sends an order once. @throws {VenueUnknown} */
  place(order: VenueOrderRequest): Promise<PlaceResult>;
  /** Cancels an order; returns its state afterwards, `absent` as for `lookUp`. @throws {VenueUnknown} */
  cancel(clientOrderId: string, symbol: string): Promise<VenueOrder | 'absent'>;
  /** `absent` means that the venue does not have it, and will not unless it is still on its way there. @throws {VenueUnknown} */
  lookUp(clientOrderId: string, symbol: string): Promise<VenueOrder | 'absent'>;
  /** Returns balances by currency. @throws {VenueUnknown} */
  balances(): Promise<readonly VenueBalance[]>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function isStale(book: Book, now: Date, maxAgeMs: number): boolean {
  return now.getTime() - book.at.getTime() > maxAgeMs;
}
