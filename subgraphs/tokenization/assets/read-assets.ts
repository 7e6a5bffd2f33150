import type { Context } from '../../../shared/kernel/context.js';
import { shared } from '../../../shared/memo.js';
import type { AssetRow } from './asset.store.js';
import { comparePlaces, keyOf, type AssetPlace, type AssetPlaces, type AssetQuery } from './asset-list.js';
import { assetsAt, countFound, foundAt, placesAt, runsOf, someFound } from './asset-list.store.js';

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

export type ReadAssets = (context: Context, query: AssetQuery, places: AssetPlaces) => Promise<AssetSlice>;

/** The number of found assets is cached above this number; smaller results are read each time. */
const fewFound = 1_000;
/** Number of assets of a search that are counted at most: the total of one that finds more. */
const mostFound = 100_000;
/** From this number on, a page is found along the order of the list: reading all that is found would take longer. */
const manyFound = 10_000;
/** How long numbers are cached: as long as the documented summary. */
const countKeptMs = 5 * 60_000;
const keptCounts = 10_000;
/** From here on the place at which a page of a search begins is cached: to find it, all before it is read. */
const farOffset = 1_000;

/** A page of a search is read as it is asked for; its number is cached where it is large, and where a far page begins. @param most number of assets of a search that are counted */
export function createAssetReader(most = mostFound): ReadAssets {
  const bounds = { keptMs: countKeptMs, maxEntries: keptCounts };
  const counts = shared<number | readonly AssetPlace[]>({
    name: 'asset-search-counts',
    ...bounds,
    keeps: (found) => typeof found === 'number',
  });
  const starts = shared<AssetPlace | null>({ name: 'asset-search-pages', ...bounds, keeps: (place) => place !== null });

  const count = (context: Context, query: AssetQuery) => {
    if (context.asOf !== undefined) return countFound(context, query, most);
    const find = async () => {
      const few = Math.min(fewFound, most);
      const some = await someFound(context, query, few + 1);
      return some.length > few ? countFound(context, query, most) : some.toSorted(comparePlaces);
    };
    return counts(keyOf(query), find, { now: context.clock.now().getTime() });
  };

  const search = async (context: Context, query: AssetQuery, places: AssetPlaces) => {
    const counted = await count(context, query);
    if (typeof counted !== 'number') return { total: counted.length, found: sliceOf(counted, places) };
    const total = counted;
    if (places.offset >= total) return { total, found: [] };
    const areFew = total < Math.min(manyFound, most);
    const { offset, after } = places;
    if (offset < farOffset || after !== null) return { total, found: await foundAt(context, query, places, areFew) };
    const findStart = async () => {
      const [last] = await foundAt(context, query, { ...places, offset: offset - 1, limit: 1 }, areFew);
      return last ?? null;
    };
    const before = await (context.asOf === undefined
      ? starts(`${keyOf(query)} ${offset}`, findStart, { now: context.clock.now().getTime() })
      : findStart());
    if (before === null) return { total, found: [] };
    return { total, found: await foundAt(context, query, { ...places, after: before, offset: 0 }, areFew) };
  };

  const find = async (context: Context, query: AssetQuery, places: AssetPlaces) => {
    if (query.words.length > 0) return search(context, query, places);
    const runs = await runsOf(context, query);
    const total = runs.reduce((sum, run) => sum + run.count, 0);
    // A cursor can lead a reader beyond the counted assets.
    return { total, found: places.offset >= total ? [] : await placesAt(context, query, runs, places) };
  };

  return async (context, query, places) => {
    const { total, found } = await find(context, query, { ...places, limit: places.limit + 1 });
    const shown = found.slice(0, places.limit);
    if (places.backward === true) shown.reverse();
    const rows = shown.length === 0 ? [] : await assetsAt(context, query, shown);
    return { rows, total, first: shown[0] ?? null, last: shown.at(-1) ?? null, hasMore: found.length > shown.length };
  };
}

function sliceOf(all: readonly AssetPlace[], { after, backward = false, offset, limit }: AssetPlaces): AssetPlace[] {
  const isBeyond = (place: AssetPlace) => after === null || comparePlaces(place, after) * (backward ? -1 : 1) > 0;
  const beyond = all.filter(isBeyond);
  return (backward ? beyond.toReversed() : beyond).slice(offset, offset + limit);
}
