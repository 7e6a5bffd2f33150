import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import { distinctValues } from '../../../shared/graphql/filter-values.js';
import { searchedWords } from '../../../shared/kernel/format/normalize-text.js';
import { isVisible } from '../../../shared/kernel/identifying-text.js';
import {
  connectionPage,
  openPage,
  scopeOf,
  type ConnectionArguments,
  type ListPage,
} from '../../../shared/graphql/list-page.js';
import { sortedPosition } from '../../../shared/graphql/sorted-list.js';
import { labelsMeaning, listOperations } from './operation-list.store.js';
import { issueQueryOf } from './issue-filter.js';
import type { OperationQuery } from './operation-list.js';
import type { OperationFilter, OperationSort } from './operation.type.js';
import type { OperationRow } from './operation.store.js';

export interface OperationsPage extends ListPage<OperationRow> {
  readonly query: OperationQuery;
}

export interface OperationListRequest extends ConnectionArguments {
  readonly filter?: OperationFilter | null | undefined;
  readonly sort?: OperationSort | null | undefined;
}

/** Changes in the meantime cause no gaps or repetitions. @throws {ApiError} BAD_REQUEST for an argument out of bounds or an invalid cursor */
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
  // The set of operations with an alert may change between two pages.
  const scope = scopeOf({ ...wanted, among: wanted.among !== null });
  const page = openPage(codec, connectionPage(request), { scope, ...size });
  const query = { ...wanted, labelsOfStatuses: await labelsMeaning(context, 'operations', wanted.statuses) };
  return { query, ...page.take(await listOperations(context, query, page), sortedPosition) };
}

function queryOf({ filter, sort }: OperationListRequest): Omit<OperationQuery, 'labelsOfStatuses' | 'among'> {
  const given = filter ?? {};
  const text = given.text ?? '';
  const words = searchedWords(text);
  const errors: ErrorDetail[] = [];
  if (text !== '' && words.length === 0) errors.push(errorAt('filter.text', 'SEARCH_WORD'));
  if (!isVisible(text)) errors.push(errorAt('filter.text', 'VISIBLE'));
  if (text.length > 200) errors.push(errorAt('filter.text', 'TEXT_TOO_LONG', { max: 200 }));
  return {
    ...issueQueryOf(given, errors),
    types: distinctValues(given.types),
    words,
    sort: sort?.field ?? 'EMISSION_DATE',
    direction: sort?.direction ?? (sort == null ? 'DESC' : 'ASC'),
  };
}
