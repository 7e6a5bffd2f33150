import { ArgsType } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { args, flag, nullable } from '../../../shared/graphql/fields.js';
import { findWallet, type OwnWallet } from './profile.store.js';

/** Selects the wallet of the calling company on which a call acts. */
export interface WalletChoice {
  /** A profile of the company; the company itself when omitted. */
  readonly profileId?: string | null | undefined;
  /** Whether to use the synthetic wallet; the real one when omitted. */
  readonly synthetic?: boolean | null | undefined;
}

/** @throws {ApiError} NOT_FOUND for a profile that does not exist or is another company's; the two cases look the same */
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

/** Cancelling and reading do not need this check. @throws {ApiError} FORBIDDEN, which names the suspended party */
export function requireActive({
  companyStatus,
  profileStatus,
}: Pick<OwnWallet, 'companyStatus' | 'profileStatus'>): void {
  if (companyStatus === 'SUSPENDED') throw new ApiError('FORBIDDEN', byRule('COMPANY_SUSPENDED'));
  if (profileStatus === 'SUSPENDED') throw new ApiError('FORBIDDEN', byRule('PROFILE_SUSPENDED'));
}

export const ofMode = {
  synthetic: flag(
    'Whether the request is synthetic, which means simulated with separate funds. Must be true in the sandbox. REST: `X-Synthetic`.',
    { defaultValue: false },
  ),
};

/** Only the `synthetic` argument, for calls without a profile; it must be true in the sandbox. */
@ArgsType()
export class ModeArgs extends args(ofMode) {}

export const ofWallet = {
  ...ofMode,
  profileId: nullable.id(
    "Id of a profile of the company; the company's own wallet when omitted. REST: `X-Profile-Id`.",
  ),
};

@ArgsType()
export class WalletArgs extends args(ofWallet) {}
