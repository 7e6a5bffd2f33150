import { LRUCache } from 'lru-cache';
import { windowMs, type Bucket } from './limiter.js';
import { createRefusals } from './refusals.js';

/** Refusals of one bucket in a window that are sent at once. */
const atOnce = 100;
/** Buckets whose refusals are counted; of more, those that asked longest ago are forgotten. */
const maxBuckets = 10_000;

/**
 * Counts the refusals (429) of each bucket, and makes who goes on asking in spite of them wait for each further one: whoever asks as fast as it is refused
 * would take the time of others.
 * @returns resolves when the refusal may be sent
 */
export function createRefusalDelay(): (bucket: Bucket) => Promise<void> | undefined {
  const refused = new LRUCache<string, { count: number }>({ max: maxBuckets, ttl: windowMs });
  const hold = createRefusals();
  return ({ key }) => {
    const known = refused.get(key);
    if (known === undefined) {
      refused.set(key, { count: 1 });
      return undefined;
    }
    known.count += 1;
    return known.count > atOnce ? new Promise(hold) : undefined;
  };
}
