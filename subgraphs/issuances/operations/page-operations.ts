import type { Context } from '../../../shared/context.js';
import { refuse, type ErrorDetail } from '../../../shared/errors.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { scopeOf, type OperationQuery } from './operation-list.js';
import { openPage, type ListPage } from '../../../shared/list-page.js';
import { listOperations } from './operation-list.store.js';
import type { OperationListArgs } from './operation-list.type.js';
import type { OperationRow } from './operation.store.js';
import { searchedWords } from '../../../shared/format/normalize-text.js';

/** A page of the public operations of a query. */
export interface OperationsPage extends ListPage<OperationRow> {
  readonly query: OperationQuery;
}

/**
 * Returns a page of the public operations, starting right after the operation in the cursor, so that changes in the
 * meantime cause no gaps or repetitions.
 * @throws {ApiError} BAD_REQUEST for an argument out of bounds or an invalid cursor
 */
export async function pageOperations(
  context: Context,
  codec: CursorCodec,
  args: OperationListArgs,
  size?: { readonly usual: number; readonly most: number },
): Promise<OperationsPage> {
  const query = queryOf(args);
  const page = openPage(codec, { limit: args.first, cursor: args.after }, { scope: scopeOf(query), ...size });
  const found = await listOperations(context, query, page);
  return { query, ...page.take(found, ({ sortValue, id }) => [sortValue, id]) };
}

function queryOf({ filter, sort }: OperationListArgs): OperationQuery {
  const statuses = filter?.statuses ?? [];
  const text = filter?.text ?? '';
  const maturityFrom = filter?.maturityFrom ?? null;
  const maturityTo = filter?.maturityTo ?? null;
  const errors: ErrorDetail[] = [];
  const words = searchedWords(text);
  if (text !== '' && words.length === 0)
    errors.push({ path: 'filter.text', message: 'must contain a letter or a digit' });
  if (text.length > 200) errors.push({ path: 'filter.text', message: 'must have at most 200 characters' });
  if (statuses.length > 20) errors.push({ path: 'filter.statuses', message: 'must have at most 20 labels' });
  if (maturityFrom !== null && maturityTo !== null && maturityTo < maturityFrom) {
    errors.push({ path: 'filter.maturityTo', message: 'must not be before `maturityFrom`' });
  }
  refuse('BAD_REQUEST', errors);
  return {
    types: [...new Set(filter?.types ?? [])].sort(),
    // PostgreSQL rejects text with a zero character, and no label contains one.
    statuses: [...new Set(statuses.map((status) => status.replaceAll('\0', '\uFFFD')))].sort(),
    words,
    maturityFrom,
    maturityTo,
    sort: sort?.field ?? 'EMISSION_DATE',
    direction: sort?.direction ?? (sort == null ? 'DESC' : 'ASC'),
  };
}
