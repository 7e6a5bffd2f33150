import type { Pool } from 'pg';
import type { Principal } from '../../../shared/kernel/context.js';
import { noteSeen } from '../sessions/session.store.js';
import { addToDays, dayOfKey, addUse } from './api-key.store.js';
import { countUsage, type Usage, type UsageParts } from './usage.js';

/** Counts of the use of every kind of credential, written every few seconds. */
export interface UsageCounts {
  /** Counts one request of a caller. */
  touch(caller: Pick<Principal, 'kind' | 'id' | 'browser'>): void;
  /** Counts one request of a key that its limit refused. */
  noteRefusal(caller: Pick<Principal, 'kind' | 'id'>): void;
  flush(): Promise<void>;
  /** Writes the counts and stops. */
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
    noteRefusal: (caller) => {
      countDay('refused', caller);
    },
    flush: () => all((one) => one.flush()),
    close: () => all((one) => one.close()),
  };
}
