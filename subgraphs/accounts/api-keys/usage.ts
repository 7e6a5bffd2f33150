import type { Pool } from 'pg';
import type { Clock } from '../../../shared/kernel/clock.js';
import type { Principal } from '../../../shared/kernel/context.js';
import type { Logger } from '../../../shared/kernel/log.js';
import { noteSeen } from '../sessions/session.store.js';
import { type KeyUse, addToDays, dayOfKey, addUse } from './api-key.store.js';

export const flushEveryMs = 5_000;

// With this many different keys within one interval, the counts are written early.
const maxKeysHeld = 20_000;
// Above this number, further keys are not counted while the database is unavailable.
const mostKeysHeld = 100_000;

interface Usage {
  count(id: string): void;
  /** Writes the counts in one statement. Counts that could not be written are kept for the next time. */
  flush(): Promise<void>;
  /** Writes the remaining counts and stops the timer. */
  close(): Promise<void>;
}

interface Tally {
  requests: number;
  lastUsedAt: Date;
}

interface UsageParts {
  readonly clock: Clock;
  readonly log: Logger;
}

/** Counts requests per credential in memory and writes the counts every few seconds, so that no request waits for it. */
export function countUsage(
  { clock, log }: UsageParts,
  writeUses: (uses: ReadonlyMap<string, KeyUse>) => Promise<void>,
): Usage {
  let tallies = new Map<string, Tally>();
  let flushing: Promise<void> = Promise.resolve();
  let flushedEarly = false;

  const add = (keyId: string, requests: number, lastUsedAt: Date) => {
    const tally = tallies.get(keyId);
    if (tally === undefined && tallies.size >= mostKeysHeld) return;
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
      await writeUses(taken);
    } catch (error) {
      for (const [keyId, { requests, lastUsedAt }] of taken) add(keyId, requests, lastUsedAt);
      log.warn({ err: error }, 'Could not save the use of credentials; it will be retried');
    }
  };

  const flush = () => (flushing = flushing.then(write));
  const timer = setInterval(() => {
    flushedEarly = false;
    void flush();
  }, flushEveryMs).unref();

  return {
    count: (keyId) => {
      add(keyId, 1, clock.now());
      if (tallies.size <= maxKeysHeld || flushedEarly) return;
      flushedEarly = true;
      void flush();
    },
    flush,
    close: () => {
      clearInterval(timer);
      return flush();
    },
  };
}

/** Counts of the use of every kind of credential, written every few seconds. */
export interface UsageCounts {
  touch(caller: Pick<Principal, 'kind' | 'id' | 'browser'>): void;
  /** Counts one request of a key that its limit refused. */
  noteRefusal(caller: Pick<Principal, 'kind' | 'id'>): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function openUsageCounts(pool: Pool, parts: UsageParts): UsageCounts {
  const usage = {
    API_KEY: countUsage(parts, (uses) => addUse(pool, 'api_keys', uses)),
    DEVELOPER_KEY: countUsage(parts, (uses) => addUse(pool, 'developer_keys', uses)),
    OPERATOR: countUsage(parts, (uses) => addUse(pool, 'operator_keys', uses)),
    SESSION: countUsage(parts, (uses) => noteSeen(pool, uses)),
  };
  const days = {
    requests: countUsage(parts, (uses) => addToDays(pool, 'requests', uses)),
    refused: countUsage(parts, (uses) => addToDays(pool, 'refused', uses)),
  };
  const counted: Readonly<Partial<Record<Principal['kind'], Usage>>> = usage;
  const countDay = (what: keyof typeof days, { kind, id }: Pick<Principal, 'kind' | 'id'>) => {
    if (kind === 'API_KEY' || kind === 'DEVELOPER_KEY') days[what].count(dayOfKey(id, parts.clock.now()));
  };
  const all = async (act: (usage: Usage) => Promise<void>) => {
    await Promise.all([...Object.values(usage), ...Object.values(days)].map(act));
  };
  return {
    touch: ({ kind, id, browser }) => {
      counted[kind]?.count(id);
      countDay('requests', { kind, id });
      if (browser !== undefined && kind !== 'SESSION') usage.SESSION.count(browser.id);
    },
    noteRefusal: (caller) => countDay('refused', caller),
    flush: () => all((one) => one.flush()),
    close: () => all((one) => one.close()),
  };
}
