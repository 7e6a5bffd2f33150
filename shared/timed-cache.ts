import { LRUCache } from 'lru-cache';
import { buildingOf, type Building } from './building.js';
import { countLookup } from './cache-lookups.js';
import type { Context } from './context.js';

export interface TimedCacheOptions<T> {
  /** How the cache is called in the metrics. */
  readonly name: string;
  readonly ttlMs: number;
  /** What all that is kept may weigh together, in the unit of `sizeOf`; what was used longest ago goes first. */
  readonly maxSize: number;
  readonly sizeOf: (value: T) => number;
  /** Whether a value is worth keeping; all are when not given. */
  readonly keeps?: (value: T) => boolean;
}

/** What is kept under a key, or else built; whoever asks for what is being built waits for the same building. */
export type TimedCache<T> = (context: Context, key: string, build: () => Promise<T>) => Promise<T>;

/** Keeps what was built for some time by the house's clock, in this process; what is asked of a past moment is built each time. */
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
