import { asyncIterator, finished } from '../../shared/async-iterator.js';
import type { Context } from '../../shared/context.js';
import { ApiError } from '../../shared/errors.js';
import { cursorOf } from '../../shared/stream-place.js';
import type { GraphResult, GraphResultStream } from '../../shared/subgraph/executor.js';
import { failure } from '../../shared/subgraph/mask.js';
import type { SharedReader } from '../live/shared-runs.js';
import type { Sharing } from '../operation.js';

/** Maximum number of results that wait for a reader: its readers share the results, but not the patience. */
const maxWaiting = 200;

export interface WaysOut {
  /** Leaves the shared run; may be called more than once. */
  readonly leave: () => void;
  /** Begins a run of the reader's own after a cursor. */
  readonly goOn: (cursor: string) => Promise<GraphResultStream | GraphResult>;
}

/**
 * The results of a shared run for one reader, who takes them at its own pace. Of the latest state only the last result waits. Of events all do; a reader
 * who falls too far behind leaves the run and goes on alone after the last event that waits, so it takes no more memory and loses nothing.
 */
export class SharedResults implements SharedReader<GraphResult> {
  readonly #waiting: GraphResult[] = [];
  /** What follows the results that wait, once the reader has left the run: another stream, or a last result. */
  #rest: Promise<GraphResultStream | GraphResult> | undefined;
  #hasLeft = false;
  #wake: () => void = () => undefined;

  constructor(
    private readonly sharing: Sharing,
    private readonly context: Context,
    private readonly ways: WaysOut,
  ) {}

  offer(result: GraphResult): void {
    if (this.#rest !== undefined || this.#hasLeft) return;
    if (this.sharing.begins === 'latest') this.#waiting.length = 0;
    if (this.#waiting.length < maxWaiting) this.#waiting.push(result);
    else this.#goOnAlone();
    this.#wake();
  }

  end(error: unknown): void {
    this.#rest ??= Promise.resolve(error === undefined ? nothing : failure(error, this.context));
    this.#wake();
  }

  /** Returns the results as a stream. `return` leaves the run. */
  stream(): GraphResultStream {
    return asyncIterator(
      () => this.#next(),
      () => this.leave(),
    );
  }

  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.ways.leave();
    this.#waiting.length = 0;
    this.#wake();
    const rest = await this.#rest;
    if (rest !== undefined && 'next' in rest) await rest.return?.();
  }

  async #next(): Promise<IteratorResult<GraphResult, undefined>> {
    for (;;) {
      if (this.#hasLeft) return finished;
      const result = this.#waiting.shift();
      if (result !== undefined) return { done: false, value: result };
      if (this.#rest !== undefined) return this.#nextOf(await this.#rest);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async #nextOf(rest: GraphResultStream | GraphResult): Promise<IteratorResult<GraphResult, undefined>> {
    if ('next' in rest) return rest.next();
    this.#hasLeft = true;
    return rest === nothing ? finished : { done: false, value: rest };
  }

  #goOnAlone(): void {
    this.ways.leave();
    const last = this.#waiting.at(-1);
    const cursor = last === undefined ? undefined : cursorOf(last);
    this.#rest = cursor === undefined ? Promise.resolve(failure(tooSlow(), this.context)) : this.ways.goOn(cursor);
  }
}

/** The end of a run that ended by itself. */
const nothing: GraphResult = {};

function tooSlow(): ApiError {
  return new ApiError('UNAVAILABLE', { message: 'The reader is too far behind: subscribe again' });
}
