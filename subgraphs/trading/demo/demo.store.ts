import type { Context } from '../../../shared/context.js';
import type { WalletRow } from '../profiles/wallet.store.js';

/** Lists the real wallets of a company and of its profiles, in the order in which they were opened. */
export function listRealWallets({ manager }: Context, companyId: string): Promise<WalletRow[]> {
  return manager.rows(
    `SELECT id, company_id AS "companyId", profile_id AS "profileId", synthetic FROM trading.wallets
     WHERE company_id = $1 AND NOT synthetic ORDER BY created_at, id`,
    [companyId],
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
