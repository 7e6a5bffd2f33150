import type { Decimal } from '../../../shared/decimal.js';

export type Side = 'BUY' | 'SELL';
export type OrderType = 'MARKET' | 'LIMIT';
/**
 * - GTC: rests until it is filled or cancelled
 * - IOC: takes what is there, and the rest is cancelled
 * - FOK: is filled whole at once, or not at all
 */
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';

/** A pair that a venue trades, and what it demands of orders. */
export interface VenueMarket {
  /** As `BTC/BRL`. */
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly priceDecimals: number;
  readonly amountDecimals: number;
  /** Least amount of an order, in the base currency. */
  readonly minAmount: Decimal;
  /** Least price × amount of an order, in the quote currency; left out where the venue asks for none. */
  readonly minNotional?: Decimal;
}

/** Share of price × amount that a venue takes, as a fraction (`0.001` is 0.1%). */
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

/** The order book of a venue as it was at a moment, each side best first. */
export interface Book {
  readonly venue: string;
  readonly symbol: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** Grows with every change; two books of a venue and symbol with one sequence are equal. */
  readonly sequence: number;
  /** When the venue last said that the book is so. One that is old is stale: see `isStale`. */
  readonly at: Date;
}

/** A trade of anybody on a venue. */
export interface Trade {
  readonly venue: string;
  readonly symbol: string;
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly at: Date;
}

/** An order as it leaves the house. */
export interface VenueOrderRequest {
  /** Given by the house; the venue takes each id once. */
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  /** In the base currency. */
  readonly amount: Decimal;
  /** The limit, in the quote currency; left out for MARKET. */
  readonly price?: Decimal;
  /** Of a MARKET order always IOC. */
  readonly timeInForce: TimeInForce;
  /** Refused by the venue where it would take; only with GTC. */
  readonly postOnly: boolean;
}

/**
 * An execution of an order of the house. It may come late, twice and out of order: `(venue, tradeId)` tells it from others.
 */
export interface Fill {
  readonly venue: string;
  /** Unique on the venue, for each side of a trade and across restarts. */
  readonly tradeId: string;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly price: Decimal;
  /** In the base currency. */
  readonly amount: Decimal;
  /** Charged to the house, in `feeCurrency`; a rebate is negative. */
  readonly fee: Decimal;
  readonly feeCurrency: string;
  readonly at: Date;
  readonly liquidity: 'MAKER' | 'TAKER';
}

/** OPEN may still be filled; the others never more, but fills of theirs may still be on their way: compare `filled`. */
export type VenueOrderState = 'OPEN' | 'FILLED' | 'CANCELLED' | 'REJECTED';

/** An order as the venue has it. */
export interface VenueOrder {
  readonly clientOrderId: string;
  readonly state: VenueOrderState;
  /** What was executed in all, in the base currency. More than the fills add up to where some are still to come. */
  readonly filled: Decimal;
  /** The fills that the venue reports so far. */
  readonly fills: readonly Fill[];
}

/** Why a venue did not take an order. */
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

/** What the house owns on a venue. */
export interface VenueBalance {
  readonly currency: string;
  readonly available: Decimal;
  readonly locked: Decimal;
}

/**
 * The fate of what was asked of a venue is not known: it timed out, the connection broke, the venue failed (5xx), or it says that
 * it has an order of this id already. Never send again: look up by the client order id.
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

/** Stops what was begun. */
export type Stop = () => void;

/** An exchange, as the house uses it: one account of the house, any number of markets. */
export interface Venue {
  readonly name: string;
  /** Whether it belongs to the synthetic world. The two worlds share no venue. */
  readonly synthetic: boolean;
  /** What it trades; known once it has started. */
  markets(): readonly VenueMarket[];
  /** In how many decimals it keeps what the house holds there, by currency; none of those of which it does not say. */
  readonly balanceDecimals?: () => ReadonlyMap<string, number>;
  /** What it takes of trades of a symbol. */
  fees(symbol: string): VenueFees;
  /** The latest book; undefined where there is none yet. Costs nothing while it does not change. */
  book(symbol: string): Book | undefined;
  /** Tells that the book of a symbol changed. */
  readonly onBook: (listener: (symbol: string) => void) => Stop;
  /** Tells of every trade. */
  readonly onTrade: (listener: (trade: Trade) => void) => Stop;
  /** Tells of the executions of the house's orders: see `Fill`. */
  readonly onFill: (listener: (fill: Fill) => void) => Stop;
  /**
   * Sends an order, once.
   * @throws {VenueUnknown}
   */
  place(order: VenueOrderRequest): Promise<PlaceResult>;
  /**
   * Cancels an order, and says how it then stands; `absent` as for `lookUp`.
   * @throws {VenueUnknown}
   */
  cancel(clientOrderId: string, symbol: string): Promise<VenueOrder | 'absent'>;
  /**
   * How an order stands. `absent`: the venue does not have it, and will not unless it is still on its way there.
   * @throws {VenueUnknown}
   */
  lookUp(clientOrderId: string, symbol: string): Promise<VenueOrder | 'absent'>;
  /**
   * What the house owns there, by currency.
   * @throws {VenueUnknown}
   */
  balances(): Promise<readonly VenueBalance[]>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether a book is too old to trade on. */
export function isStale(book: Book, now: Date, maxAgeMs: number): boolean {
  return now.getTime() - book.at.getTime() > maxAgeMs;
}
