import { pageSizeOf } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import type { LineLoader } from './batch-lines.store.js';

/** A page of lines. */
export interface LinePage<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
  /** Returns the cursor that continues after a line. */
  readonly cursorOf: (row: Row) => string;
}

/** The page of lines that a caller asks for. */
export interface LinePageInput {
  /** 20 by default, 100 at most. */
  readonly limit: number | null | undefined;
  readonly cursor: string | null | undefined;
  /** The caller's names for both. */
  readonly names: { readonly limit: string; readonly cursor: string };
}

/** Returns the page that the arguments of a list in the graph ask for. */
export function byCursor({
  first,
  after,
}: {
  readonly first?: number | null;
  readonly after?: string | null;
}): LinePageInput {
  return { limit: first, cursor: after, names: { limit: 'first', cursor: 'after' } };
}

/** Returns the page that the arguments of a documented list ask for. */
export function byToken({
  limit,
  nextToken,
}: {
  readonly limit?: number | null;
  readonly nextToken?: string | null;
}): LinePageInput {
  return { limit, cursor: nextToken, names: { limit: 'limit', cursor: 'nextToken' } };
}

/**
 * Returns a page of the lines of a batch, in their order. Pages of several batches are loaded in one query.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or a cursor that is not ours
 */
export async function readLines<Row extends { readonly position: number }>(
  context: Context,
  codec: CursorCodec,
  load: LineLoader<Row>,
  batchId: string,
  { names, limit, cursor }: LinePageInput,
): Promise<LinePage<Row>> {
  const wanted = pageSizeOf(limit, names.limit);
  const [after = '-1'] = cursor == null ? [] : codec.open(batchId, cursor, names.cursor);
  const found = await loaderOf(context, load).load({ batchId, after: Number(after), first: wanted + 1 });
  const rows = found.slice(0, wanted);
  return {
    rows,
    hasNext: found.length > rows.length,
    cursorOf: ({ position }) => codec.seal(batchId, [String(position)]),
  };
}
