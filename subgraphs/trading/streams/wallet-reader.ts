import { asyncIterator, finished, serialized } from '../../../shared/async-iterator.js';
import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { placed } from '../../../shared/stream-place.js';
import type { StoredEvent } from './channel.js';
import { listEventsAfter, readHead } from './event.store.js';
import { readSnapshot, type SnapshotOf } from './read-snapshot.js';
import type { WalletFeed } from './wallet-feed.js';

/** An update of a channel: see `StreamEventKind`. A `RESET` has no data. */
export interface WalletUpdate extends StoredEvent {
  readonly kind: 'SNAPSHOT' | 'UPDATE' | 'RESET';
}

/** Where a reader begins: after the last event that it has, or with a snapshot where it has none. */
export interface StreamStart {
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

/** Events per read from the table. */
const pageSize = 200;
/** Maximum number of events that are replayed after a cursor, as for every other subscription. */
const mostReplayed = 1_000;

/**
 * Reads a channel from an event on, or from a snapshot. A reader is a position in the numbered events and takes each next one from the feed, or
 * from the table where the feed does not have it any more; so it receives every event once, however it was woken.
 * @throws {ApiError} CURSOR_EXPIRED when the events after `since` cannot be replayed
 */
export async function readUpdates(
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
