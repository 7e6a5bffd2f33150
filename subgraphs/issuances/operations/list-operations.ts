import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { toConnection } from '../../../shared/subgraph/connection.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { OperationQuery } from './operation-list.js';
import type { OperationConnection, OperationListArgs } from './operation-list.type.js';
import { toOperation } from './operation.type.js';
import { pageOperations } from './page-operations.js';

/** A page with its query, which the total is counted from when it is selected. */
export type OperationListing = Shape<OperationConnection> & { readonly query: OperationQuery };

/**
 * Returns a page of the public operations as a connection.
 * @throws {ApiError} BAD_REQUEST for an argument out of bounds or an invalid cursor
 */
export async function readOperations(
  context: Context,
  codec: CursorCodec,
  args: OperationListArgs,
): Promise<OperationListing> {
  const { query, rows, cursors, hasNext } = await pageOperations(context, codec, args, { usual: 20, most: 100 });
  return { query, ...toConnection(rows.map(toOperation), cursors, hasNext) };
}
