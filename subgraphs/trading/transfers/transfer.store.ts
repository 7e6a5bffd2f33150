import type { Context } from '../../../shared/kernel/context.js';

/** Returns the decimals of a client's amounts in a currency. @throws if the currency does not exist */
export async function requireDecimals({ manager }: Context, currency: string): Promise<number> {
  const row = await manager.row<{ decimals: number }>('SELECT decimals FROM trading.currencies WHERE code = $1', [
    currency,
  ]);
  if (row === undefined) throw new Error(`There is no currency ${currency}`);
  return row.decimals;
}

export interface WalletOwner {
  /** The account whose webhooks receive events of its funds: its company's account, or the company's own id if it has none. */
  readonly ownerId: string;
  /** Null for the company's own. */
  readonly profileId: string | null;
}

export async function ownerOf({ manager }: Context, walletId: string): Promise<WalletOwner> {
  const row = await manager.row<WalletOwner>(
    `SELECT coalesce(c.account_id, c.id::text) AS "ownerId", w.profile_id AS "profileId" FROM trading.wallets w
     JOIN trading.companies c ON c.id = w.company_id WHERE w.id = $1`,
    [walletId],
  );
  if (row === undefined) throw new Error('A wallet has no company');
  return row;
}

export async function suspensionOf(
  { manager }: Context,
  walletId: string,
): Promise<{ readonly companySuspended: boolean; readonly profileSuspended: boolean }> {
  const row = await manager.row<{ companySuspended: boolean; profileSuspended: boolean }>(
    `SELECT c.status = 'SUSPENDED' AS "companySuspended", coalesce(p.status = 'SUSPENDED', false) AS "profileSuspended"
     FROM trading.wallets w JOIN trading.companies c ON c.id = w.company_id LEFT JOIN trading.profiles p ON p.id = w.profile_id
     WHERE w.id = $1`,
    [walletId],
  );
  if (row === undefined) throw new Error('A wallet has no company');
  return row;
}
