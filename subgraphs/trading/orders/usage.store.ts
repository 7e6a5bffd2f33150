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

/** What was traded since a moment, by quote currency, of all wallets of a company and of one. */
export interface Volume {
  readonly quote: string;
  readonly value: string;
  readonly ownValue: string;
}

export function readVolume(
  { manager }: Context,
  { companyId, walletId, synthetic }: Pick<OrderRow, 'companyId' | 'walletId' | 'synthetic'>,
  since: Date,
): Promise<Volume[]> {
  return manager.query(
    `SELECT quote, sum(filled_value) AS value, coalesce(sum(filled_value) FILTER (WHERE wallet_id = $2), 0) AS "ownValue"
     FROM trading.orders WHERE company_id = $1 AND synthetic = $3 AND created_at >= $4 GROUP BY quote`,
    [companyId, walletId, synthetic, since],
  );
}
