import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';

/** Memoizes an asynchronous load, started on first use; a failure is not remembered, so the next call tries again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    if (loaded !== undefined) return loaded;
    const loading = load();
    loaded = loading;
    loading.catch(() => {
      loaded = undefined;
    });
    return loading;
  };
}

/** How long later callers join a run that may never end: less than the second in which a revoked credential ends everywhere. */
const patienceMs = 900;

export interface SharedOptions<V> {
  /** The name of the cache in the metrics; without one its look-ups are not counted. */
  readonly name?: string;
  /** How long a result is shared, from the beginning of its run; by default only while it runs. */
  readonly keptMs?: number;
  /** The least recently used results are evicted first. */
  readonly maxEntries?: number;
  /** Whether a result is worth keeping; by default all are. */
  readonly keeps?: (value: V) => boolean;
}

/**
 * Shares the key's run, or runs `work`, the same for every caller of the key. @param now milliseconds, where ages go by a clock of its own
 * @param stamp the state that the result depends on: a result of another state is not shared
 */
type Ask<V> = (
  key: string,
  work: () => Promise<V>,
  asked?: { readonly now?: number; readonly stamp?: string },
) => Promise<V>;

export interface Shared<V> extends Ask<V> {
  /** Makes the next call run, even while a run is under way. */
  forget(key: string): void;
}

interface Run<V> {
  readonly result: Promise<V>;
  readonly stamp: string;
  readonly at: number;
  readonly begun: number;
  readonly forgotten: number;
  hasEnded: boolean;
}

/** Shares runs by key while under way or within `keptMs` of their beginning. A failed run fails for its caller; the others share one more. */
export function shared<V>({ name, keptMs = 0, maxEntries = 10_000, keeps }: SharedOptions<V> = {}): Shared<V> {
  const runs = new LRUCache<string, Run<V>>({ max: maxEntries });
  let forgotten = 0;

  const start = (key: string, work: () => Promise<V>, stamp: string, at: number): Promise<V> => {
    const run: Run<V> = { result: work(), stamp, at, begun: performance.now(), forgotten, hasEnded: false };
    runs.set(key, run);
    const forget = (): void => {
      if (runs.peek(key) === run) runs.delete(key);
    };
    run.result.then((value) => {
      run.hasEnded = true;
      const leftMs = keeps?.(value) === false ? 0 : keptMs - (performance.now() - run.begun);
      if (leftMs <= 0) {
        forget();
        return;
      }
      // A later caller did not wait, and began a run of the same state: until that one ends, this result is the newest.
      const other = runs.peek(key);
      if (
        other !== run &&
        other?.stamp === stamp &&
        run.forgotten === forgotten &&
        (!other.hasEnded || other.begun < run.begun)
      )
        runs.set(key, run);
      if (leftMs < Infinity) setTimeout(forget, leftMs).unref();
    }, forget);
    return run.result;
  };

  const find = (key: string, stamp: string, now: number): Run<V> | undefined => {
    const run = runs.get(key);
    if (run?.stamp !== stamp) return undefined;
    const isShared = run.hasEnded ? now - run.at < keptMs : performance.now() - run.begun < patienceMs;
    return isShared ? run : undefined;
  };

  const ask: Ask<V> = (key, work, { now = performance.now(), stamp = '' } = {}) => {
    const run = find(key, stamp, now);
    if (name !== undefined) countLookup(name, run !== undefined);
    if (run === undefined) return start(key, work, stamp, now);
    // If every waiting caller started its own run, they would overload a failing source.
    return run.result.catch(() => find(key, stamp, now)?.result ?? start(key, work, stamp, now));
  };
  const forget = (key: string): void => {
    forgotten += 1;
    runs.delete(key);
  };
  return Object.assign(ask, { forget });
}

/** Runs `work` one at a time; calls during a run cause one further run. Resolves after the last of them; `work` must not reject. */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let asked = 0;
  const loop = async () => {
    let answered: number;
    do {
      answered = asked;
      await work();
    } while (answered !== asked);
    running = undefined;
  };
  return () => {
    asked += 1;
    running ??= loop();
    return running;
  };
}

/** Look-ups in the caches of this process, by cache and outcome (`hit` or `miss`); exported at `/metrics`. */
export const cacheLookups = new Counter({
  name: 'cache_lookups_total',
  help: 'Look-ups in the caches of this process, by cache and outcome.',
  labelNames: ['cache', 'outcome'],
  registers: [],
});

export function countLookup(cache: string, hit: boolean): void {
  cacheLookups.inc({ cache, outcome: hit ? 'hit' : 'miss' });
}
