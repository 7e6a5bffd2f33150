import type { Context } from '../../../shared/context.js';
import { createTimedCache } from '../../../shared/timed-cache.js';
import type { AssetRow } from './asset.entity.js';
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

/** Some assets of a list. */
export interface AssetSlice {
  readonly rows: readonly AssetRow[];
  /** Assets in the whole list. */
  readonly total: number;
  /** The last place that was looked at; null for none. A list goes on after it. */
  readonly last: AssetPlace | null;
  readonly hasNext: boolean;
}

/** Reads assets of a list in the order in which they were registered. */
export type ReadAssets = (context: Context, query: AssetQuery, places: AssetPlaces) => Promise<AssetSlice>;

/** A search that found more than this is kept; one that found less is fast enough to be made anew. */
const fewFound = 1_000;
/** How long what a search found is kept: as long as the documented summary. */
const searchKeptMs = 5 * 60_000;
/** What all kept searches may hold together, in bytes of this process: 2,000,000 places. */
const searchesBytes = 48_000_000;

/**
 * Makes the one reader of a process. What a large search found is kept for five minutes: within them assets that it finds only
 * now are not in its list, and those that it would find no more have left their place empty.
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
    const rows = shown.length === 0 ? [] : await assetsAt(context, query, shown);
    return { rows, total, last: shown.at(-1) ?? null, hasNext: found.length > shown.length };
  };
}
