import { pageSizeOf } from '../../../shared/bounds.js';
import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import type { LinePage, LinePageInput } from '../batches/read-lines.js';
import { visibleOriginators } from '../originators/visible-originators.js';
import { countNamed, listNamedReceivables, type ReceivableRow } from './receivable.store.js';

/**
 * Returns a page of the caller's contracts with one name, in any batch, newest first: 20 by default, 100 at most.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or a cursor that is not ours
 */
export async function readReceivablesNamed(
  context: Context,
  codec: CursorCodec,
  externalId: string,
  { names, limit, cursor }: LinePageInput,
): Promise<LinePage<ReceivableRow> & { readonly count: () => Promise<number> }> {
  const wanted = pageSizeOf(limit, names.limit);
  const scope = `named ${externalId}`;
  const [after = null] = cursor == null ? [] : codec.open(scope, cursor, names.cursor);
  const originators = await visibleOriginators(context);
  const found = await listNamedReceivables(context, originators, externalId, { after, limit: wanted + 1 });
  const rows = found.slice(0, wanted);
  return {
    rows,
    hasNext: found.length > rows.length,
    cursorOf: ({ id }) => codec.seal(scope, [id]),
    count: () => countNamed(context, originators, externalId),
  };
}
