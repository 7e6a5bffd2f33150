import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';

/** Batch function that loads the child rows of several operations, for `loaderOf`. */
export type ByOperation<T> = (context: Context, operationIds: readonly string[]) => Promise<T[][]>;

type Order = Readonly<Record<string, 'ASC' | 'DESC'>>;

/**
 * Creates a batch function over the rows of an entity: one query for any number of operations.
 * @param order by precedence; must end with a property that makes the order total
 * @param where further condition on the alias `row`
 */
export function byOperation<T extends { operationId: string }>(
  Row: new () => T,
  order: Order,
  where?: string,
): ByOperation<T> {
  return async (context, operationIds) => {
    const query = context.manager.createQueryBuilder(Row, 'row').where('row.operationId = ANY (:operationIds)', {
      operationIds,
    });
    if (where !== undefined) query.andWhere(where);
    for (const [column, direction] of Object.entries(order)) query.addOrderBy(`row.${column}`, direction);
    const groups = groupBy(await query.getMany(), ({ operationId }) => operationId);
    return operationIds.map((id) => groups.get(id) ?? []);
  };
}
