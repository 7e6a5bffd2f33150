import type { Context } from '../../../shared/context.js';

/** How long the routing of a rejected order is stored, as an interval of PostgreSQL. */
export const refusedRoutingsKept = '30 days';

/** Finds the router's decision about an order, or the price components of the quote that it executes; null if it is not stored any more. */
export async function findDecision({ manager }: Context, orderId: string): Promise<unknown> {
  return (
    (await manager.value<unknown>(
      `SELECT coalesce(routing.decision, quote.decision) AS decision
     FROM trading.orders LEFT JOIN trading.routings AS routing ON order_id = orders.id
     LEFT JOIN trading.quotes AS quote ON quote.id = quote_id WHERE orders.id = $1`,
      [orderId],
    )) ?? null
  );
}

/** Deletes a batch of old routings of rejected orders. @returns the number of deleted rows */
export function deleteRefusedRoutings({ manager, clock }: Context, limit: number): Promise<number> {
  return manager.execute(
    `DELETE FROM trading.routings WHERE order_id IN (
       SELECT order_id FROM trading.routings WHERE kept_until <= $1 ORDER BY kept_until LIMIT $2)`,
    [clock.now(), limit],
  );
}
