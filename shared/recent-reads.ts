import { LRUCache } from 'lru-cache';
import { countLookup } from './cache-lookups.js';

/** What was read of the database a moment ago. */
export interface RecentReads<V> {
  get(key: string): Promise<V>;
  /** The next `get` reads again, whatever is on its way. */
  forget(key: string): void;
}

export interface RecentReadsOptions {
  /** How the cache is called in the metrics. */
  readonly name: string;
  readonly maxAgeMs: number;
  readonly maxEntries: number;
}

/**
 * Remembers what `read` answered, counted from before it asked: no answer older than `maxAgeMs` is given out, however slow
 * the database is. Those who ask for the same at the same time share one read; a failed read is not remembered.
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
    forget: (key) => {
      reads.delete(key);
    },
  };
}
