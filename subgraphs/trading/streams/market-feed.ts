import type { Context } from '../../../shared/context.js';
import { Fault } from '../../../shared/errors.js';

/** Stops what was begun. */
export type Stop = () => void;

/** Which prices are read. */
export interface MarketRef {
  readonly synthetic: boolean;
  /** As `BTC/BRL`. */
  readonly symbol: string;
  /** Levels of each side of the order book; without it the ticker is read. */
  readonly levels?: number;
}

/** Prices as they are now, and word of their changes. Real and synthetic markets are apart. */
export interface MarketFeed {
  /** @throws {Fault} MARKET_NOT_AVAILABLE when there is no such market */
  requireMarket(context: Context, symbol: string): Promise<void>;
  /** The ticker or the order book of a market as JSON, amounts as decimal text; undefined before there is one. */
  read(ref: MarketRef): object | undefined;
  /** Tells that what `read` returns has changed. */
  onChange(ref: MarketRef, listener: () => void): Stop;
}

/** For a house without markets. */
export const noMarkets: MarketFeed = {
  requireMarket: () => Promise.reject(new Fault('MARKET_NOT_AVAILABLE')),
  read: () => undefined,
  onChange: () => () => undefined,
};
