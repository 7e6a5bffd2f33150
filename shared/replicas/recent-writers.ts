import { LRUCache } from 'lru-cache';
import type { Principal } from '../context.js';
import type { Logger } from '../log.js';
import { withinPatience, type RedisConnection } from '../redis.js';

/**
 * The owners of credentials who have changed something so recently that a replica may not have it yet. A replica in use has everything that was committed
 * `REPLICA_MAX_LAG` ago, so a note is needed for no longer.
 */
export interface RecentWriters {
  /** Notes that an owner has committed something. */
  note(principal: Principal): Promise<void>;
  /** Whether an owner may have committed something within the bound, in any process. */
  wroteLately(principal: Principal): Promise<boolean>;
}

/** Callers who are not told apart, or who change nothing. */
const unnoted: ReadonlySet<Principal['kind']> = new Set(['ANONYMOUS', 'WEBSITE', 'SYSTEM']);

/** Maximum number of owners that a process remembers; beyond it, the note of the one who wrote first is dropped. */
const maxOwners = 100_000;
/** Time that a request waits for Redis, and time for which all requests then do without it. */
const patienceMs = 250;
const restMs = 1_000;

/** Notes of this process alone, for a program that is one process. */
export function createMemoryWriters(maxLagMs: number): RecentWriters {
  const notes = new LRUCache<string, true>({ max: maxOwners, ttl: maxLagMs, updateAgeOnGet: false });
  return {
    note: ({ kind, ownerId }) => {
      if (!unnoted.has(kind)) notes.set(ownerId, true);
      return Promise.resolve();
    },
    wroteLately: ({ kind, ownerId }) => Promise.resolve(!unnoted.has(kind) && notes.peek(ownerId) === true),
  };
}

/**
 * Notes that all processes share in Redis, by its clock. Where Redis does not say, every known caller counts as a recent writer: the primary can serve
 * them, and only those without a credential go on reading from replicas.
 */
export function createRedisWriters(
  redis: RedisConnection,
  own: RecentWriters,
  maxLagMs: number,
  log: Logger,
): RecentWriters {
  let restUntil = 0;
  let isLost = false;
  const ask = async <T>(command: () => Promise<T>): Promise<T | undefined> => {
    if (performance.now() < restUntil) return undefined;
    try {
      if (redis.status !== 'ready') throw new Error(`the connection is in state ${redis.status}`);
      const reply = await withinPatience(command(), patienceMs);
      if (isLost) log.info('Who wrote lately is known from Redis again');
      isLost = false;
      return reply;
    } catch (error) {
      restUntil = performance.now() + restMs;
      if (!isLost)
        log.warn({ reason: String(error) }, 'Redis does not say who wrote lately: known callers read from the primary');
      isLost = true;
      return undefined;
    }
  };
  return {
    note: async (principal) => {
      if (unnoted.has(principal.kind)) return;
      await own.note(principal);
      await ask(() => redis.set(keyOf(principal), '1', 'PX', maxLagMs));
    },
    wroteLately: async (principal) => {
      if (unnoted.has(principal.kind)) return false;
      if (await own.wroteLately(principal)) return true;
      const known = await ask(() => redis.get(keyOf(principal)));
      return known !== null;
    },
  };
}

function keyOf({ ownerId }: Principal): string {
  return `lastro:wrote:${ownerId}`;
}
