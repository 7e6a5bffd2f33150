import { randomBytes } from 'node:crypto';
import { noteAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { sameSecret } from '../../../shared/crypto.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import type { AccessTokens } from './access-tokens.js';
import { hashOf, isWellFormed } from './credential-form.js';
import { findCredential, lockCredential, noteUse, type KnownCredential } from './credential.store.js';
import { isAllowedFrom } from './credential.js';
import { issueTokens, type IssuedTokens } from './issue-tokens.js';
import { endExcessFamilies, insertFamily } from './token.store.js';

export interface LoginParts {
  readonly tokens: AccessTokens;
  /** Called once a family has ended, so that this process drops it from its cache. */
  readonly forgetFamily: (id: string) => void;
}

export interface LoginInput {
  readonly apiKey: string;
  readonly secretKey: string;
}

const action = 'tradingLogin' as const;

/**
 * Logs a company in with one of its credentials. Beyond a hundred live logins, the one whose last refresh is the oldest ends.
 * @throws {ApiError} INVALID_CREDENTIALS for a pair that does not exist, was revoked, has expired, or is not allowed from the caller's network;
 * the audit log records which.
 */
export async function login(context: Context, parts: LoginParts, input: LoginInput): Promise<IssuedTokens> {
  const credential = await requireCredential(context, input);
  return inTransaction(context, async (tx) => {
    const { id: credentialId, companyId } = await lockCredential(tx, credential.id);
    const familyId = newId(tx.clock.now().getTime());
    await insertFamily(tx, familyId, credentialId);
    const seed = randomBytes(32).toString('base64');
    const issued = await issueTokens(tx, parts.tokens, { companyId, credentialId, familyId, seed, at: tx.clock.now() });
    await noteUse(tx, credentialId);
    const ended = await endExcessFamilies(tx, credentialId);
    afterCommit(tx, () => {
      ended.forEach(parts.forgetFamily);
      noteAudit(context, { ...noteOf(credential), outcome: 'DONE' });
    });
    return issued;
  });
}

/**
 * Returns the credential that a pair belongs to.
 * @throws {ApiError} INVALID_CREDENTIALS as `login`
 */
export async function requireCredential(context: Context, { apiKey, secretKey }: LoginInput): Promise<KnownCredential> {
  const known =
    isWellFormed('apiKey', apiKey) && isWellFormed('secretKey', secretKey)
      ? await findCredential(context, apiKey)
      : undefined;
  const reason = refusalOf(context, known, secretKey);
  if (known !== undefined && reason === undefined) return known;
  const note = known === undefined ? { action } : noteOf(known);
  noteAudit(context, { ...note, outcome: 'REFUSED', reason: `INVALID_CREDENTIALS: ${reason ?? ''}` });
  throw new ApiError('INVALID_CREDENTIALS');
}

/** Returns why a credential does not log in; undefined when it does. */
function refusalOf({ clock, ip }: Context, known: KnownCredential | undefined, secretKey: string): string | undefined {
  if (known === undefined) return 'there is no such key';
  if (!sameSecret(known.secretHash, hashOf(secretKey))) return 'the secret is wrong';
  if (known.revokedAt !== null) return 'the credential was revoked';
  if (known.expiresAt !== null && known.expiresAt <= clock.now()) return 'the credential has expired';
  return isAllowedFrom(known.allowedNetworks, ip) ? undefined : 'the credential is not allowed from this address';
}

function noteOf({ id, companyId }: KnownCredential) {
  const actor = { kind: 'TRADER', id, ownerId: companyId } as const;
  return { action, actor, subject: { type: 'tradingCredential', id } };
}
