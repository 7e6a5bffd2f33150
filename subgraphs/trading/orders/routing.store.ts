import type { Context } from '../../../shared/context.js';

/** For how long it is kept what the router saw of an order that it refused: an interval of PostgreSQL. */
export const refusedRoutingsKept = '30 days';

/**
 * How the router decided about an order, or what the price of the quote that it executes was made of; null where that is not kept any more.
 */
export async function findDecision({ manager }: Context, orderId: string): Promise<unknown> {
  const [row]: { decision: unknown }[] = await manager.query(
    `SELECT coalesce(routing.decision, quote.decision) AS decision
     FROM trading.orders LEFT JOIN trading.routings AS routing ON order_id = orders.id
     LEFT JOIN trading.quotes AS quote ON quote.id = quote_id WHERE orders.id = $1`,
    [orderId],
  );
  return row?.decision ?? null;
}

/** Deletes some of what was kept long enough of refused orders. @returns how many there were */
export async function deleteRefusedRoutings({ manager, clock }: Context, limit: number): Promise<number> {
  const [, count]: [unknown, number] = await manager.query(
    `DELETE FROM trading.routings WHERE order_id IN (
       SELECT order_id FROM trading.routings WHERE kept_until <= $1 ORDER BY kept_until LIMIT $2)`,
    [clock.now(), limit],
  );
  return count;
}
