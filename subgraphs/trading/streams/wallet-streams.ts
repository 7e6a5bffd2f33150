import { createContext, type Context } from '../../../shared/context.js';
import type { Channel, ChannelRef } from './channel.js';
import { readHeads } from './event.store.js';
import type { SnapshotOf } from './read-snapshot.js';
import { WalletFeed } from './wallet-feed.js';
import { readUpdates, type StreamStart, type WalletUpdate } from './wallet-reader.js';

export interface WalletStreamsOptions {
  /** The state of a wallet, for each channel. */
  readonly snapshots: Readonly<Record<Channel, SnapshotOf>>;
  /** How often the table is polled for events whose notification was lost, in milliseconds. */
  readonly pollMs?: number;
}

/** The channels of wallets, for readers in this process. */
export interface WalletStreams {
  /**
   * Starts to read a channel of a wallet. Once this resolves, no event is missed.
   * @throws {ApiError} CURSOR_EXPIRED when the events after `start.since` cannot be replayed
   */
  read(context: Context, ref: ChannelRef, start?: StreamStart): Promise<AsyncIterableIterator<WalletUpdate>>;
  /** The number of channels with readers. */
  readonly feeds: number;
}

interface Place {
  readonly feed: WalletFeed;
  readonly opened: Promise<void>;
  readers: number;
}

/** Channels per query. */
const polledAtOnce = 1_000;

/** Creates the streams, with one feed for each channel of a wallet while it has readers. */
export function createWalletStreams({ snapshots, pollMs = 2_000 }: WalletStreamsOptions): WalletStreams {
  const places = new Map<string, Place>();
  const startPolling = poller(() => [...places.values()].map(({ feed }) => feed), pollMs);

  /** Returns the place of a channel, with one more reader. */
  const take = (context: Context, key: string, ref: ChannelRef): Place => {
    const known = places.get(key);
    if (known !== undefined) {
      known.readers += 1;
      return known;
    }
    const feed = new WalletFeed(ref, context);
    const opened = feed.open().catch((error: unknown) => {
      // The next reader starts a new one.
      forget(key, place);
      throw error;
    });
    const place: Place = { feed, opened, readers: 1 };
    places.set(key, place);
    startPolling(context);
    return place;
  };
  const forget = (key: string, place: Place) => {
    if (places.get(key) === place) places.delete(key);
  };
  const leave = async (key: string, place: Place) => {
    place.readers -= 1;
    if (place.readers > 0) return;
    forget(key, place);
    await place.feed.close();
  };

  return {
    get feeds() {
      return places.size;
    },
    read: async (context, ref, start = {}) => {
      const { manager, bus, log, clock } = context;
      const own = createContext({ manager, bus, log, clock });
      const key = `${ref.wallet.id}:${ref.channel}`;
      const place = take(own, key, ref);
      try {
        await place.opened;
        return await readUpdates(own, place.feed, {
          snapshot: snapshots[ref.channel],
          start,
          onEnd: () => leave(key, place),
        });
      } catch (error) {
        await leave(key, place);
        throw error;
      }
    },
  };
}

/** Polls the table for events whose notification was lost, while there is a feed. Returns a function that keeps it running. */
function poller(feeds: () => readonly WalletFeed[], pollMs: number): (context: Context) => void {
  let timer: NodeJS.Timeout | undefined;
  const poll = async (context: Context) => {
    const all = feeds();
    for (let from = 0; from < all.length; from += polledAtOnce) {
      const some = all.slice(from, from + polledAtOnce);
      const refs = some.map(({ ref }) => ref);
      const heads = await readHeads(context, refs);
      for (const [index, feed] of some.entries()) await feed.reach(heads[index] ?? 0);
    }
  };
  const start = (context: Context) => {
    timer ??= setTimeout(() => {
      poll(context)
        .catch((error: unknown) =>
          context.log.warn({ err: error }, 'Events of wallets could not be looked up; this will be retried'),
        )
        .finally(() => {
          timer = undefined;
          if (feeds().length > 0) start(context);
        });
    }, pollMs).unref();
  };
  return start;
}
