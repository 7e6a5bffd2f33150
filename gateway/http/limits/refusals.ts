import { LRUCache } from 'lru-cache';
import { windowMs, type Bucket } from './limiter.js';

/** Minimum time for which a refusal is held, and maximum number of held refusals; further ones are sent immediately. */
const holdMs = 2_000;
const maxHeld = 4_000;
/** Two thousand held refusals a second: without it all who were refused together would return together. */
const spacingMs = 0.5;
/** Maximum number of refusals that are sent in one turn of the event loop, so that other requests are read soon. */
const sentInOneTurn = 32;

type Refuse = () => void;

interface Held {
  readonly due: number;
  /** Undefined once it must not be sent: its connection is gone, and nothing of it may stay in memory. */
  refuse: Refuse | undefined;
}

/** Holds a refusal until it is due. @returns the function that drops it before that */
export type HoldRefusal = (refuse: Refuse) => () => void;

/** Holds refusals in order: clients often repeat at once, and faster refusals would take the time of others. */
export function createRefusals(): HoldRefusal {
  const held: Held[] = [];
  let scheduled = false;
  let lastDue = 0;
  const schedule = () => {
    const [first] = held;
    scheduled = first !== undefined;
    if (first === undefined) return;
    const waitMs = first.due - performance.now();
    if (waitMs > 0) setTimeout(send, waitMs);
    else setImmediate(send);
  };
  const send = () => {
    const now = performance.now();
    const due = held.findIndex((one) => one.due > now);
    for (const { refuse } of held.splice(0, Math.min(sentInOneTurn, due < 0 ? held.length : due))) refuse?.();
    schedule();
  };
  return (refuse) => {
    if (held.length >= maxHeld) {
      refuse();
      return () => undefined;
    }
    lastDue = Math.max(performance.now() + holdMs, lastDue + spacingMs);
    const one: Held = { due: lastDue, refuse };
    held.push(one);
    if (!scheduled) schedule();
    return () => {
      one.refuse = undefined;
    };
  };
}

/** Number of refusals of one bucket in a window that are sent without delay. */
const atOnce = 100;
/** Maximum number of buckets whose refusals are counted; beyond that the least recently used are forgotten. */
const maxBuckets = 10_000;

/** Delays further refusals (429) of a bucket with too many: a caller who repeats at once would take the time of others. @returns resolves when it may be sent */
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
