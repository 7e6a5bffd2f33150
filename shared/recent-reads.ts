import { LRUCache } from 'lru-cache';
import { countLookup } from './cache-lookups.js';

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
