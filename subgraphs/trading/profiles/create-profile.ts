import { identifyingText } from '../../../shared/identifying-text.js';
import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import { openWallets, type FundWallet } from './open-wallets.js';
import { formIssues, taxIdIssues, type ProfileInput } from './profile.js';
import { insertProfile, type ListedProfile } from './profile.store.js';
import { requireActive, requireWallet } from './require-wallet.js';

/**
 * Opens a profile of the calling company, with its wallets. A company can have one profile per person; two companies may serve the same person.
 * @param synthetic whether the result names the synthetic wallet
 * @throws {ApiError} BAD_REQUEST, UNPROCESSABLE for wrong check digits, FORBIDDEN for a suspended company, PROFILE_EXISTS.
 */
export async function createProfile(
  context: Context,
  fund: FundWallet,
  given: ProfileInput,
  synthetic: boolean,
): Promise<ListedProfile> {
  const input = { ...given, name: identifyingText(given.name), email: identifyingText(given.email) };
  refuse('BAD_REQUEST', formIssues(input));
  refuse('UNPROCESSABLE', taxIdIssues(input));
  return inTransaction(context, async (tx) => {
    requireActive(await requireWallet(tx, {}));
    const companyId = tx.principal.ownerId;
    const id = newId(tx.clock.now().getTime());
    const profile = await insertProfile(tx, { ...input, id, companyId });
    if (profile === undefined) throw new ApiError('PROFILE_EXISTS');
    const wallets = await openWallets(tx, fund, { companyId, profileId: id });
    // The profile holds the person's data: the audit log, which cannot be erased, has only the end of the tax id.
    const after = { companyId, taxId: profile.taxId };
    await recordAudit(tx, { action: 'createProfile', subject: { type: 'tradingProfile', id }, after });
    return { ...profile, walletId: wallets[synthetic ? 'synthetic' : 'real'].id };
  });
}
