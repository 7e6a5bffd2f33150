import { LRUCache } from 'lru-cache';
import { buildingOf, type Building, countLookup } from '../../../shared/memo.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { readTogether, type Reads } from '../../../shared/database/read-together.js';

/** Returns the revision, a number that every change of published data raises. */
export async function readRevision(reads: Reads): Promise<string> {
  return (await revision(reads, only)) ?? '0';
}

/** The key of the whole revision; the others are ids of operations. */
const only = '';
const revision = readTogether(async ({ manager }, keys) => {
  const rows = await manager.rows<{ key: string; value: string }>(
    // Of a change that named no operations nobody knows that it was of others.
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

/**
 * Caches values built from published data until the data or the civil day changes. Values of a past moment are not cached.
 */
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

/**
 * Creates a cache.
 * @param name label of the cache in the metrics
 * @param max number of keys to keep; evicts the least recently used
 * @param operationOf returns the id of the operation that the value of a key is built from; without it values depend on all operations
 */
export function createRevisionCache<T>(
  name: string,
  max: number,
  operationOf: (key: string) => string = () => only,
): RevisionCache<T> {
  const kept = new LRUCache<string, { readonly stamp: string; readonly building: Building<T> }>({ max });

  const keep = (key: string, stamp: string, value: Promise<T>): Promise<T> => {
    const building = buildingOf(value);
    kept.set(key, { stamp, building });
    value.catch(() => {
      if (kept.peek(key)?.building === building) kept.delete(key);
    });
    return value;
  };

  const many: RevisionCache<T>['many'] = async (context, keys, build) => {
    if (context.asOf !== undefined) return [...(await build(context, keys))];
    const stamps = new Map<string, string>();
    await Promise.all(keys.map(async (key) => stamps.set(key, await stampOf(context, operationOf(key)))));
    const values = keys.map((key) => {
      const known = kept.get(key);
      const fresh = known?.stamp === stamps.get(key) && known?.building.isDependable() === true;
      countLookup(name, fresh);
      return fresh ? known.building.value : undefined;
    });
    const missing = keys.filter((_key, index) => values[index] === undefined);
    if (missing.length === 0) return Promise.all(values.flatMap((value) => value ?? []));
    // The existing loaders may have cached rows from before the change that triggered this build.
    const built = build({ ...context, loaders: new Map() }, missing);
    const byKey = new Map(
      missing.map((key, index) => [
        key,
        keep(
          key,
          stamps.get(key) ?? '',
          built.then((found) => itemOf(found, index)),
        ),
      ]),
    );
    return Promise.all(keys.flatMap((key, index) => values[index] ?? byKey.get(key) ?? []));
  };

  return {
    many,
    one: async (context, key, build) => itemOf(await many(context, [key], async (fresh) => [await build(fresh)]), 0),
  };
}

function itemOf<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error('Built fewer items than requested');
  return item;
}
