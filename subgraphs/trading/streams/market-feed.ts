import type { Context } from '../../../shared/context.js';
import type { Catalogue } from '../markets/catalogue.js';
import type { MarketData, MarketName } from '../markets/market-data.js';
import { toDepth, toTicker, type MarketDecimals } from '../markets/ticker.type.js';
import type { Stop } from '../venues/venue.js';

/** A ticker or an order book to read. */
export interface MarketRef {
  readonly synthetic: boolean;
  /** Such as `BTC/BRL`. */
  readonly symbol: string;
  /** Levels of each side of the order book; omitted for the ticker. */
  readonly levels?: number;
}

/** The current prices and notifications of their changes. Real and synthetic markets are separate. */
export interface MarketFeed {
  /** Returns the decimals of a market. @throws {ApiError} MARKET_NOT_AVAILABLE if the market does not exist */
  requireMarket(context: Context, symbol: string): Promise<MarketDecimals>;
  /** Returns the ticker or the order book of a market as JSON, amounts as decimal text; undefined before there is one. */
  read(ref: MarketRef, decimals: MarketDecimals): object | undefined;
  /** Calls the listener when the result of `read` has changed. */
  onChange(ref: MarketRef, listener: () => void): Stop;
}

/** Creates the feed of the markets of this process. */
export function marketFeedOf(catalogue: Pick<Catalogue, 'require'>, data: MarketData): MarketFeed {
  return {
    requireMarket: (context, symbol) => catalogue.require(context, symbol),
    read: ({ synthetic, symbol, levels }, decimals) =>
      levels === undefined
        ? toTicker(data.ticker(synthetic, symbol), decimals)
        : toDepth(data.depth(synthetic, symbol, levels), decimals),
    onChange: ({ synthetic, symbol, levels }, listener) => {
      const listen = (changed: MarketName) => {
        if (changed.symbol === symbol && changed.synthetic === synthetic) listener();
      };
      return levels === undefined ? data.onTicker(listen) : data.onDepth(listen);
    },
  };
}
