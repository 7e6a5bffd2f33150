import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { byRule } from '../../../shared/rule-error.js';
import { credentialIssues, readScopes, type CredentialInput } from './credential.js';
import { lockCredential, saveCredential, type CredentialRow } from './credential.store.js';

/** An operator's changes to a credential; undefined fields stay as they are. */
export type CredentialChange = { readonly [Name in keyof CredentialInput]?: CredentialInput[Name] | undefined };

/**
 * Changes the permissions of a credential and the networks it may be used from. The change applies everywhere within a second, also to issued tokens.
 * @throws {ApiError} BAD_REQUEST, NOT_FOUND, CONFLICT for a credential that was revoked.
 */
export async function changeCredential(context: Context, id: string, change: CredentialChange): Promise<CredentialRow> {
  return inTransaction(context, async (tx) => {
    const row = await lockCredential(tx, id);
    const { scopes = row.scopes, allowedNetworks = row.allowedNetworks } = change;
    refuse('BAD_REQUEST', credentialIssues({ scopes, allowedNetworks }));
    if (row.revokedAt !== null) throw new ApiError('CONFLICT', byRule('CREDENTIAL_REVOKED'));
    const changed = await saveCredential(tx, { ...row, scopes: readScopes(scopes), allowedNetworks });
    const subject = { type: 'tradingCredential', id: row.id };
    await recordAudit(tx, { action: 'changeTradingCredential', subject, before: row, after: changed });
    return changed;
  });
}
