import type { Context } from '../../../shared/context.js';
import { refuse, type ErrorDetail } from '../../../shared/errors.js';
import { requireBounds } from '../../../shared/bounds.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { scopeOf, type OperationQuery } from './operation-list.js';
import { listOperations } from './operation-list.store.js';
import type { OperationListArgs } from './operation-list.type.js';
import type { OperationRow } from './operation.entity.js';
import { searchedWords } from '../../../shared/format/normalize-text.js';

/** How many operations a page has when nothing is asked for, and at most. */
export interface PageSize {
  readonly usual: number;
  readonly most: number;
}

/** Some of the public operations that a query finds. */
export interface OperationsPage {
  readonly query: OperationQuery;
  readonly rows: readonly OperationRow[];
  /** Of each row: what to go on after it with. */
  readonly cursors: readonly string[];
  readonly hasNext: boolean;
}

/**
 * A page of the public operations. It continues exactly after the operation that the cursor names, so that nothing is
 * skipped or repeated when others come or go meanwhile.
 * @throws {ApiError} BAD_REQUEST for an argument out of bounds or a cursor that is not ours
 */
export async function pageOperations(
  context: Context,
  codec: CursorCodec,
  args: OperationListArgs,
  { usual, most }: PageSize,
): Promise<OperationsPage> {
  const limit = args.first ?? usual;
  requireBounds({ name: 'first', value: limit, min: 1, max: most });
  const query = queryOf(args);
  const scope = scopeOf(query);
  const [value, id] = args.after == null ? [] : codec.open(scope, args.after);
  const after = value === undefined || id === undefined ? undefined : ([value, id] as const);
  const { rows, positions, hasNext } = await listOperations(context, query, limit, after);
  return { query, rows, cursors: positions.map((position) => codec.seal(scope, position)), hasNext };
}

function queryOf({ filter, sort }: OperationListArgs): OperationQuery {
  const statuses = filter?.statuses ?? [];
  const text = filter?.text ?? '';
  const maturityFrom = filter?.maturityFrom ?? null;
  const maturityTo = filter?.maturityTo ?? null;
  const faults: ErrorDetail[] = [];
  const words = searchedWords(text);
  if (text !== '' && words.length === 0) faults.push({ path: 'filter.text', message: 'must have a letter or a digit' });
  if (text.length > 200) faults.push({ path: 'filter.text', message: 'must have at most 200 characters' });
  if (statuses.length > 20) faults.push({ path: 'filter.statuses', message: 'must have at most 20 labels' });
  if (maturityFrom !== null && maturityTo !== null && maturityTo < maturityFrom) {
    faults.push({ path: 'filter.maturityTo', message: 'must not be before `maturityFrom`' });
  }
  refuse('BAD_REQUEST', faults);
  return {
    types: [...new Set(filter?.types ?? [])].sort(),
    // PostgreSQL takes no text with a zero character, and no label has one.
    statuses: [...new Set(statuses.map((status) => status.replaceAll('\0', '\uFFFD')))].sort(),
    words,
    maturityFrom,
    maturityTo,
    sort: sort?.field ?? 'EMISSION_DATE',
    direction: sort?.direction ?? (sort == null ? 'DESC' : 'ASC'),
  };
}
