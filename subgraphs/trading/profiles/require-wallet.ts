import type { Context } from '../../../shared/context.js';
import { Fault } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';

export interface WalletRow {
  readonly id: string;
  readonly companyId: string;
  readonly profileId: string | null;
  readonly synthetic: boolean;
}

/**
 * Finds the wallet that a call of a company acts on: its own, or that of a profile of it.
 * @throws {Fault} NOT_FOUND for a profile that is not the company's
 */
export async function requireWallet(
  { manager, principal }: Context,
  { profileId = null, synthetic }: { readonly profileId?: string | null; readonly synthetic?: boolean | null },
): Promise<WalletRow> {
  const rows: WalletRow[] =
    profileId !== null && !isUuid(profileId)
      ? []
      : await manager.query(
          `SELECT id, company_id AS "companyId", profile_id AS "profileId", synthetic FROM trading.wallets
           WHERE company_id = $1 AND profile_id IS NOT DISTINCT FROM $2::uuid AND synthetic = $3`,
          [principal.ownerId, profileId, synthetic ?? false],
        );
  const [wallet] = rows;
  if (wallet === undefined) throw new Fault('NOT_FOUND', { message: 'The profile does not exist' });
  return wallet;
}
