import { LRUCache } from 'lru-cache';
import type { Context } from './kernel/context.js';
import { Counter } from 'prom-client';

/** Memoizes an asynchronous load, started on first use; a failure is not remembered, so the next call tries again. */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
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

/** Returns a function that runs `work` once for all concurrent callers; a call after it has settled starts it again. */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

/**
 * Returns a function that runs `work` one run at a time and merges calls: calls made during a run cause one further run. The returned promise resolves
 * after the last run that the call led to; `work` must not reject.
 */
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

/** How long later callers wait for a value that is still being computed: its source may never reply. */
const patienceMs = 5_000;

/** A value that is computed once for everybody who asks for it at the same time. */
export interface Building<T> {
  readonly value: Promise<T>;
  /** Whether callers should wait for it: it has settled, or started only a short time ago. */
  isDependable(): boolean;
}

/** Records when the computation of `value` started and that it has settled. */
export function buildingOf<T>(value: Promise<T>): Building<T> {
  const begunAt = performance.now();
  let ended = false;
  const end = () => {
    ended = true;
  };
  value.then(end, end);
  return { value, isDependable: () => ended || performance.now() - begunAt < patienceMs };
}

/** A run that has taken longer than this is shared with nobody else: its source may never respond. */
const sharedMs = 1_000;

interface Run<T> {
  readonly result: Promise<T>;
  readonly begun: number;
  hasEnded: boolean;
}

/**
 * Returns a function that runs work by key. Whoever calls while a run is under way, or within `keptMs` of its beginning, shares it. A value may thus have been
 * read before it was asked for: by that time or, where it is longer, by the time that its run took, and never by more than a second. A failed run fails for
 * the caller whose work it was; the others run their own. Work of one key must do the same for every caller.
 */
export function recentRuns<T>(keptMs: number): (key: string, work: () => Promise<T>) => Promise<T> {
  const runs = new Map<string, Run<T>>();

  const start = (key: string, work: () => Promise<T>): Promise<T> => {
    const run: Run<T> = { result: work(), begun: performance.now(), hasEnded: false };
    runs.set(key, run);
    const forget = (): void => {
      if (runs.get(key) === run) runs.delete(key);
    };
    run.result.then(() => {
      run.hasEnded = true;
      setTimeout(forget, keptMs - (performance.now() - run.begun)).unref();
    }, forget);
    return run.result;
  };

  return (key, work) => {
    const run = runs.get(key);
    const age = run === undefined ? Infinity : performance.now() - run.begun;
    if (run === undefined || age >= (run.hasEnded ? keptMs : sharedMs)) return start(key, work);
    return run.result.catch(work);
  };
}

/** Look-ups in the caches of this process, by cache and outcome (`hit` or `miss`); exported at `/metrics`. */
export const cacheLookups = new Counter({
  name: 'cache_lookups_total',
  help: 'Look-ups in the caches of this process, by cache and outcome.',
  labelNames: ['cache', 'outcome'],
  registers: [],
});

/** Counts one look-up. */
export function countLookup(cache: string, hit: boolean): void {
  cacheLookups.inc({ cache, outcome: hit ? 'hit' : 'miss' });
}

/** A short-lived cache of database reads. */
export interface RecentReads<V> {
  get(key: string): Promise<V>;
  /** Makes the next `get` read again, even if a read is in progress. */
  forget(key: string): void;
}

export interface RecentReadsOptions {
  /** The name of the cache in the metrics. */
  readonly name: string;
  readonly maxAgeMs: number;
  readonly maxEntries: number;
}

/**
 * Caches the results of `read`. Their age counts from before the read began: no result older than `maxAgeMs` is returned, however slow the database is.
 * Concurrent calls for the same key share one read; a failed read is not cached.
 */
export function recentReads<V>(
  read: (key: string) => Promise<V>,
  { name, maxAgeMs, maxEntries }: RecentReadsOptions,
): RecentReads<V> {
  const reads = new LRUCache<string, Promise<V>>({ max: maxEntries, ttl: maxAgeMs });
  return {
    get: (key) => {
      const known = reads.get(key);
      countLookup(name, known !== undefined);
      if (known !== undefined) return known;
      const reading = read(key);
      reads.set(key, reading);
      reading.catch(() => {
        if (reads.peek(key) === reading) reads.delete(key);
      });
      return reading;
    },
    forget: (key) => reads.delete(key),
  };
}

export interface TimedCacheOptions<T> {
  /** The name of the cache in the metrics. */
  readonly name: string;
  readonly ttlMs: number;
  /** The maximum total size, in the unit of `sizeOf`; the least recently used entries are evicted first. */
  readonly maxSize: number;
  readonly sizeOf: (value: T) => number;
  /** Whether a value is worth caching; by default all are. */
  readonly keeps?: (value: T) => boolean;
}

/** Returns the cached value of a key or builds it; concurrent callers wait for the same build. */
export type TimedCache<T> = (context: Context, key: string, build: () => Promise<T>) => Promise<T>;

/** Caches built values in this process for `ttlMs` by the context's clock; reads of a past moment are never cached. */
export function createTimedCache<T>(options: TimedCacheOptions<T>): TimedCache<T> {
  const { name, ttlMs, maxSize, sizeOf, keeps = () => true } = options;
  const kept = new LRUCache<string, { readonly until: number; readonly value: T }>({
    maxSize,
    sizeCalculation: ({ value }) => sizeOf(value),
  });
  const underWay = new Map<string, Building<T>>();

  const building = async (until: number, key: string, build: () => Promise<T>): Promise<T> => {
    const value = await build();
    if (keeps(value)) kept.set(key, { until, value });
    return value;
  };

  return (context, key, build) => {
    if (context.asOf !== undefined) return build();
    const now = context.clock.now().getTime();
    const known = kept.get(key);
    const fresh = known !== undefined && known.until > now;
    countLookup(name, fresh);
    if (fresh) return Promise.resolve(known.value);
    const waiting = underWay.get(key);
    if (waiting?.isDependable() === true) return waiting.value;
    const begun = buildingOf(building(now + ttlMs, key, build));
    underWay.set(key, begun);
    return begun.value.finally(() => {
      if (underWay.get(key) === begun) underWay.delete(key);
    });
  };
}
