import type { Context } from '../../../shared/kernel/context.js';
import { groupsOf } from '../../../shared/kernel/group-by.js';

/** Batch function that loads the child rows of several operations, for `loaderOf`. */
export type ByOperation<T> = (context: Context, operationIds: readonly string[]) => Promise<T[][]>;

/** Takes one query for any number of operations. @param query selects the rows of the operations $1 in a total order */
export function byOperation<Row extends { readonly operationId: string }>(query: string): ByOperation<Row> {
  return async ({ manager }, operationIds) => {
    return groupsOf(operationIds, await manager.rows<Row>(query, [operationIds]), ({ operationId }) => operationId);
  };
}
