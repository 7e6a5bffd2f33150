import type { Context } from '../../../shared/context.js';
import { createTimedCache } from '../../../shared/timed-cache.js';
import type { AssetRow } from './asset.store.js';
import {
  countPacked,
  keyOf,
  unpack,
  type AssetPlace,
  type AssetPlaces,
  type AssetQuery,
  type PackedPlaces,
} from './asset-list.js';
import { assetsAt, placesAt, runsOf, searchAssets } from './asset-list.store.js';

/** Part of a list of assets. */
export interface AssetSlice {
  readonly rows: readonly AssetRow[];
  /** Number of assets in the whole list. */
  readonly total: number;
  /** The first and the last place that was read, in the order of the list; null if none was. Rows that no longer match leave theirs empty. */
  readonly first: AssetPlace | null;
  readonly last: AssetPlace | null;
  /** Whether there are more assets in the direction in which the list was read. */
  readonly hasMore: boolean;
}

/** Reads part of a list of assets in order of registration. */
export type ReadAssets = (context: Context, query: AssetQuery, places: AssetPlaces) => Promise<AssetSlice>;

/** Search results above this number are cached; smaller ones are fast enough to search again. */
const fewFound = 1_000;
/** How long search results are cached: as long as the documented summary. */
const searchKeptMs = 5 * 60_000;
/** Memory limit of all cached searches in this process, in bytes: 2,000,000 places. */
const searchesBytes = 48_000_000;

/**
 * Creates the asset reader of a process. Results of a large search are cached for five minutes: assets that match only later
 * are missing from the list until then, and those that no longer match leave their place empty.
 */
export function createAssetReader(): ReadAssets {
  const searches = createTimedCache<PackedPlaces>({
    name: 'asset-searches',
    ttlMs: searchKeptMs,
    maxSize: searchesBytes,
    sizeOf: (found) => found.length,
    keeps: (found) => countPacked(found) > fewFound,
  });

  const find = async (context: Context, query: AssetQuery, places: AssetPlaces) => {
    if (query.words.length > 0) {
      const found = await searches(context, keyOf(query), () => searchAssets(context, query));
      return { total: countPacked(found), found: unpack(found, places) };
    }
    const runs = await runsOf(context, query);
    const total = runs.reduce((sum, { count }) => sum + count, 0);
    return { total, found: places.offset < total ? await placesAt(context, query, runs, places) : [] };
  };

  return async (context, query, places) => {
    const { total, found } = await find(context, query, { ...places, limit: places.limit + 1 });
    const shown = found.slice(0, places.limit);
    if (places.backward === true) shown.reverse();
    const rows = shown.length === 0 ? [] : await assetsAt(context, query, shown);
    return { rows, total, first: shown[0] ?? null, last: shown.at(-1) ?? null, hasMore: found.length > shown.length };
  };
}
