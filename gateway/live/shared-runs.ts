import { SharedRun, type Membership, type SharedReader, type SharedRunOptions } from './shared-run.js';

export interface SharedRuns<T> {
  /** Adds a reader to the run of a key: it gets everything that the run makes from now on. */
  join(key: string, options: SharedRunOptions<T>, reader: SharedReader<T>): Membership;
  readonly count: number;
}

/** Runs each subscription once. Each reader first begins a stream, which checks access; a run that is behind takes no new readers. */
export function createSharedRuns<T>(): SharedRuns<T> {
  const runs = new Map<string, SharedRun<T>>();
  const underWay = new Set<SharedRun<T>>();

  const begin = (key: string, options: SharedRunOptions<T>): SharedRun<T> => {
    const run = new SharedRun(options, () => {
      underWay.delete(run);
      if (runs.get(key) === run) runs.delete(key);
    });
    underWay.add(run);
    runs.set(key, run);
    return run;
  };

  return {
    get count() {
      return underWay.size;
    },
    join: (key, options, reader) => {
      const known = runs.get(key);
      const run = known === undefined || known.isBehind ? begin(key, options) : known;
      return run.add(reader);
    },
  };
}
