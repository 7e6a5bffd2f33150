import type { GraphResult, GraphResultStream } from '../../shared/subgraph/executor.js';
import type { Channel } from './channels.js';
import { eventFrame, eventOf, apiErrorIn } from './server-frames.js';

/** A reader of a shared run. */
export interface SharedReader {
  /** Receives the latest frame. */
  offer(frame: Buffer): void;
  /** Called when the run has ended, with the reason. */
  fail(error: unknown): void;
}

/** Subscriptions whose readers all receive the same frames. */
export interface SharedRuns {
  /**
   * Adds a reader: it gets the latest frame, if there is one, and every later one. Returns the function that removes it.
   * @param start begins the run, when there is none yet
   */
  join(channel: Channel, start: () => Promise<GraphResultStream | GraphResult>, reader: SharedReader): () => void;
  /** Number of runs under way. */
  readonly count: number;
}

interface Run {
  readonly readers: Set<SharedReader>;
  latest: Buffer | undefined;
  stream: GraphResultStream | undefined;
  ended: boolean;
}

/** Runs each subscription once for all its readers in this process; each update is serialized once. */
export function createSharedRuns(): SharedRuns {
  const runs = new Map<string, Run>();

  const end = (key: string, run: Run) => {
    run.ended = true;
    if (runs.get(key) === run) runs.delete(key);
    run.stream?.return?.().catch(() => undefined);
  };
  const follow = async (run: Run, labels: Channel['labels'], start: () => Promise<GraphResultStream | GraphResult>) => {
    const stream = await start();
    if (!('next' in stream)) throw apiErrorIn(stream);
    run.stream = stream;
    for (;;) {
      // All readers have left while the run began.
      if (run.ended) {
        await stream.return?.();
        return;
      }
      const { done, value } = await stream.next();
      if (done === true) return;
      run.latest = Buffer.from(eventFrame(labels, eventOf(value)));
      for (const reader of run.readers) reader.offer(run.latest);
    }
  };

  return {
    get count() {
      return runs.size;
    },
    join: (channel, start, reader) => {
      const key = JSON.stringify([channel.key, channel.variables]);
      const known = runs.get(key);
      const run: Run = known ?? { readers: new Set(), latest: undefined, stream: undefined, ended: false };
      run.readers.add(reader);
      if (known === undefined) {
        runs.set(key, run);
        const over = (error: unknown) => {
          if (run.ended) return;
          end(key, run);
          for (const left of run.readers) left.fail(error);
        };
        follow(run, channel.labels, start).then(() => over(new Error('The graph ended a subscription')), over);
      } else if (run.latest !== undefined) reader.offer(run.latest);
      return () => {
        run.readers.delete(reader);
        if (run.readers.size === 0 && !run.ended) end(key, run);
      };
    },
  };
}
