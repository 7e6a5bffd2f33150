import { asyncIterator, finished, serialized } from '../../../shared/kernel/async-iterator.js';
import type { Clock } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { placed } from '../../../shared/kernel/stream-place.js';
import { type MarketDecimals, toDepth, toTicker } from '../markets/market.type.js';
import type { Stop } from '../venues/venue.js';
import type { Catalogue } from '../markets/catalogue.js';
import type { MarketData, MarketName } from '../markets/market-data.js';

/** The prices of a market after a change. All readers get the same object. */
export interface MarketUpdate {
  readonly kind: 'UPDATE';
  /** Increases with each change of any market in this process, with gaps. */
  readonly eventId: number;
  readonly timestamp: string;
  readonly data: object;
}

export interface MarketStreams {
  /** Reads the current prices, if any, and again after each change; a slow reader receives only the latest. @throws {ApiError} MARKET_NOT_AVAILABLE */
  read(context: Context, ref: MarketRef): Promise<AsyncIterableIterator<MarketUpdate>>;
  readonly feeds: number;
}

/** The state that readers of the same prices share. */
interface Place {
  version: number;
  /** The update of the last change that anyone has read. */
  made: MarketUpdate | undefined;
  readonly readers: Set<() => void>;
  readonly stop: Stop;
}

/** Creates the streams, with one listener for all readers of the same prices; an update is built once per change, and only when it is read. */
export function createMarketStreams(feed: MarketFeed): MarketStreams {
  const places = new Map<string, Place>();
  /** One counter for all: a number is never used twice, even if a reader leaves and comes back. */
  let changes = 0;

  const open = (ref: MarketRef): Place => {
    const readers = new Set<() => void>();
    const place: Place = {
      version: (changes += 1),
      made: undefined,
      readers,
      stop: feed.onChange(ref, () => {
        place.version = changes += 1;
        for (const wake of readers) wake();
      }),
    };
    return place;
  };
  const updateOf = (place: Place, ref: MarketRef, decimals: MarketDecimals, clock: Clock): MarketUpdate | undefined => {
    if (place.made?.eventId !== place.version) {
      const data = feed.read(ref, decimals);
      if (data === undefined) return undefined;
      place.made = { kind: 'UPDATE', eventId: place.version, timestamp: clock.now().toISOString(), data };
    }
    return place.made;
  };

  return {
    get feeds() {
      return places.size;
    },
    read: async (context, ref) => {
      const decimals = await feed.requireMarket(context, ref.symbol);
      const { clock } = context;
      const key = JSON.stringify([ref.symbol, ref.synthetic, ref.levels]);
      const place = places.get(key) ?? open(ref);
      places.set(key, place);
      const updates = latest({
        attach: (wake) => place.readers.add(wake),
        version: () => place.version,
        read: () => updateOf(place, ref, decimals, clock),
        leave: (wake) => {
          place.readers.delete(wake);
          if (place.readers.size > 0 || places.get(key) !== place) return;
          places.delete(key);
          place.stop();
        },
      });
      return placed(updates, { restarts: true });
    },
  };
}

interface Source {
  attach(wake: () => void): void;
  version(): number;
  read(): MarketUpdate | undefined;
  leave(wake: () => void): void;
}

function latest(source: Source): AsyncIterableIterator<MarketUpdate> {
  let seen = 0;
  let ended = false;
  let waiting: (() => void) | undefined;
  const wake = () => waiting?.();
  source.attach(wake);
  const step = async (): Promise<IteratorResult<MarketUpdate, undefined>> => {
    for (;;) {
      if (ended) return finished;
      if (source.version() > seen) {
        seen = source.version();
        const value = source.read();
        if (value !== undefined) return { done: false, value };
      }
      await new Promise<void>((resolve) => (waiting = resolve));
    }
  };
  return asyncIterator(serialized(step), () => {
    if (ended) return;
    ended = true;
    source.leave(wake);
    wake();
  });
}

interface MarketRef {
  readonly synthetic: boolean;
  /** Such as `BTC/BRL`. */
  readonly symbol: string;
  /** Levels of each side of the order book; omitted for the ticker. */
  readonly levels?: number;
}

interface MarketFeed {
  /** Returns the decimals of a market. @throws {ApiError} MARKET_NOT_AVAILABLE if the market does not exist */
  requireMarket(context: Context, symbol: string): Promise<MarketDecimals>;
  /** Returns the ticker or the order book of a market as JSON, amounts as decimal text; undefined before there is one. */
  read(ref: MarketRef, decimals: MarketDecimals): object | undefined;
  onChange(ref: MarketRef, listener: () => void): Stop;
}

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
