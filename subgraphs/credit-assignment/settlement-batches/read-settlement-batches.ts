import { requireBounds } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import type { BatchStatus } from '../credit-batches/credit-batch-transitions.js';
import { createdBetween } from '../common/created-between.js';
import {
  countSettlementBatches,
  seenSettlementBatchesById,
  settlementBatchesAt,
  type SettlementBatchQuery,
} from './settlement-batch-list.store.js';
import type { SettlementBatchRow } from './settlement-batch.store.js';

/**
 * Returns a settlement batch that the caller may see.
 * @throws {ApiError} SETTLEMENT_BATCH_NOT_FOUND for one that does not exist or belongs to someone else
 */
export async function seenSettlementBatch(context: Context, id: string): Promise<SettlementBatchRow> {
  const row = isUuid(id) ? await loaderOf(context, seenSettlementBatchesById).load(id.toLowerCase()) : undefined;
  if (row === undefined) throw new ApiError('SETTLEMENT_BATCH_NOT_FOUND');
  return row;
}

/** Filters that a caller asks for. */
interface Wish {
  readonly status: BatchStatus | null | undefined;
  readonly creditBatchId: string | null | undefined;
  readonly patrimonyId: string | null | undefined;
  /** Civil days in São Paulo, both included. */
  readonly from: string | null | undefined;
  readonly to: string | null | undefined;
}

export interface NumberedPage {
  readonly rows: readonly SettlementBatchRow[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

/**
 * Returns a numbered page of the settlement batches that the caller may see: 20 per page by default.
 * @throws {ApiError} BAD_REQUEST for numbers out of bounds, an id that is no UUID, a period that ends before it begins
 */
export async function readSettlementBatchPage(
  context: Context,
  wish: Wish & { readonly page: number | null | undefined; readonly limit: number | null | undefined },
): Promise<NumberedPage> {
  const page = wish.page ?? 1;
  const limit = wish.limit ?? 20;
  requireBounds(
    { name: 'page', value: page, min: 1, max: 999_999_999 },
    { name: 'limit', value: limit, min: 1, max: 100 },
  );
  const query = queryOf(wish, '');
  const rows = await settlementBatchesAt(context, query, { after: null, offset: (page - 1) * limit, limit });
  return { rows, page, limit, total: await countSettlementBatches(context, query) };
}

export interface CursorPage {
  readonly query: SettlementBatchQuery;
  readonly rows: readonly SettlementBatchRow[];
  readonly hasNext: boolean;
  /** Returns the cursor that continues after a batch. */
  readonly cursorOf: (row: SettlementBatchRow) => string;
}

/**
 * Returns a page, by cursor, of the settlement batches that the caller may see; batches added in the meantime neither repeat nor hide one.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds, a cursor that is not ours, an id that is no UUID
 */
export async function readSettlementBatchesAfter(
  context: Context,
  codec: CursorCodec,
  wish: Wish & { readonly first: number | null | undefined; readonly after: string | null | undefined },
): Promise<CursorPage> {
  const limit = wish.first ?? 20;
  requireBounds({ name: 'first', value: limit, min: 1, max: 100 });
  const query = queryOf(wish, 'filter.');
  const scope = JSON.stringify(query);
  const [after = null] = wish.after == null ? [] : codec.open(scope, wish.after);
  const found = await settlementBatchesAt(context, query, { after, offset: 0, limit: limit + 1 });
  const rows = found.slice(0, limit);
  return { query, rows, hasNext: found.length > rows.length, cursorOf: ({ id }) => codec.seal(scope, [id]) };
}

/** @param place the prefix of the field names in the caller's input, if any */
function queryOf({ status, creditBatchId, patrimonyId, from, to }: Wish, place: string): SettlementBatchQuery {
  const strange = Object.entries({ creditBatchId, patrimonyId }).filter(([, id]) => id != null && !isUuid(id));
  refuse(
    'BAD_REQUEST',
    strange.map(([name]) => ({ path: `${place}${name}`, message: 'must be a UUID' })),
  );
  return {
    status: status ?? null,
    creditBatchId: creditBatchId?.toLowerCase() ?? null,
    patrimonyId: patrimonyId?.toLowerCase() ?? null,
    created: createdBetween(from, to),
  };
}
