import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { refuse } from '../../../shared/errors.js';
import { openNumberedPage, openPage, type NumberedPage, type PageInput } from '../../../shared/list-page.js';
import { isUuid } from '../../../shared/ids.js';
import { errorAt } from '../../../shared/rule-error.js';
import { createdBetween } from './created-between.js';
import type { BatchKind } from './batch-kind.js';
import { countBatches, listBatches, type BatchQuery } from './batch-list.store.js';
import type { BatchRow } from './batch.store.js';
import type { BatchStatus } from './transitions.js';

/** Filters that a caller asks for. */
export interface BatchFilter {
  readonly status?: BatchStatus | null;
  readonly creditBatchId?: string | null;
  readonly patrimonyId?: string | null;
  /** Civil days in São Paulo, both included. */
  readonly from?: string | null;
  readonly to?: string | null;
}

/**
 * Returns a numbered page of the batches of a kind that the caller may see.
 * @throws {ApiError} BAD_REQUEST for numbers out of bounds, an id that is no UUID, a period that ends before it begins
 */
export async function readBatchPage<Row extends BatchRow>(
  context: Context,
  kind: BatchKind<Row>,
  filter: BatchFilter,
  wanted: NumberedPage,
) {
  const { offset, limit, totals } = openNumberedPage(wanted);
  const query = queryOf(kind, filter, '');
  const rows = await listBatches(context, kind, query, { after: null, backward: false, offset, limit });
  return { rows, ...totals(await countBatches(context, kind, query)) };
}

/**
 * Returns a page, by cursor, of the batches of a kind that the caller may see; batches added in the meantime neither repeat nor hide one.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds, a cursor that is not ours, an id that is no UUID
 */
export async function readBatchesAfter<Row extends BatchRow>(
  context: Context,
  kind: BatchKind<Row>,
  codec: CursorCodec,
  filter: BatchFilter,
  input: PageInput,
) {
  const query = queryOf(kind, filter, 'filter.');
  const { status, ids, created } = query;
  const scope = JSON.stringify({ status, ...ids, created });
  const page = openPage(codec, input, { scope });
  const { backward, limit } = page;
  const range = { after: page.after ?? null, backward, offset: 0, limit: limit + 1 };
  return { query, ...page.take(await listBatches(context, kind, query, range), ({ id }) => [id]) };
}

/** @param prefix of the names of fields in the caller's input */
function queryOf<Row extends BatchRow>(
  { idFilters }: BatchKind<Row>,
  filter: BatchFilter,
  prefix: '' | 'filter.',
): BatchQuery {
  const given = idFilters.map(([name]) => ({ name, id: filter[name] }));
  const wrong = given.filter(({ id }) => id != null && !isUuid(id));
  refuse(
    'BAD_REQUEST',
    wrong.map(({ name }) => errorAt(`${prefix}${name}`, 'UUID_FORM')),
  );
  return {
    status: filter.status ?? null,
    ids: Object.fromEntries(given.map(({ name, id }) => [name, id?.toLowerCase() ?? null])),
    created: createdBetween(filter.from, filter.to),
  };
}
