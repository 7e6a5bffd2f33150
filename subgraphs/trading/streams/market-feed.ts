import type { Context } from '../../../shared/context.js';
import type { Catalogue } from '../markets/catalogue.js';
import type { MarketData, MarketName } from '../markets/market-data.js';
import { toDepth, toTicker } from '../markets/ticker.type.js';

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
  /** @throws {ApiError} MARKET_NOT_AVAILABLE when there is no such market */
  requireMarket(context: Context, symbol: string): Promise<void>;
  /** The ticker or the order book of a market as JSON, amounts as decimal text; undefined before there is one. */
  read(ref: MarketRef): object | undefined;
  /** Tells that what `read` returns has changed. */
  onChange(ref: MarketRef, listener: () => void): Stop;
}

/** The feed of the markets of this process. */
export function marketFeedOf(catalogue: Pick<Catalogue, 'require'>, data: MarketData): MarketFeed {
  return {
    requireMarket: async (context, symbol) => {
      await catalogue.require(context, symbol);
    },
    read: ({ synthetic, symbol, levels }) =>
      levels === undefined ? toTicker(data.ticker(synthetic, symbol)) : toDepth(data.depth(synthetic, symbol, levels)),
    onChange: ({ synthetic, symbol, levels }, listener) => {
      const listen = (changed: MarketName) => {
        if (changed.symbol === symbol && changed.synthetic === synthetic) listener();
      };
      return levels === undefined ? data.onTicker(listen) : data.onDepth(listen);
    },
  };
}
