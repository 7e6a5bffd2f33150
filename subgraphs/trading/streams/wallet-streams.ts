import { createContext, type Context } from '../../../shared/context.js';
import type { Channel, ChannelRef } from './channel.js';
import { readHeads } from './event.store.js';
import type { SnapshotOf } from './read-snapshot.js';
import { WalletFeed } from './wallet-feed.js';
import { readUpdates, type WalletUpdate } from './wallet-reader.js';

export interface WalletStreamsOptions {
  /** How a wallet stands, for each channel. */
  readonly snapshots: Readonly<Record<Channel, SnapshotOf>>;
  /** How often the table is asked for events of which nobody told, in milliseconds. */
  readonly pollMs?: number;
}

/** The channels of wallets, for readers in this process. */
export interface WalletStreams {
  /**
   * Begins to read a channel of a wallet. Once this resolves, nothing that happens can be missed.
   * @param after the last event that the reader has; not given, it begins with a snapshot
   */
  read(context: Context, ref: ChannelRef, after?: number): Promise<AsyncIterableIterator<WalletUpdate>>;
  /** Channels that somebody reads now. */
  readonly feeds: number;
}

interface Place {
  readonly feed: WalletFeed;
  readonly opened: Promise<void>;
  readers: number;
}

/** Channels that are asked for in one query. */
const polledAtOnce = 1_000;

/** One feed for each channel of a wallet that is read, for as long as it is. */
export function createWalletStreams({ snapshots, pollMs = 2_000 }: WalletStreamsOptions): WalletStreams {
  const places = new Map<string, Place>();
  const startPolling = poller(() => [...places.values()].map(({ feed }) => feed), pollMs);

  /** The place of a channel, with one reader more. */
  const take = (context: Context, key: string, ref: ChannelRef): Place => {
    const known = places.get(key);
    if (known !== undefined) {
      known.readers += 1;
      return known;
    }
    const feed = new WalletFeed(ref, context);
    const opened = feed.open().catch((error: unknown) => {
      // Whoever comes next begins anew.
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
    read: async (context, ref, after) => {
      const { manager, bus, log, clock } = context;
      const own = createContext({ manager, bus, log, clock });
      const key = `${ref.wallet.id}:${ref.channel}`;
      const place = take(own, key, ref);
      try {
        await place.opened;
        return await readUpdates(own, place.feed, {
          snapshot: snapshots[ref.channel],
          after,
          onEnd: () => leave(key, place),
        });
      } catch (error) {
        await leave(key, place);
        throw error;
      }
    },
  };
}

/** Asks the table now and then for events of which nobody told, while there is a feed. Returns what makes sure that it goes on. */
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
        .catch((error: unknown) => {
          context.log.warn({ err: error }, 'Nobody could look for events of wallets; it is tried again');
        })
        .finally(() => {
          timer = undefined;
          if (feeds().length > 0) start(context);
        });
    }, pollMs).unref();
  };
  return start;
}
