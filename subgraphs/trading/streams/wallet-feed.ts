import { z } from 'zod';
import type { Context } from '../../../shared/context.js';
import { singleFlight } from '../../../shared/single-flight.js';
import { topicOf, type ChannelRef, type StoredEvent } from './channel.js';
import { listLatestEventsAfter, readHead } from './event.store.js';

/** Events that a feed keeps in memory for its readers; older ones are read from the table. */
const remembered = 128;

const messageForm = z.array(z.object({ eventId: z.int(), timestamp: z.string(), data: z.unknown() }));

/**
 * Follows one channel of one wallet for all its readers in this process. It keeps the number of the last event it received, and the latest
 * events without a gap. Readers advance at their own pace: a slow one takes no memory.
 */
export class WalletFeed {
  /** The number of the last event known here. */
  #last = 0;
  /** The latest events, up to the last. */
  #recent: StoredEvent[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #catchUp = singleFlight(() => this.#readOn());
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
      await this.#catchUp();
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
      // They have been deleted: readers notice that when they look for them.
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

  /** Sets the last number, without its event. */
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
