import { pageSizeOf, requireBounds } from '../../../shared/bounds.js';
import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { refuse } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { createdBetween } from '../common/created-between.js';
import { batchesAt, countBatches, type BatchQuery } from './credit-batch-list.store.js';
import type { CreditBatchRow } from './credit-batch.store.js';
import type { BatchStatus } from './credit-batch-transitions.js';

/** Filters that a caller asks for. */
export interface BatchWish {
  readonly status: BatchStatus | null | undefined;
  readonly patrimonyId: string | null | undefined;
  /** Civil days in São Paulo, both included. */
  readonly from: string | null | undefined;
  readonly to: string | null | undefined;
}

export interface NumberedPage {
  readonly rows: readonly CreditBatchRow[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

/**
 * Returns a numbered page of the batches that the caller may see: 20 per page by default.
 * @throws {ApiError} BAD_REQUEST for numbers out of bounds, an id that is no UUID, a period that ends before it begins
 */
export async function readBatchPage(
  context: Context,
  wish: {
    readonly page: number | null | undefined;
    readonly limit: number | null | undefined;
  } & BatchWish,
): Promise<NumberedPage> {
  const page = wish.page ?? 1;
  const limit = wish.limit ?? 20;
  requireBounds(
    { name: 'page', value: page, min: 1, max: 999_999_999 },
    { name: 'limit', value: limit, min: 1, max: 100 },
  );
  const query = queryOf(wish, 'patrimonyId');
  const rows = await batchesAt(context, query, { after: null, offset: (page - 1) * limit, limit });
  return { rows, page, limit, total: await countBatches(context, query) };
}

export interface CursorPage {
  readonly query: BatchQuery;
  readonly rows: readonly CreditBatchRow[];
  readonly hasNext: boolean;
  /** Returns the cursor that continues after a batch. */
  readonly cursorOf: (row: CreditBatchRow) => string;
}

/**
 * Returns a page, by cursor, of the batches that the caller may see; batches added in the meantime neither repeat nor hide one.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds, a cursor that is not ours, an id that is no UUID
 */
export async function readBatchesAfter(
  context: Context,
  codec: CursorCodec,
  wish: {
    readonly first: number | null | undefined;
    readonly after: string | null | undefined;
  } & BatchWish,
): Promise<CursorPage> {
  const limit = pageSizeOf(wish.first);
  const query = queryOf(wish, 'filter.patrimonyId');
  const scope = JSON.stringify(query);
  const [after = null] = wish.after == null ? [] : codec.open(scope, wish.after);
  const found = await batchesAt(context, query, { after, offset: 0, limit: limit + 1 });
  const rows = found.slice(0, limit);
  return { query, rows, hasNext: found.length > rows.length, cursorOf: ({ id }) => codec.seal(scope, [id]) };
}

/** @param path the caller's name for the id of the estate */
function queryOf({ status, patrimonyId, from, to }: BatchWish, path: string): BatchQuery {
  if (patrimonyId != null && !isUuid(patrimonyId)) refuse('BAD_REQUEST', [{ path, message: 'must be a UUID' }]);
  return { status: status ?? null, patrimonyId: patrimonyId?.toLowerCase() ?? null, created: createdBetween(from, to) };
}
