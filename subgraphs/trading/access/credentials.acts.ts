import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, byRule } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import {
  lockCompany,
  countLiveCredentials,
  insertCredential,
  type CredentialRow,
  lockCredential,
  saveCredential,
} from './access.store.js';
import {
  hashOf,
  mint,
  credentialIssues,
  expiryIssues,
  maxLiveCredentials,
  readScopes,
  type CredentialInput,
} from './credential.js';

/** A credential with its secret, which is shown only this once. */
export interface CreatedCredential extends CredentialRow {
  readonly secretKey: string;
}

export interface NewCredentialInput extends CredentialInput {
  readonly companyId: string;
  readonly expiresAt: Date | null;
}

export interface Pair {
  readonly apiKey: string;
  readonly secretKey: string;
}

/** @throws {ApiError} BAD_REQUEST, NOT_FOUND, CONFLICT when the company has ten live ones */
export async function addCredential(
  context: Context,
  { companyId, expiresAt, ...input }: NewCredentialInput,
  pair: Pair = { apiKey: mint('apiKey'), secretKey: mint('secretKey') },
): Promise<CreatedCredential> {
  refuse('BAD_REQUEST', [...credentialIssues(input), ...expiryIssues(expiresAt, context.clock.now())]);
  return inTransaction(context, async (tx) => {
    const company = await lockCompany(tx, companyId);
    if ((await countLiveCredentials(tx, company.id)) >= maxLiveCredentials)
      throw new ApiError('CONFLICT', byRule('CREDENTIALS_FULL', { max: maxLiveCredentials }));
    const createdAt = tx.clock.now();
    const row = await insertCredential(tx, {
      id: newId(createdAt.getTime()),
      companyId: company.id,
      apiKey: pair.apiKey,
      secretHash: hashOf(pair.secretKey),
      scopes: readScopes(input.scopes),
      allowedNetworks: input.allowedNetworks,
      createdAt,
      expiresAt,
    });
    if (row === undefined) throw new Error('Another credential already has the generated key');
    const subject = { type: 'tradingCredential', id: row.id };
    await recordAudit(tx, { action: 'addTradingCredential', subject, after: row });
    return { ...row, secretKey: pair.secretKey };
  });
}

/** An operator's changes to a credential; undefined fields stay as they are. */
export type CredentialChange = { readonly [Name in keyof CredentialInput]?: CredentialInput[Name] | undefined };

/** The change applies everywhere within a second, also to issued tokens. @throws {ApiError} BAD_REQUEST, NOT_FOUND, CONFLICT for a revoked credential */
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

/** Within a second requests with its tokens are rejected, within ten its sockets close. A repetition changes nothing. @throws {ApiError} NOT_FOUND */
export async function revokeCredential(context: Context, id: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const row = await lockCredential(tx, id);
    const revoked = row.revokedAt === null ? await saveCredential(tx, { ...row, revokedAt: tx.clock.now() }) : row;
    const subject = { type: 'tradingCredential', id: row.id };
    await recordAudit(tx, { action: 'revokeTradingCredential', subject, before: row, after: revoked });
  });
}
