import type { Context } from '../../../shared/context.js';
import { orderColumns, type OrderRow } from './order.store.js';

/** Marks an open order for an operator; returns false if it was marked before or is over. */
export async function quarantine({ manager, clock }: Context, id: string): Promise<boolean> {
  return manager.changes(
    'UPDATE trading.orders SET quarantined_at = $2 WHERE id = $1 AND closed_at IS NULL AND quarantined_at IS NULL',
    [id, clock.now()],
  );
}

/** Lists orders whose outcome an operator must find out, oldest first. */
export function listQuarantined({ manager }: Context, limit: number): Promise<OrderRow[]> {
  return manager.rows(
    `SELECT ${orderColumns} FROM trading.orders WHERE quarantined_at IS NOT NULL AND closed_at IS NULL
     ORDER BY quarantined_at LIMIT $1`,
    [limit],
  );
}
