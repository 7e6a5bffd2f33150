import type { Context } from '../../../shared/context.js';
import { createTimedCache } from '../../../shared/timed-cache.js';
import type { AssetRow } from './asset.store.js';
import { keyOf, type AssetPlace, type AssetPlaces, type AssetQuery } from './asset-list.js';
import { assetsAt, countFound, foundAt, placesAt, runsOf } from './asset-list.store.js';

/** Part of a list of assets. */
export interface AssetSlice {
  readonly rows: readonly AssetRow[];
  /** Number of assets in the whole list; of a search 100,000 at most. */
  readonly total: number;
  /** The first and the last place that was read, in the order of the list; null if none was. */
  readonly first: AssetPlace | null;
  readonly last: AssetPlace | null;
  /** Whether there are more assets in the direction in which the list was read. */
  readonly hasMore: boolean;
}

/** Reads part of a list of assets in order of registration. */
export type ReadAssets = (context: Context, query: AssetQuery, places: AssetPlaces) => Promise<AssetSlice>;

/** Numbers above this one are cached; smaller ones are fast enough to count again. */
const fewFound = 1_000;
/** Number of assets of a search that are counted at most: the total of one that finds more. */
const mostFound = 100_000;
/** From this number on, a page is found along the order of the list: reading all that is found would take longer. */
const manyFound = 10_000;
/** How long numbers are cached: as long as the documented summary. */
const countKeptMs = 5 * 60_000;
/** Number of cached numbers. */
const keptCounts = 10_000;

/**
 * Creates the asset reader of a process. A page of a search is read as it is asked for, and only its number is cached where it is large.
 * @param most number of assets of a search that are counted at most
 */
export function createAssetReader(most = mostFound): ReadAssets {
  const counts = createTimedCache<number>({
    name: 'asset-search-counts',
    ttlMs: countKeptMs,
    maxSize: keptCounts,
    sizeOf: () => 1,
    keeps: (found) => found > fewFound,
  });

  const find = async (context: Context, query: AssetQuery, places: AssetPlaces) => {
    const isSearch = query.words.length > 0;
    const runs = isSearch ? [] : await runsOf(context, query);
    const total = isSearch
      ? await counts(context, keyOf(query), () => countFound(context, query, most))
      : runs.reduce((sum, { count }) => sum + count, 0);
    // By a cursor a reader gets to what is not counted.
    if (places.offset >= total) return { total, found: [] };
    return {
      total,
      found: await (isSearch
        ? foundAt(context, query, places, total < Math.min(manyFound, most))
        : placesAt(context, query, runs, places)),
    };
  };

  return async (context, query, places) => {
    const { total, found } = await find(context, query, { ...places, limit: places.limit + 1 });
    const shown = found.slice(0, places.limit);
    if (places.backward === true) shown.reverse();
    const rows = shown.length === 0 ? [] : await assetsAt(context, query, shown);
    return { rows, total, first: shown[0] ?? null, last: shown.at(-1) ?? null, hasMore: found.length > shown.length };
  };
}
