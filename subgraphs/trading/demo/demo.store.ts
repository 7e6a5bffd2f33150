import type { Context } from '../../../shared/kernel/context.js';
import type { WalletRow } from '../profiles/profile.store.js';

/** Lists the real wallets of a company and of its profiles with the given tax ids, in the order in which they were opened. */
export function listRealWallets(
  { manager }: Context,
  companyId: string,
  taxIds: readonly string[],
): Promise<WalletRow[]> {
  return manager.rows(
    `SELECT w.id, w.company_id AS "companyId", w.profile_id AS "profileId", w.synthetic
     FROM trading.wallets w LEFT JOIN trading.profiles p ON p.id = w.profile_id
     WHERE w.company_id = $1 AND NOT w.synthetic AND (p.id IS NULL OR p.tax_id = ANY ($2)) ORDER BY w.created_at, w.id`,
    [companyId, taxIds],
  );
}

/** Returns those of the given client order ids that a wallet has used. */
export async function findUsedOrderIds(
  { manager }: Context,
  walletId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await manager.rows<{ id: string }>(
    'SELECT client_order_id AS id FROM trading.orders WHERE wallet_id = $1 AND client_order_id = ANY ($2)',
    [walletId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}
