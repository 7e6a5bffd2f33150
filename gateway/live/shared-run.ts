import type { GraphResult, GraphResultStream } from '../../shared/graphql/executor.js';
import { cursorOf, isBehind, subjectOf } from '../../shared/kernel/stream-place.js';

export interface SharedReader<T> {
  offer(made: T): void;
  /** Called when the run has ended, with the reason where it did not end by itself. */
  end(error: unknown): void;
  /** Whether the run is to go on: it pauses while no reader wants more. @param isAlone whether the run has no other reader */
  wantsMore(isAlone: boolean): boolean;
}

export interface SharedRunOptions<T> {
  /** Makes what readers get of a result, once for all of them. */
  readonly make: (result: GraphResult) => T;
  /** Whether a reader who joins gets what was last made, if there is any. */
  readonly startsWithLatest: boolean;
  /** Whether a stream must say what it reports, so that two that do not are never taken for the same; else the same key must mean the same. */
  readonly needsSubject: boolean;
}

export interface Membership {
  /** Takes the stream that shows the reader may read, and reads or ends it. False when the run has ended, fallen behind or reports something else. */
  supply(stream: GraphResultStream): boolean;
  took(): void;
  leave(): void;
}

/** One run of a subscription for all its readers. The last reader who leaves ends it. */
export class SharedRun<T> {
  readonly #readers = new Set<SharedReader<T>>();
  #latest: T | undefined;
  #stream: GraphResultStream | undefined;
  #hasEnded = false;
  #hasPaused = false;
  #wake: () => void = () => undefined;

  constructor(
    private readonly options: SharedRunOptions<T>,
    private readonly onEnd: () => void,
  ) {}

  /** Whether it may still report old events, from before a new reader subscribed: after a pause or loss, until its stream says all was read. */
  get isBehind(): boolean {
    if (this.#stream === undefined) return false;
    if (this.#hasPaused && cursorOf(this.#stream) !== undefined) this.#hasPaused = false;
    return this.#hasPaused || isBehind(this.#stream);
  }

  add(reader: SharedReader<T>): Membership {
    this.#readers.add(reader);
    if (this.options.startsWithLatest && this.#latest !== undefined) reader.offer(this.#latest);
    const leave = () => {
      this.#readers.delete(reader);
      if (this.#readers.size === 0) this.#end();
      this.#wake();
    };
    return {
      leave,
      took: () => this.#wake(),
      supply: (stream) => {
        if (this.#takes(stream)) return true;
        leave();
        return false;
      },
    };
  }

  #takes(stream: GraphResultStream): boolean {
    const own = this.#stream;
    if (this.#hasEnded || this.isBehind) return false;
    // Under the same arguments it may have found something else.
    if (this.options.needsSubject && subjectOf(stream) === undefined) return false;
    if (own === undefined) {
      this.#stream = stream;
      this.#follow(stream).then(this.#over, this.#over);
      return true;
    }
    if (subjectOf(own) !== subjectOf(stream)) return false;
    stream.return?.().catch(() => undefined);
    return true;
  }

  async #follow(stream: GraphResultStream): Promise<void> {
    while (await this.#isWantedAgain()) {
      const { done, value } = await stream.next();
      if (done === true || this.#hasEnded) return;
      this.#latest = this.options.make(value);
      for (const reader of this.#readers) reader.offer(this.#latest);
    }
  }

  /** Resolves when a reader wants more; with false when the run has ended. */
  async #isWantedAgain(): Promise<boolean> {
    while (!this.#hasEnded && !this.#isWanted()) {
      this.#hasPaused = true;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return !this.#hasEnded;
  }

  #isWanted(): boolean {
    const isAlone = this.#readers.size === 1;
    for (const reader of this.#readers) if (reader.wantsMore(isAlone)) return true;
    return false;
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.onEnd();
    this.#stream?.return?.().catch(() => undefined);
  }

  readonly #over = (error?: unknown) => {
    if (this.#hasEnded) return;
    this.#end();
    for (const left of this.#readers) left.end(error);
  };
}
