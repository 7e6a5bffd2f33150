import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { refuse, type ErrorDetail } from '../../../shared/kernel/errors.js';
import { filterTickers } from '../../securities/tickers.js';
import {
  dayRangeErrors,
  decimalRangeErrors,
  distinctValues,
  filterLabels,
} from '../../../shared/graphql/filter-values.js';
import { searchedWords } from '../../../shared/kernel/format/normalize-text.js';
import { isVisible } from '../../../shared/kernel/identifying-text.js';
import {
  connectionPage,
  openPage,
  scopeOf,
  type ConnectionArguments,
  type ListPage,
} from '../../../shared/graphql/list-page.js';
import { errorAt } from '../../../shared/kernel/rule-error.js';
import { sortedPosition } from '../../../shared/graphql/sorted-list.js';
import { labelsMeaning, listOperations } from './operation-list.store.js';
import type { OperationQuery } from './operation-list.js';
import type { OperationFilter, OperationSort } from './operation.type.js';
import type { OperationRow } from './operation.store.js';

/** A page of the public operations of a query. */
export interface OperationsPage extends ListPage<OperationRow> {
  readonly query: OperationQuery;
}

export interface OperationListRequest extends ConnectionArguments {
  readonly filter?: OperationFilter | null | undefined;
  readonly sort?: OperationSort | null | undefined;
}

/**
 * Returns a page of the public operations, starting right after the operation in the cursor, or ending right before it, so that changes in
 * the meantime cause no gaps or repetitions.
 * @throws {ApiError} BAD_REQUEST for an argument out of bounds or an invalid cursor
 */
export async function pageOperations(
  context: Context,
  codec: CursorCodec,
  request: OperationListRequest,
  {
    among = null,
    ...size
  }: Partial<Pick<OperationQuery, 'among'> & { readonly usual: number; readonly most: number }> = {},
): Promise<OperationsPage> {
  const wanted = { ...queryOf(request), among };
  // What has an alert may change between two pages.
  const scope = scopeOf({ ...wanted, among: wanted.among !== null });
  const page = openPage(codec, connectionPage(request), { scope, ...size });
  const query = { ...wanted, labelsOfStatuses: await labelsMeaning(context, 'operations', wanted.statuses) };
  return { query, ...page.take(await listOperations(context, query, page), sortedPosition) };
}

function queryOf({ filter, sort }: OperationListRequest): Omit<OperationQuery, 'labelsOfStatuses' | 'among'> {
  const given = filter ?? {};
  const { issueFrom = null, issueTo = null, maturityFrom = null, maturityTo = null } = given;
  const { volumeFrom = null, volumeTo = null } = given;
  const text = given.text ?? '';
  const words = searchedWords(text);
  const errors: ErrorDetail[] = [
    ...dayRangeErrors('filter.', { issueFrom, issueTo }, { maturityFrom, maturityTo }),
    ...decimalRangeErrors('filter.', { volumeFrom, volumeTo }),
  ];
  if (text !== '' && words.length === 0) errors.push(errorAt('filter.text', 'SEARCH_WORD'));
  if (!isVisible(text)) errors.push(errorAt('filter.text', 'VISIBLE'));
  if (text.length > 200) errors.push(errorAt('filter.text', 'TEXT_TOO_LONG', { max: 200 }));
  refuse('BAD_REQUEST', errors);
  return {
    types: distinctValues(given.types),
    statuses: distinctValues(given.statuses),
    statusLabels: filterLabels(given.statusLabels),
    tickers: filterTickers(given.tickers),
    issuers: filterLabels(given.issuers),
    ratings: filterLabels(given.ratings),
    indexers: distinctValues(given.indexers),
    words,
    issueFrom,
    issueTo,
    maturityFrom,
    maturityTo,
    volumeFrom,
    volumeTo,
    sort: sort?.field ?? 'EMISSION_DATE',
    direction: sort?.direction ?? (sort == null ? 'DESC' : 'ASC'),
  };
}
