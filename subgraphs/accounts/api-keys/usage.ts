import type { Pool } from 'pg';
import type { Clock } from '../../../shared/clock.js';
import type { Logger } from '../../../shared/log.js';

/** How often the counts are written, in milliseconds. */
export const flushEveryMs = 5_000;

// So many different keys within one interval are written at once instead of being collected further.
const maxKeysHeld = 20_000;

export interface Usage {
  /** Counts one request made with a key. */
  count(keyId: string): void;
  /** Writes what was counted, in one statement. What could not be written is kept for the next time. */
  flush(): Promise<void>;
  /** Writes what is left, and counts no more. */
  close(): Promise<void>;
}

interface Tally {
  requests: number;
  lastUsedAt: Date;
}

export interface UsageParts {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Counts requests per key in memory and writes them every few seconds, so that no request waits for its own bookkeeping. */
export function countUsage({ pool, clock, log }: UsageParts): Usage {
  let tallies = new Map<string, Tally>();
  let flushing: Promise<void> = Promise.resolve();

  const add = (keyId: string, requests: number, lastUsedAt: Date) => {
    const tally = tallies.get(keyId);
    if (tally === undefined) tallies.set(keyId, { requests, lastUsedAt });
    else {
      tally.requests += requests;
      if (lastUsedAt > tally.lastUsedAt) tally.lastUsedAt = lastUsedAt;
    }
  };

  const write = async () => {
    const taken = tallies;
    if (taken.size === 0) return;
    tallies = new Map();
    try {
      await save(pool, taken);
    } catch (error) {
      for (const [keyId, { requests, lastUsedAt }] of taken) add(keyId, requests, lastUsedAt);
      log.warn({ err: error }, 'The use of API keys could not be written; it will be tried again');
    }
  };

  const flush = () => (flushing = flushing.then(write));
  const timer = setInterval(() => void flush(), flushEveryMs).unref();

  return {
    count: (keyId) => {
      add(keyId, 1, clock.now());
      if (tallies.size > maxKeysHeld) void flush();
    },
    flush,
    close: () => {
      clearInterval(timer);
      return flush();
    },
  };
}

async function save(pool: Pool, tallies: ReadonlyMap<string, Tally>): Promise<void> {
  const values = [...tallies.values()];
  // Keys are locked in one order, so that instances which write at the same moment cannot wait for each other.
  await pool.query(
    `WITH used AS (SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS used(id, requests, last_used_at)),
       locked AS (SELECT id FROM accounts.api_keys WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE)
     UPDATE accounts.api_keys AS key
     SET request_count = key.request_count + used.requests, last_used_at = greatest(key.last_used_at, used.last_used_at)
     FROM used JOIN locked USING (id) WHERE key.id = used.id`,
    [[...tallies.keys()], values.map(({ requests }) => requests), values.map(({ lastUsedAt }) => lastUsedAt)],
  );
}
