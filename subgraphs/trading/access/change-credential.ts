import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { credentialIssues, readScopes, type CredentialInput } from './credential.js';
import { lockCredential, saveCredential, type CredentialRow } from './credential.store.js';

/** What an operator changes of a credential: what is undefined stays. */
export type CredentialChange = { readonly [Name in keyof CredentialInput]?: CredentialInput[Name] | undefined };

/**
 * Changes what a credential may do and where it may be used from: everywhere within a second, for the tokens that it has as well.
 * @throws {ApiError} BAD_REQUEST, NOT_FOUND, CONFLICT for one that was revoked.
 */
export async function changeCredential(context: Context, id: string, change: CredentialChange): Promise<CredentialRow> {
  return inTransaction(context, async (tx) => {
    const row = await lockCredential(tx, id);
    const { scopes = row.scopes, allowedNetworks = row.allowedNetworks } = change;
    refuse('BAD_REQUEST', credentialIssues({ scopes, allowedNetworks }));
    if (row.revokedAt !== null)
      throw new ApiError('CONFLICT', { message: 'The credential was revoked: add another one' });
    const changed = await saveCredential(tx, { ...row, scopes: readScopes(scopes), allowedNetworks });
    const subject = { type: 'tradingCredential', id: row.id };
    await recordAudit(tx, { action: 'changeTradingCredential', subject, before: row, after: changed });
    return changed;
  });
}
