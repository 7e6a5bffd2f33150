import { LRUCache } from 'lru-cache';
import { windowMs, type Bucket } from './limiter.js';
import { createRefusals } from './refusals.js';

/** Number of refusals of one bucket in a window that are sent without delay. */
const atOnce = 100;
/** Maximum number of buckets whose refusals are counted; beyond that the least recently used are forgotten. */
const maxBuckets = 10_000;

/**
 * Returns the function that counts the refusals (429) of each bucket and delays further ones of a bucket with too many: a caller that sends a request as soon
 * as the last was refused would take the time of others.
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
