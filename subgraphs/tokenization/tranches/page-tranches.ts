import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { refuse } from '../../../shared/errors.js';
import { dayRangeErrors, decimalRangeErrors, distinctValues, filterTickers } from '../../../shared/filter-values.js';
import { openPage, scopeOf, type ListPage, type PageInput } from '../../../shared/list-page.js';
import { sortedPosition } from '../../../shared/sorted-list.js';
import { listTranches } from './tranche-list.store.js';
import type { TrancheQuery } from './tranche-list.js';
import type { TrancheFilter, TrancheSort } from './tranche-list.type.js';
import { graphIndexers, indexerNames } from './tranche.js';
import type { TrancheRow } from './tranche.store.js';

export interface TranchePage extends ListPage<TrancheRow> {
  readonly query: TrancheQuery;
}

/**
 * Returns a page of series, starting right after the series in the cursor, or ending right before it, so that new series cause no gaps or
 * repetitions.
 * @throws {ApiError} BAD_REQUEST for an argument out of bounds or an invalid cursor
 */
export async function pageTranches(
  context: Context,
  codec: CursorCodec,
  request: PageInput,
  filter: TrancheFilter,
  sort?: TrancheSort | null,
): Promise<TranchePage> {
  const query = queryOf(filter, sort);
  const page = openPage(codec, request, { scope: scopeOf(query) });
  return { query, ...page.take(await listTranches(context, query, page), sortedPosition) };
}

function queryOf(given: TrancheFilter, sort: TrancheSort | null | undefined): TrancheQuery {
  const {
    patrimonyTicker,
    seriesTicker,
    maturityFrom = null,
    maturityTo = null,
    volumeFrom = null,
    volumeTo = null,
  } = given;
  refuse('BAD_REQUEST', [
    ...dayRangeErrors('filter.', { maturityFrom, maturityTo }),
    ...decimalRangeErrors('filter.', { volumeFrom, volumeTo }),
  ]);
  return {
    statuses: distinctValues([...(given.statuses ?? []), ...(given.status == null ? [] : [given.status])]),
    // A text that cannot be a ticker becomes an empty one, which no estate has.
    patrimonyTicker: patrimonyTicker == null ? null : (filterTickers([patrimonyTicker])[0] ?? null),
    ...(seriesTicker == null ? {} : { seriesTicker: filterTickers([seriesTicker])[0] ?? '' }),
    tickers: filterTickers(given.tickers),
    riskClasses: distinctValues(given.riskClasses),
    indexers: distinctValues(
      given.indexers?.map((indexer) => indexerNames.find((name) => graphIndexers[name] === indexer) ?? ''),
    ),
    maturityFrom,
    maturityTo,
    volumeFrom,
    volumeTo,
    sort: sort?.field ?? 'TICKER',
    direction: sort?.direction ?? 'ASC',
  };
}
