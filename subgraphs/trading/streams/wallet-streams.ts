import { z } from 'zod';
import { asyncIterator, finished, serialized } from '../../../shared/kernel/async-iterator.js';
import { createContext, type Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { shared } from '../../../shared/memo.js';
import { placed } from '../../../shared/kernel/stream-place.js';
import { type WalletRef, listBalances } from '../ledger/ledger.store.js';
import { listOrders } from '../orders/order.store.js';
import { toOrder } from '../orders/order.type.js';
import {
  readHeads,
  listEventsAfter,
  readHead,
  listLatestEventsAfter,
  type Channel,
  type ChannelRef,
  type StoredEvent,
  topicOf,
} from './event.store.js';

export interface WalletStreamsOptions {
  readonly snapshots: Readonly<Record<Channel, SnapshotOf>>;
  /** How often the table is polled for events whose notification was lost, in milliseconds. */
  readonly pollMs?: number;
}

export interface WalletStreams {
  /** Once this resolves, no event is missed. @throws {ApiError} CURSOR_EXPIRED when the events after `start.since` cannot be replayed */
  read(context: Context, ref: ChannelRef, start?: StreamStart): Promise<AsyncIterableIterator<WalletUpdate>>;
  readonly feeds: number;
}

interface Place {
  readonly feed: WalletFeed;
  readonly opened: Promise<void>;
  readers: number;
}

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

type SnapshotOf = (context: Context, wallet: WalletRef) => Promise<unknown>;

/** Reads the state of a wallet, and the number of the last event it includes, in one snapshot of the database. */
function readSnapshot(context: Context, ref: ChannelRef, snapshot: SnapshotOf): Promise<StoredEvent> {
  return inTransaction(context, async (tx) => {
    await tx.manager.execute('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    const eventId = await readHead(tx, ref);
    return { eventId, timestamp: tx.clock.now().toISOString(), data: await snapshot(tx, ref.wallet) };
  });
}

/** Events that a feed keeps in memory for its readers; older ones are read from the table. */
const remembered = 128;

const messageForm = z.array(z.object({ eventId: z.int(), timestamp: z.string(), data: z.unknown() }));

/** Keeps the last number and the latest events without a gap. Readers advance at their own pace: a slow one takes no memory. */
class WalletFeed {
  #last = 0;
  /** The latest events, up to the last. */
  #recent: StoredEvent[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #catchUp = shared<unknown>();
  #stop: (() => Promise<void>) | undefined;

  constructor(
    readonly ref: ChannelRef,
    private readonly context: Context,
  ) {}

  /** Starts to listen. No event committed afterwards is missed. @throws if the database cannot be read. */
  async open(): Promise<void> {
    const { wallet, channel } = this.ref;
    this.#stop = await this.context.bus.listen(topicOf(wallet.id, channel), (message) => this.#hear(message));
    this.#raise(await readHead(this.context, this.ref));
  }

  async close(): Promise<void> {
    await this.#stop?.();
  }

  get last(): number {
    return this.#last;
  }

  /** Returns the events after a given one, if this feed has them all in memory. */
  recentAfter(eventId: number): readonly StoredEvent[] | undefined {
    const missing = this.#last - eventId;
    return missing <= this.#recent.length ? this.#recent.slice(this.#recent.length - missing) : undefined;
  }

  /** Calls back once, when an event arrives; returns a function that stops waiting. */
  wait(wake: () => void): () => void {
    this.#waiting.add(wake);
    return () => this.#waiting.delete(wake);
  }

  /** Records that an event of this number exists, and reads the missing ones. */
  async reach(head: number): Promise<void> {
    // A read under way may have begun before that event existed: it is then read again.
    for (let turn = 0; turn < 2 && head > this.#last; turn += 1) {
      await this.#catchUp('', () => this.#readOn());
    }
  }

  /** Messages may be lost, duplicated and reordered. */
  #hear(message: unknown): void {
    const events = messageForm.safeParse(message).data ?? [];
    const news = events.filter(({ eventId }) => eventId > this.#last);
    const [first] = news;
    if (first === undefined) return;
    if (first.eventId === this.#last + 1) this.#add(news);
    else this.#reachLater(news.at(-1)?.eventId ?? 0);
  }

  #reachLater(head: number): void {
    this.reach(head).catch((error: unknown) => {
      // The poller tries again.
      this.context.log.warn({ err: error }, 'The events of a wallet could not be read; this will be retried');
    });
  }

  async #readOn(): Promise<void> {
    const before = this.#last;
    const events = await listLatestEventsAfter(this.context, this.ref, before, remembered);
    // Some of them may have arrived in the meantime.
    const news = events.filter(({ eventId }) => eventId > this.#last);
    const [first] = news;
    if (first === undefined) {
      // Missing events were deleted: readers notice that when they look for them.
      if (this.#last === before) this.#raise(await readHead(this.context, this.ref));
      return;
    }
    if (first.eventId !== this.#last + 1) this.#recent = [];
    this.#add(news);
  }

  /** Adds consecutive events. The first must follow the last known one, unless the events in memory were dropped. */
  #add(events: readonly StoredEvent[]): void {
    this.#recent.push(...events);
    if (this.#recent.length > remembered) this.#recent = this.#recent.slice(-remembered);
    this.#last = events.at(-1)?.eventId ?? this.#last;
    this.#wake();
  }

  #raise(head: number): void {
    if (head <= this.#last) return;
    this.#last = head;
    this.#recent = [];
    this.#wake();
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}

/** An update of a channel: see `StreamEventKind`. A `RESET` has no data. */
export interface WalletUpdate extends StoredEvent {
  readonly kind: 'SNAPSHOT' | 'UPDATE' | 'RESET';
}

/** Where a reader begins: after the last event that it has, or with a snapshot where it has none. */
interface StreamStart {
  /** Where the events after it cannot be replayed, a `RESET` and a snapshot come. */
  readonly after?: number | undefined;
  /** Where the events after it cannot be replayed, or are too many, the reader is refused. */
  readonly since?: number | undefined;
}

export interface ReaderOptions {
  readonly snapshot: SnapshotOf;
  readonly start: StreamStart;
  readonly onEnd: () => Promise<void>;
}

const pageSize = 200;
/** Maximum number of events that are replayed after a cursor, as for every other subscription. */
const mostReplayed = 1_000;

/** A reader is a position in the numbered events: it takes each next one from the feed, or from the table, so that it receives every event once. @throws {ApiError} CURSOR_EXPIRED */
async function readUpdates(
  context: Context,
  feed: WalletFeed,
  { snapshot, start, onEnd }: ReaderOptions,
): Promise<AsyncIterableIterator<WalletUpdate>> {
  const { ref } = feed;
  /** The last event that was delivered or is in `pending`. */
  let last = 0;
  let pending: WalletUpdate[] = [];
  let ended = false;
  let wakeUp: (() => void) | undefined;

  const beginWithSnapshot = async () => {
    const now = await readSnapshot(context, ref, snapshot);
    pending.push({ ...now, kind: 'SNAPSHOT' });
    last = now.eventId;
  };
  const reset = async () => {
    const timestamp = context.clock.now().toISOString();
    pending.push({ kind: 'RESET', eventId: await readHead(context, ref), timestamp, data: null });
    await beginWithSnapshot();
  };
  /** Fetches the events after `last`, of which there is at least one. */
  const fetchNext = async () => {
    const events = feed.recentAfter(last) ?? (await listEventsAfter(context, ref, last, pageSize));
    const [first] = events;
    // The events in between are no longer kept.
    if (first?.eventId !== last + 1) return reset();
    pending = events.map((event) => ({ ...event, kind: 'UPDATE' }));
    last = events.at(-1)?.eventId ?? last;
  };
  const nextEvent = () =>
    new Promise<void>((resolve) => {
      const stopWaiting = feed.wait(resolve);
      wakeUp = () => {
        stopWaiting();
        resolve();
      };
    });
  const step = async (): Promise<IteratorResult<WalletUpdate, undefined>> => {
    for (;;) {
      if (ended) return finished;
      const update = pending.shift();
      if (update !== undefined) return { done: false, value: update };
      if (last < feed.last) await fetchNext();
      else await nextEvent();
    }
  };

  const after = start.since ?? start.after;
  if (after === undefined) await beginWithSnapshot();
  else {
    // Another instance may have delivered events that this one has not received yet.
    if (after > feed.last) await feed.reach(await readHead(context, ref));
    if (start.since !== undefined) await requireReplayable(context, feed, after);
    if (after > feed.last) await reset();
    else last = after;
  }
  const updates = asyncIterator(serialized(step), async () => {
    if (ended) return;
    ended = true;
    pending = [];
    wakeUp?.();
    await onEnd();
  });
  return placed(updates, { restarts: true });
}

async function requireReplayable(context: Context, { ref, last }: WalletFeed, after: number): Promise<void> {
  if (after === last) return;
  const [next] = last - after > mostReplayed ? [] : await listEventsAfter(context, ref, after, 1);
  if (next?.eventId !== after + 1) throw new ApiError('CURSOR_EXPIRED');
}

/** Maximum number of open orders in a snapshot, newest first. */
export const maxSnapshotOrders = 1_000;

export const snapshots: Readonly<Record<Channel, SnapshotOf>> = {
  orders: async (context, { id: walletId, synthetic }) => {
    const selection = {
      walletId,
      synthetic,
      symbol: null,
      status: 'OPEN' as const,
      after: null,
      limit: maxSnapshotOrders,
    };
    return (await listOrders(context, selection)).map(toOrder);
  },
  balance: async (context, wallet) => ({ wallets: await listBalances(context, wallet) }),
};
