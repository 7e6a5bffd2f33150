import type { Context } from '../../../shared/kernel/context.js';
import type { OrderRow } from './order.store.js';

export interface Usage {
  readonly openOrders: number;
  readonly ownOpenOrders: number;
}

export async function readUsage(
  { manager }: Context,
  { companyId, walletId, synthetic }: Pick<OrderRow, 'companyId' | 'walletId' | 'synthetic'>,
): Promise<Usage> {
  const row = await manager.row<Usage>(
    `SELECT count(*)::integer AS "openOrders", count(*) FILTER (WHERE wallet_id = $2)::integer AS "ownOpenOrders"
     FROM trading.orders WHERE company_id = $1 AND synthetic = $3 AND closed_at IS NULL`,
    [companyId, walletId, synthetic],
  );
  return row ?? { openOrders: 0, ownOpenOrders: 0 };
}

/** The volume that counts against a daily limit, by quote currency, for all wallets of a company and for one. */
export interface Volume {
  readonly quote: string;
  readonly value: string;
  readonly ownValue: string;
}

/** Adds up closed orders since a day (in Brasília) and the worst case of open ones, so that neither outstanding fills nor resting orders exceed a limit together. */
export function readVolume(
  { manager }: Context,
  { companyId, walletId, synthetic }: Pick<OrderRow, 'companyId' | 'walletId' | 'synthetic'>,
  day: string,
): Promise<Volume[]> {
  return manager.rows(
    `SELECT quote, sum(value) AS value, coalesce(sum(value) FILTER (WHERE wallet_id = $2), 0) AS "ownValue"
     FROM (
       SELECT quote, wallet_id, value FROM trading.daily_volumes
       WHERE company_id = $1 AND synthetic = $3 AND day >= $4::date
       UNION ALL
       SELECT quote, wallet_id, greatest(filled_value, least(quote_amount / (1 + greatest(maker_fee, taker_fee) / 100), (
         SELECT sum(sent.amount * CASE WHEN orders.side = 'BUY' THEN coalesce(worst_price, limit_price) ELSE limit_price END)
         FROM trading.executions AS sent WHERE sent.order_id = orders.id AND round = 1)))
       FROM trading.orders WHERE company_id = $1 AND synthetic = $3 AND closed_at IS NULL
     ) AS counted GROUP BY quote`,
    [companyId, walletId, synthetic, day],
  );
}

export function forgetVolumes({ manager }: Context, before: string, limit: number): Promise<number> {
  return manager.execute(
    `DELETE FROM trading.daily_volumes WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM trading.daily_volumes WHERE day < $1::date LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    [before, limit],
  );
}
