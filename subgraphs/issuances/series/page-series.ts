import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { filterTickers } from '../../securities/tickers.js';
import { distinctValues } from '../../../shared/graphql/filter-values.js';
import { connectionPage, openPage, scopeOf, type ListPage } from '../../../shared/graphql/list-page.js';
import { sortedPosition } from '../../../shared/graphql/sorted-list.js';
import { issueQueryOf } from '../operations/issue-filter.js';
import { labelsMeaning } from '../operations/operation-list.store.js';
import type { SeriesQuery } from './series-list.js';
import { listSeries, type SeriesRow } from './series.store.js';
import type { SeriesListArgs } from './series-list.type.js';

export interface SeriesPage extends ListPage<SeriesRow> {
  readonly query: SeriesQuery;
}

/** @throws {ApiError} BAD_REQUEST for an argument out of bounds or an invalid cursor */
export async function pageSeries(context: Context, codec: CursorCodec, args: SeriesListArgs): Promise<SeriesPage> {
  const wanted = queryOf(args);
  const page = openPage(codec, connectionPage(args), { scope: scopeOf(wanted) });
  const query = { ...wanted, labelsOfStatuses: await labelsMeaning(context, 'series', wanted.statuses) };
  return { query, ...page.take(await listSeries(context, query, page), sortedPosition) };
}

function queryOf({ filter, sort }: SeriesListArgs): Omit<SeriesQuery, 'labelsOfStatuses'> {
  const given = filter ?? {};
  return {
    ...issueQueryOf(given),
    operationTickers: filterTickers(given.operationTickers),
    operationTypes: distinctValues(given.operationTypes),
    riskClasses: distinctValues(given.riskClasses),
    sort: sort?.field ?? 'TICKER',
    direction: sort?.direction ?? 'ASC',
  };
}
