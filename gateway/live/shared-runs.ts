import type { GraphResult, GraphResultStream } from '../../shared/subgraph/executor.js';
import { subjectOf } from '../../shared/stream-place.js';

/** A reader of a shared run. */
export interface SharedReader<T> {
  /** Receives what was made of a result. */
  offer(made: T): void;
  /** Called when the run has ended, with the reason where it did not end by itself. */
  end(error: unknown): void;
}

/** What readers of one key have in common. */
export interface SharedRunOptions<T> {
  /** Makes what readers get of a result, once for all of them. */
  readonly make: (result: GraphResult) => T;
  /** Whether a reader who joins gets what was last made, if there is any. */
  readonly startsWithLatest: boolean;
}

/** The place of a reader in a run. */
export interface Membership {
  /**
   * Takes the reader's own stream, which shows that this reader may read: the run reads it if it has none yet, and otherwise ends it. False when the run has ended
   * meanwhile, or reports something else than the stream: the reader keeps the stream, and has left.
   */
  supply(stream: GraphResultStream): boolean;
  leave(): void;
}

/** Runs of subscriptions, each for all its readers in this process. */
export interface SharedRuns<T> {
  /** Adds a reader to the run of a key: it gets everything that the run makes from now on. */
  join(key: string, options: SharedRunOptions<T>, reader: SharedReader<T>): Membership;
  /** Number of runs under way. */
  readonly count: number;
}

interface Run<T> {
  readonly readers: Set<SharedReader<T>>;
  latest: T | undefined;
  stream: GraphResultStream | undefined;
  ended: boolean;
}

/**
 * Runs each subscription once for all its readers in this process. Every reader begins a stream of its own first, by which the graph checks its access and its
 * arguments; the first stream is read for all. The last reader who leaves ends the run.
 */
export function createSharedRuns<T>(): SharedRuns<T> {
  const runs = new Map<string, Run<T>>();

  const end = (key: string, run: Run<T>) => {
    run.ended = true;
    if (runs.get(key) === run) runs.delete(key);
    run.stream?.return?.().catch(() => undefined);
  };
  const follow = async (run: Run<T>, stream: GraphResultStream, make: (result: GraphResult) => T) => {
    for (;;) {
      const { done, value } = await stream.next();
      if (done === true || run.ended) return;
      run.latest = make(value);
      for (const reader of run.readers) reader.offer(run.latest);
    }
  };

  return {
    get count() {
      return runs.size;
    },
    join: (key, { make, startsWithLatest }, reader) => {
      const run: Run<T> = runs.get(key) ?? { readers: new Set(), latest: undefined, stream: undefined, ended: false };
      runs.set(key, run);
      run.readers.add(reader);
      if (startsWithLatest && run.latest !== undefined) reader.offer(run.latest);
      const leave = () => {
        run.readers.delete(reader);
        if (run.readers.size === 0 && !run.ended) end(key, run);
      };
      const over = (error?: unknown) => {
        if (run.ended) return;
        end(key, run);
        for (const left of run.readers) left.end(error);
      };
      return {
        leave,
        supply: (stream) => {
          const isAnother = run.stream !== undefined && subjectOf(run.stream) !== subjectOf(stream);
          if (run.ended || isAnother) {
            leave();
            return false;
          }
          if (run.stream !== undefined) {
            stream.return?.().catch(() => undefined);
            return true;
          }
          run.stream = stream;
          follow(run, stream, make).then(over, over);
          return true;
        },
      };
    },
  };
}
