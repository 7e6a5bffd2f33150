import type { Context } from '../../../shared/context.js';
import type { OrderRow } from './order.store.js';

/** What a company has open and has traded today, of all its wallets and of one. */
export interface Usage {
  readonly openOrders: number;
  readonly ownOpenOrders: number;
}

export async function readUsage(
  { manager }: Context,
  { companyId, walletId, synthetic }: Pick<OrderRow, 'companyId' | 'walletId' | 'synthetic'>,
): Promise<Usage> {
  const [row]: Usage[] = await manager.query(
    `SELECT count(*)::integer AS "openOrders", count(*) FILTER (WHERE wallet_id = $2)::integer AS "ownOpenOrders"
     FROM trading.orders WHERE company_id = $1 AND synthetic = $3 AND closed_at IS NULL`,
    [companyId, walletId, synthetic],
  );
  return row ?? { openOrders: 0, ownOpenOrders: 0 };
}

/** What counts against a limit of a day, by quote currency, of all wallets of a company and of one. */
export interface Volume {
  readonly quote: string;
  readonly value: string;
  readonly ownValue: string;
}

/**
 * What orders that closed since a moment have traded, and what those that are open now can come to at the worst: so that neither orders
 * whose fills are still to come nor orders that rest pass a limit together.
 */
export function readVolume(
  { manager }: Context,
  { companyId, walletId, synthetic }: Pick<OrderRow, 'companyId' | 'walletId' | 'synthetic'>,
  since: Date,
): Promise<Volume[]> {
  return manager.query(
    `SELECT quote, sum(value) AS value, coalesce(sum(value) FILTER (WHERE wallet_id = $2), 0) AS "ownValue"
     FROM (
       SELECT quote, wallet_id, filled_value AS value FROM trading.orders
       WHERE company_id = $1 AND synthetic = $3 AND closed_at >= $4
       UNION ALL
       SELECT quote, wallet_id, greatest(filled_value, (
         SELECT sum(amount * limit_price) FROM trading.executions WHERE executions.order_id = orders.id))
       FROM trading.orders WHERE company_id = $1 AND synthetic = $3 AND closed_at IS NULL
     ) AS counted GROUP BY quote`,
    [companyId, walletId, synthetic, since],
  );
}
