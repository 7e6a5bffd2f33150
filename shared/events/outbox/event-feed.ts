import { coalesced } from '../../memo.js';
import { createContext, type Context } from '../../kernel/context.js';
import { sha256 } from '../../security/crypto.js';
import { ApiError } from '../../kernel/errors.js';
import { isRecord } from '../../kernel/is-record.js';
import { createEventCursors, type CursorKeys, type FeedPlace } from './event-cursor.js';
import {
  countSelected,
  readFeed,
  readHead,
  readSelected,
  type EventSelection,
  type FeedEvent,
  type FeedRange,
} from './feed.store.js';
import { publishedTopic } from './outbox.js';
import { placed } from '../../kernel/stream-place.js';
import { finished } from '../../kernel/async-iterator.js';

/** The published events of some topics, for live readers in this process who resume where they left off. */
export interface EventFeed {
  /**
   * Reads events in order, each once; none after this resolves is missed. @param since the reader's last event; without it, those from now on
   * @throws {ApiError} BAD_REQUEST for an invalid cursor, CURSOR_EXPIRED for one too old, or with too many events after it for a reader who comes back
   */
  read(
    context: Context,
    selection: EventSelection,
    since?: string | null,
  ): Promise<AsyncIterableIterator<FeedEvent, undefined>>;
  cursorOf(event: FeedPlace): string;
  cursorOfNow(context: Context): Promise<string>;
}

export interface EventFeedOptions {
  readonly keyRing: CursorKeys;
  readonly topics: readonly string[];
  /** How often the table is polled for events whose notification was lost, in milliseconds. */
  readonly pollMs?: number;
}

/** For how many days a cursor can be used; events are kept for a day longer (`retention.ts`). */
const cursorDays = 7;
/** Most events that are replayed: the fields of each event are read like the fields of a query, but paid for only once. */
const mostReplayed = 1_000;
/** Events per read from the table, and live events that wait for a reader. */
const pageSize = 200;

export function createEventFeed({ keyRing, topics, pollMs = 2_000 }: EventFeedOptions): EventFeed {
  const cursors = createEventCursors(keyRing);
  let follower: Follower | undefined;

  const join = (context: Context): Follower => {
    const joined = (follower ??= new Follower(context, topics, pollMs));
    joined.readers += 1;
    return joined;
  };
  const leave = async (joined: Follower) => {
    joined.readers -= 1;
    if (joined.readers > 0) return;
    if (follower === joined) follower = undefined;
    await joined.close();
  };
  const opened = (joined: Follower) =>
    joined.opened.catch((error: unknown) => {
      // The next reader starts a new one.
      if (follower === joined) follower = undefined;
      throw error;
    });

  return {
    read: async (context, selection, since) => {
      const from = since == null ? undefined : cursors.open(since);
      if (from !== undefined) requireKept(context, from);
      const joined = join(context);
      try {
        await opened(joined);
        const head = await readHead(context);
        if (from !== undefined) await requireReplayable(context, selection, { after: from.position, until: head });
        const reader = joined.attach(selection, from?.position ?? head, () => leave(joined));
        return placed(reader, {
          subject: subjectOf(selection),
          restarts: from !== undefined,
          cursor: () => {
            const position = reader.settledAt;
            // A new cursor of an old place would be valid for longer than its events are kept.
            if (position === undefined || position === from?.position) return undefined;
            return cursors.seal({ position, publishedAt: context.clock.now() });
          },
        });
      } catch (error) {
        await leave(joined);
        throw error;
      }
    },
    cursorOf: (event) => cursors.seal(event),
    cursorOfNow: async (context) => {
      const publishedAt = context.clock.now();
      return cursors.seal({ position: await readHead(context), publishedAt });
    },
  };
}

function subjectOf({ topics, keys, originatorIds }: EventSelection): string {
  return sha256(JSON.stringify([topics, keys?.toSorted(), originatorIds?.toSorted()])).toString('base64url');
}

function requireKept({ clock }: Context, { publishedAt }: FeedPlace): void {
  if (publishedAt.getTime() < clock.now().getTime() - cursorDays * 86_400_000) throw new ApiError('CURSOR_EXPIRED');
}

/** @throws {ApiError} CURSOR_EXPIRED when there is too much to replay, and when the database was restored from a backup since */
async function requireReplayable(
  context: Context,
  selection: EventSelection,
  range: Pick<FeedRange, 'after' | 'until'>,
): Promise<void> {
  if (range.after > range.until) throw new ApiError('CURSOR_EXPIRED');
  const missed = await countSelected(context, selection, { ...range, limit: mostReplayed + 1 });
  if (missed > mostReplayed) throw new ApiError('CURSOR_EXPIRED');
}

type Listener = (event: FeedEvent) => void;

/** Passes events on to readers as they are published. Woken by the bus, and by a timer in case a message was lost. */
class Follower {
  readers = 0;
  readonly opened: Promise<void>;
  readonly #context: Context;
  /** Listeners by topic, and by topic and key. */
  readonly #listeners = new Map<string, Set<Listener>>();
  #reached = 0;
  #stop: () => Promise<void> = () => Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { manager, bus, log, clock }: Context,
    private readonly topics: readonly string[],
    private readonly pollMs: number,
  ) {
    this.#context = createContext({ manager, bus, log, clock });
    this.opened = this.#open();
  }

  async #open(): Promise<void> {
    this.#stop = await this.#context.bus.listen(publishedTopic, () => void this.#advance());
    this.#reached = await readHead(this.#context);
    this.#timer = setInterval(() => void this.#advance(), this.pollMs).unref();
  }

  attach(selection: EventSelection, after: number, onEnd: () => Promise<void>): EventReader {
    const { topics, keys, originatorIds } = selection;
    const names = keys === undefined ? topics : topics.flatMap((topic) => keys.map((key) => nameOf(topic, key)));
    const originators = originatorIds === undefined ? undefined : new Set<unknown>(originatorIds);
    const listener: Listener = (event) => {
      if (originators === undefined || originators.has(originatorOf(event))) reader.hear(event);
    };
    const reader = new EventReader({
      after,
      reached: () => this.#reached,
      read: (range) => readSelected(this.#context, selection, range),
      onEnd: () => {
        for (const name of names) this.#unlisten(name, listener);
        return onEnd();
      },
    });
    for (const name of names) this.#listeners.set(name, (this.#listeners.get(name) ?? new Set()).add(listener));
    return reader;
  }

  #unlisten(name: string, listener: Listener): void {
    const own = this.#listeners.get(name);
    own?.delete(listener);
    if (own?.size === 0) this.#listeners.delete(name);
  }

  readonly #advance = coalesced(async () => {
    try {
      const { topics } = this;
      for (;;) {
        const { events, upTo } = await readFeed(this.#context, { topics, after: this.#reached, limit: pageSize });
        this.#reached = Math.max(this.#reached, upTo);
        for (const event of events) this.#pass(event);
        if (events.length < pageSize) return;
      }
    } catch (error) {
      this.#context.log.warn({ err: error }, 'Published events could not be read; this will be retried');
    }
  });

  #pass(event: FeedEvent): void {
    for (const name of [event.topic, nameOf(event.topic, event.key)]) {
      for (const listener of this.#listeners.get(name) ?? []) listener(event);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#stop();
  }
}

const nameOf = (topic: string, key: string) => `${topic}:${key}`;

function originatorOf({ payload }: FeedEvent): unknown {
  return isRecord(payload) ? payload['originatorId'] : undefined;
}

interface EventReaderOptions {
  readonly after: number;
  readonly reached: () => number;
  readonly read: (range: FeedRange) => Promise<readonly FeedEvent[]>;
  readonly onEnd: () => Promise<void>;
}

/**
 * Reads events from the table up to the position where its queue begins, then from the queue; when the queue is full, from the table again. Each
 * event comes once; a slow reader takes bounded memory and loses nothing.
 */
class EventReader implements AsyncIterableIterator<FeedEvent, undefined> {
  #at: number;
  /** The table is read up to `#until`, and was read up to `#read`. */
  #until: number;
  #read: number;
  #page: FeedEvent[] = [];
  readonly #queue: FeedEvent[] = [];
  #isBehind = false;
  #hasEnded = false;
  #hasBegun = false;
  #isWaiting = false;
  #wake: () => void = () => undefined;

  constructor(private readonly options: EventReaderOptions) {
    this.#at = options.after;
    this.#read = options.after;
    this.#until = options.reached();
  }

  /** The position up to which everything was returned and taken; undefined while the reader may be at work on an event. */
  get settledAt(): number | undefined {
    if (!this.#hasBegun) return this.#at;
    const isSettled = this.#isWaiting && !this.#isBehind && this.#queue.length === 0;
    return isSettled ? Math.max(this.#at, this.options.reached()) : undefined;
  }

  /** Receives a live event; called in the order of positions. */
  hear(event: FeedEvent): void {
    if (this.#isBehind || event.position <= this.#until) return;
    if (this.#queue.length < pageSize) this.#queue.push(event);
    else this.#isBehind = true;
    this.#wake();
  }

  async next(): Promise<IteratorResult<FeedEvent, undefined>> {
    this.#hasBegun = true;
    while (!this.#hasEnded) {
      const event = await this.#take();
      if (event === undefined) {
        await this.#news();
      } else if (event.position > this.#at) {
        this.#at = event.position;
        return { done: false, value: event };
      }
    }
    return finished;
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    if (this.#hasEnded) return finished;
    this.#hasEnded = true;
    this.#wake();
    await this.options.onEnd();
    return finished;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Resolves when there may be another event, or the reader has ended. */
  async #news(): Promise<void> {
    this.#isWaiting = true;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (this.#hasEnded || this.#queue.length > 0) resolve();
    });
    this.#isWaiting = false;
  }

  /** Returns the next event of the table or the queue; undefined when there is none at the moment. */
  async #take(): Promise<FeedEvent | undefined> {
    if (this.#isBehind && this.#queue.length === 0) {
      this.#isBehind = false;
      this.#read = this.#at;
      this.#until = this.options.reached();
    }
    if (this.#page.length === 0 && this.#read < this.#until) await this.#readPage();
    return this.#page.shift() ?? this.#queue.shift();
  }

  async #readPage(): Promise<void> {
    try {
      const page = await this.options.read({ after: this.#read, until: this.#until, limit: pageSize });
      this.#page = [...page];
      this.#read = page.length < pageSize ? this.#until : (page.at(-1)?.position ?? this.#until);
    } catch (error) {
      // Whoever reads an iterator that throws does not call `return`.
      await this.return();
      throw error;
    }
  }
}
