import { asyncIterator, finished, serialized } from '../../../shared/async-iterator.js';
import type { Clock } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import type { MarketFeed, MarketRef, Stop } from './market-feed.js';

/** The prices of a market after a change. All readers get the same object. */
export interface MarketUpdate {
  readonly kind: 'UPDATE';
  /** Grows with each change of any market in this process, with gaps. */
  readonly eventId: number;
  readonly timestamp: string;
  readonly data: object;
}

/** The prices of markets, for readers in this process. */
export interface MarketStreams {
  /**
   * Reads the prices as they are now, if there are any, and then each time that they have changed. Who reads slowly gets the latest
   * ones alone.
   * @throws {ApiError} MARKET_NOT_AVAILABLE when there is no such market
   */
  read(context: Context, ref: MarketRef): Promise<AsyncIterableIterator<MarketUpdate>>;
  /** Markets that somebody reads now, those with different levels apart. */
  readonly feeds: number;
}

/** What the readers of the same prices share. */
interface Place {
  /** Counts changes. */
  version: number;
  /** What was made of the last change that somebody has read. */
  made: MarketUpdate | undefined;
  readonly readers: Set<() => void>;
  readonly stop: Stop;
}

/** One listener for all who read the same prices; what they get is made once for a change, and not before somebody asks. */
export function createMarketStreams(feed: MarketFeed): MarketStreams {
  const places = new Map<string, Place>();
  /** One count for all: a number is never given twice, whoever leaves and comes back. */
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
  const updateOf = (place: Place, ref: MarketRef, clock: Clock): MarketUpdate | undefined => {
    if (place.made?.eventId !== place.version) {
      const data = feed.read(ref);
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
      await feed.requireMarket(context, ref.symbol);
      const { clock } = context;
      const key = JSON.stringify([ref.symbol, ref.synthetic, ref.levels]);
      const place = places.get(key) ?? open(ref);
      places.set(key, place);
      return latest({
        attach: (wake) => place.readers.add(wake),
        version: () => place.version,
        read: () => updateOf(place, ref, clock),
        leave: (wake) => {
          place.readers.delete(wake);
          if (place.readers.size > 0 || places.get(key) !== place) return;
          places.delete(key);
          place.stop();
        },
      });
    },
  };
}

interface Source {
  attach(wake: () => void): void;
  version(): number;
  read(): MarketUpdate | undefined;
  leave(wake: () => void): void;
}

/** Reads a source whenever it has changed since it was read last. */
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
