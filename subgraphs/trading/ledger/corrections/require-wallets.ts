import type { Context } from '../../../../shared/context.js';
import { ApiError } from '../../../../shared/errors.js';
import { isUuid } from '../../../../shared/ids.js';
import { listWallets } from '../../profiles/wallet.store.js';
import type { WalletRef } from '../balance.store.js';

/**
 * Returns the wallets of a company (`profileId` is null) or of one of its profiles: the real one, then the synthetic one.
 * @throws {ApiError} NOT_FOUND
 */
export async function requireWallets(
  context: Context,
  companyId: string,
  profileId: string | null,
): Promise<WalletRef[]> {
  const isForm = isUuid(companyId) && (profileId === null || isUuid(profileId));
  const wallets = isForm ? await listWallets(context, companyId, profileId) : [];
  if (wallets.length > 0) return wallets;
  throw new ApiError('NOT_FOUND', { message: 'There is no such company or profile' });
}
