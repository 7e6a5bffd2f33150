import { finished } from '../../kernel/async-iterator.js';
import type { FeedEvent, FeedRange } from './feed.store.js';

export interface EventReaderOptions {
  readonly after: number;
  readonly reached: () => number;
  readonly read: (range: FeedRange) => Promise<readonly FeedEvent[]>;
  readonly onEnd: () => Promise<void>;
}

/** Events per read from the table, and live events that wait for a reader. */
const pageSize = 200;

/**
 * Goes on from a position through the table to where live events began to be queued, then through the queue; when that is full, back to the table.
 * So each event comes once, and a slow reader takes no more memory and loses nothing.
 */
export class EventReader implements AsyncIterableIterator<FeedEvent, undefined> {
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
