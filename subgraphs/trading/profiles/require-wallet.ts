import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { findWallet, type OwnWallet } from './wallet.store.js';

/** Which wallet of the calling company a call acts on. */
export interface WalletChoice {
  /** A profile of the company; the company itself when it is not given. */
  readonly profileId?: string | null | undefined;
  /** Whether it is the synthetic one; the real one when it is not given. */
  readonly synthetic?: boolean | null | undefined;
}

/**
 * The wallet that a call of a trader acts on.
 * @throws {ApiError} NOT_FOUND for a profile that is none, or is another company's: the two cannot be told apart.
 */
export async function requireWallet(
  context: Context,
  { profileId = null, synthetic }: WalletChoice,
): Promise<OwnWallet> {
  const wallet =
    profileId === null || isUuid(profileId)
      ? await findWallet(context, { companyId: context.principal.ownerId, profileId, synthetic: synthetic === true })
      : undefined;
  if (wallet === undefined) throw new ApiError('NOT_FOUND', { message: 'The company has no such profile' });
  return wallet;
}

/**
 * Refuses an act that opens something new for who is suspended. Cancelling and reading need not ask.
 * @throws {ApiError} FORBIDDEN, which says who is suspended
 */
export function requireActive({
  companyStatus,
  profileStatus,
}: Pick<OwnWallet, 'companyStatus' | 'profileStatus'>): void {
  if (companyStatus === 'SUSPENDED') {
    throw new ApiError('FORBIDDEN', {
      message: 'The company is suspended: it can read and cancel, and open nothing new',
    });
  }
  if (profileStatus === 'SUSPENDED') {
    throw new ApiError('FORBIDDEN', {
      message: 'The profile is suspended: it can read and cancel, and open nothing new',
    });
  }
}
