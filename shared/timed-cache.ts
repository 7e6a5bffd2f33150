import { LRUCache } from 'lru-cache';
import { buildingOf, type Building } from './building.js';
import { countLookup } from './cache-lookups.js';
import type { Context } from './context.js';

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
