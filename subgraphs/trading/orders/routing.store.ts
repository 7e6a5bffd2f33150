import type { Context } from '../../../shared/context.js';

/** How long the routing of a rejected order is stored, as an interval of PostgreSQL. */
export const refusedRoutingsKept = '30 days';

/**
 * Lists the router's decisions about an order, one for each round, or the price components of the quote that it executes; none if they are not stored
 * any more.
 */
export function listDecisions({ manager }: Context, orderId: string): Promise<unknown[]> {
  return manager.values(
    `SELECT coalesce(routing.decision, quote.decision) AS decision
     FROM trading.orders LEFT JOIN trading.routings AS routing ON order_id = orders.id
     LEFT JOIN trading.quotes AS quote ON quote.id = quote_id
     WHERE orders.id = $1 AND (routing.decision IS NOT NULL OR quote.decision IS NOT NULL) ORDER BY routing.round`,
    [orderId],
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
