import { asyncIterator, finished } from '../../shared/kernel/async-iterator.js';
import type { Context } from '../../shared/kernel/context.js';
import { ApiError } from '../../shared/kernel/errors.js';
import type { GraphResult, GraphResultStream } from '../../shared/graphql/executor.js';
import { failure } from '../../shared/graphql/mask.js';
import type { SharedReader } from './shared-run.js';
import type { Sharing } from '../graph/operation.js';

/** Most results that wait for one reader, by number and by length of their JSON. */
const maxWaiting = { count: 200, size: 1_048_576 };
/** How far a run of several readers goes ahead of the fastest of them. */
const maxAhead = { count: 8, size: 131_072 };

export interface WaysOut {
  /** Leaves the shared run; may be called more than once. */
  readonly leave: () => void;
  readonly took: () => void;
}

/** Delivers a shared run's results at one reader's pace: of states only the last waits, of events all. A reader too far behind gets those and an error. */
export class SharedResults implements SharedReader<GraphResult> {
  readonly #waiting: Waiting[] = [];
  /** The length of all events that wait, as JSON. */
  #size = 0;
  /** Result after the waiting ones, once the reader has left the run. */
  #last: GraphResult | undefined;
  #hasLeft = false;
  /** Hands a result to the reader who asks for one, or only wakes it; undefined while it does not ask. */
  #give: ((result?: GraphResult) => void) | undefined;

  constructor(
    private readonly sharing: Sharing,
    private readonly context: Context,
    private readonly ways: WaysOut,
  ) {}

  offer(result: GraphResult): void {
    if (this.#last !== undefined || this.#hasLeft) return;
    if (this.#give !== undefined) this.#wake(result);
    else if (this.sharing.begins === 'latest') this.#waiting.splice(0, 1, { result, size: 0 });
    else this.#keep(result);
  }

  /** A run of the latest state never pauses: the one result that waits would grow old meanwhile. */
  wantsMore(isAlone: boolean): boolean {
    if (this.sharing.begins === 'latest' || this.#waiting.length === 0) return true;
    return !isAlone && this.#waiting.length < maxAhead.count && this.#size < maxAhead.size;
  }

  end(error: unknown): void {
    this.#last ??= error === undefined ? nothing : failure(error, this.context);
    this.#wake();
  }

  /** Returns the results as a stream. `return` leaves the run. */
  stream(): GraphResultStream {
    return asyncIterator(
      () => this.#next(),
      () => this.leave(),
    );
  }

  leave(): Promise<void> {
    if (!this.#hasLeft) {
      this.#hasLeft = true;
      this.ways.leave();
      this.#waiting.length = 0;
      this.#wake();
    }
    return Promise.resolve();
  }

  async #next(): Promise<IteratorResult<GraphResult, undefined>> {
    while (!this.#hasLeft) {
      const result = this.#take();
      if (result !== undefined) return { done: false, value: result };
      if (this.#last !== undefined) {
        this.#hasLeft = true;
        return this.#last === nothing ? finished : { done: false, value: this.#last };
      }
      const given = await new Promise<GraphResult | undefined>((resolve) => (this.#give = resolve));
      if (given !== undefined) return { done: false, value: given };
    }
    return finished;
  }

  #take(): GraphResult | undefined {
    const first = this.#waiting.shift();
    if (first === undefined) return undefined;
    this.#size -= first.size;
    this.ways.took();
    return first.result;
  }

  /** Lets what comes wait, as long as there is room; one result always has room. */
  #keep(result: GraphResult): void {
    const size = sizeOf(result);
    const isFull = this.#waiting.length >= maxWaiting.count || this.#size + size > maxWaiting.size;
    if (isFull && this.#waiting.length > 0) {
      this.ways.leave();
      this.#last = failure(tooSlow(), this.context);
      return;
    }
    this.#waiting.push({ result, size });
    this.#size += size;
  }

  #wake(result?: GraphResult): void {
    this.#give?.(result);
    this.#give = undefined;
  }
}

const nothing: GraphResult = {};

interface Waiting {
  readonly result: GraphResult;
  readonly size: number;
}

const sizes = new WeakMap<GraphResult, number>();

/** Returns the length of a result as JSON; counted once for all readers. */
function sizeOf(result: GraphResult): number {
  const size = sizes.get(result) ?? JSON.stringify(result).length;
  sizes.set(result, size);
  return size;
}

function tooSlow(): ApiError {
  return new ApiError('UNAVAILABLE', { message: 'The reader is too far behind: subscribe again' });
}
