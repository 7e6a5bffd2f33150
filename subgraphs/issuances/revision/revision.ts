import DataLoader from 'dataloader';
import { shared } from '../../../shared/memo.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { readTogether } from '../../../shared/database/read-together.js';

/** The key of the whole revision; the others are ids of operations. */
const only = '';
const revision = readTogether(async ({ manager }, keys) => {
  const rows = await manager.rows<{ key: string; value: string }>(
    // A change that named no operations may concern any operation, so it counts for all.
    `SELECT key, CASE WHEN key = '' THEN whole.value::text ELSE concat(coalesce(own.value, 0), '.', whole.value - whole.named) END AS value
     FROM issuances.revision AS whole CROSS JOIN unnest($1::text[]) AS asked (key)
       LEFT JOIN issuances.operation_revisions AS own ON own.operation_id = nullif(key, '')::uuid`,
    [keys],
  );
  return new Map(rows.map(({ key, value }) => [key, value]));
});

/** Returns the state that everything built from published data depends on: its revision and the civil day. */
export function readStamp(context: Context): Promise<string> {
  return stampOf(context, only);
}

async function stampOf(context: Context, key: string): Promise<string> {
  return `${(await revision(context, key)) ?? '0'} ${civilDate(context.clock.now())}`;
}

/** Caches values built from published data until the data or the civil day changes. Values of a past moment are not cached. */
export interface RevisionCache<T> {
  /** Returns the value cached under a key, or builds it. Concurrent calls share one build. */
  one(context: Context, key: string, build: (context: Context) => Promise<T>): Promise<T>;
  /** Does the same for several keys: builds the missing ones together, in the order of the given keys. */
  many(
    context: Context,
    keys: readonly string[],
    build: (context: Context, missing: readonly string[]) => Promise<readonly T[]>,
  ): Promise<T[]>;
}

/** Values that are built from one operation each: they stay when only others change. */
export const ofOperation = (key: string): string => key;

/** @param name label of the cache in the metrics @param max keys to keep, least recently used go first @param operationOf the operation of a key; without it values depend on all */
export function createRevisionCache<T>(
  name: string,
  max: number,
  operationOf: (key: string) => string = () => only,
): RevisionCache<T> {
  const values = shared<T>({ name, keptMs: Infinity, maxEntries: max });
  return {
    one: async (context, key, build) => {
      if (context.asOf !== undefined) return build(context);
      const stamp = await stampOf(context, operationOf(key));
      return values(key, () => build(afresh(context)), { stamp });
    },
    many: async (context, keys, build) => {
      if (context.asOf !== undefined) return [...(await build(context, keys))];
      const stamps = await Promise.all(keys.map((key) => stampOf(context, operationOf(key))));
      const builds = new DataLoader<string, T>((missing) => build(afresh(context), missing), { cache: false });
      return Promise.all(keys.map((key, at) => values(key, () => builds.load(key), { stamp: stamps[at] ?? '' })));
    },
  };
}

/** The existing loaders may have cached rows from before the change that triggered a build. */
const afresh = (context: Context): Context => ({ ...context, loaders: new Map() });

/** Locks the revision until the transaction ends. Every import raises it before it commits, so data read after this call is consistent and stays so until then. */
export async function raiseRevision({ manager }: Context, operationIds: readonly string[]): Promise<void> {
  await manager.execute(
    `WITH raised AS (UPDATE issuances.revision SET value = value + 1, named = named + 1 RETURNING value)
     INSERT INTO issuances.operation_revisions (operation_id, value)
     SELECT DISTINCT id, value FROM raised CROSS JOIN unnest($1::uuid[]) AS changed (id)
     ON CONFLICT (operation_id) DO UPDATE SET value = excluded.value`,
    [operationIds],
  );
}
