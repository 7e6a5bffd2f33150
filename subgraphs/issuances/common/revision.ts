import { LRUCache } from 'lru-cache';
import { buildingOf, type Building } from '../../../shared/building.js';
import { countLookup } from '../../../shared/cache-lookups.js';
import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { readTogether, type Reads } from '../../../shared/database/read-together.js';

/** The number that every change to what is published raises. */
export async function readRevision(reads: Reads): Promise<string> {
  return (await revision(reads, only)) ?? '0';
}

const only = '';
const revision = readTogether(async ({ manager }) => {
  const [row] = await manager.query<{ value: string }[]>('SELECT value FROM issuances.revision');
  return new Map(row === undefined ? [] : [[only, row.value]]);
});

/** What everything that is built from the published data depends on: its revision, and the civil day. */
export async function readStamp(context: Context): Promise<string> {
  return `${await readRevision(context)} ${civilDate(context.clock.now())}`;
}

/**
 * Keeps what was built from the published data for as long as neither the data nor the civil day has changed. What is asked of a past
 * moment is built each time.
 */
export interface RevisionCache<T> {
  /** What is kept under a key, or else built; whoever asks for what is being built waits for the same building. */
  one(context: Context, key: string, build: (context: Context) => Promise<T>): Promise<T>;
  /** The same for several keys: those that are missing are built together, in the order of the keys given. */
  many(
    context: Context,
    keys: readonly string[],
    build: (context: Context, missing: readonly string[]) => Promise<readonly T[]>,
  ): Promise<T[]>;
}

/**
 * @param name how the cache is called in the metrics
 * @param max how many keys are kept, the ones used last
 */
export function createRevisionCache<T>(name: string, max: number): RevisionCache<T> {
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
    const stamp = await readStamp(context);
    const values = keys.map((key) => {
      const known = kept.get(key);
      const fresh = known?.stamp === stamp && known.building.isDependable();
      countLookup(name, fresh);
      return fresh ? known.building.value : undefined;
    });
    const missing = keys.filter((_key, index) => values[index] === undefined);
    if (missing.length === 0) return Promise.all(values.flatMap((value) => value ?? []));
    // Loaders remember what they loaded, maybe before the change that made this building necessary.
    const built = build({ ...context, loaders: new Map() }, missing);
    const byKey = new Map(
      missing.map((key, index) => [
        key,
        keep(
          key,
          stamp,
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
  if (item === undefined) throw new Error('What was built is less than what was asked for');
  return item;
}
