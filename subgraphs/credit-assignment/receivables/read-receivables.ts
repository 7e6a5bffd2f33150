import { pageSizeOf } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { seenOriginators } from '../originators/seen-originators.js';
import { countNamed, receivablesAt, listNamedReceivables, type ReceivableRow } from './receivable.store.js';

export interface ReceivablePage {
  readonly rows: readonly ReceivableRow[];
  readonly hasNext: boolean;
  /** Returns the cursor that continues after a contract. */
  readonly cursorOf: (row: ReceivableRow) => string;
}

/** The page of contracts that a caller asks for. */
export interface ReceivablePageWish {
  /** The caller's names for the number of items and the cursor. */
  readonly names: { readonly limit: string; readonly cursor: string };
  readonly limit: number | null | undefined;
  readonly cursor: string | null | undefined;
}

/**
 * Returns a page of the contracts of a batch, in their order: 20 by default, 100 at most. Pages of several batches
 * are loaded in one query.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or a cursor that is not ours
 */
export async function readReceivables(
  context: Context,
  codec: CursorCodec,
  batchId: string,
  { names, limit, cursor }: ReceivablePageWish,
): Promise<ReceivablePage> {
  const wanted = pageSizeOf(limit, names.limit);
  const [after = '-1'] = cursor == null ? [] : codec.open(batchId, cursor, names.cursor);
  const found = await loaderOf(context, receivablesAt).load({ batchId, after: Number(after), limit: wanted + 1 });
  const rows = found.slice(0, wanted);
  return {
    rows,
    hasNext: found.length > rows.length,
    cursorOf: ({ position }) => codec.seal(batchId, [String(position)]),
  };
}

/**
 * Returns a page of the caller's contracts with one name, in any batch, newest first: 20 by default, 100 at most.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or a cursor that is not ours
 */
export async function readReceivablesNamed(
  context: Context,
  codec: CursorCodec,
  externalId: string,
  { names, limit, cursor }: ReceivablePageWish,
): Promise<ReceivablePage & { readonly count: () => Promise<number> }> {
  const wanted = pageSizeOf(limit, names.limit);
  const scope = `named ${externalId}`;
  const [after = null] = cursor == null ? [] : codec.open(scope, cursor, names.cursor);
  const originators = await seenOriginators(context);
  const found = await listNamedReceivables(context, originators, externalId, { after, limit: wanted + 1 });
  const rows = found.slice(0, wanted);
  return {
    rows,
    hasNext: found.length > rows.length,
    cursorOf: ({ id }) => codec.seal(scope, [id]),
    count: () => countNamed(context, originators, externalId),
  };
}
