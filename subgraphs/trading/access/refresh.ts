import { noteAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { hashOf, isWellFormed } from './credential-form.js';
import { noteUse } from './credential.store.js';
import { isAllowedFrom } from './credential.js';
import { issueTokens, type IssuedTokens } from './issue-tokens.js';
import type { LoginParts } from './login.js';
import { endFamily, lockRefreshToken, useRefreshToken, type RefreshTokenRow } from './token.store.js';

/** The result of a refresh. */
type Outcome = IssuedTokens | 'REFUSED';

/**
 * Exchanges a refresh token for new tokens. It can be used once: a second use ends its family, since one of the two users may be a
 * thief and nobody can tell which. Of several concurrent uses exactly one receives tokens, and the others end the family. A request that is
 * repeated because its response was lost carries its idempotency key, and then receives that response.
 * @throws {ApiError} INVALID_ACCESS_TOKEN for a token that does not exist, was used, has expired or ended, or is not allowed from the
 * caller's network.
 */
export async function refresh(context: Context, parts: LoginParts, refreshToken: string): Promise<IssuedTokens> {
  const outcome = isWellFormed('refreshToken', refreshToken)
    ? await inTransaction(context, (tx) => take(tx, parts, hashOf(refreshToken)))
    : 'REFUSED';
  // Thrown after the commit: the rejection must not undo the end of the family.
  if (outcome !== 'REFUSED') return outcome;
  throw new ApiError('INVALID_ACCESS_TOKEN', {
    message: 'The refresh token is unknown, used or expired: log in by POST /v1/auth/login',
  });
}

async function take(tx: Context, parts: LoginParts, hash: Buffer): Promise<Outcome> {
  const row = await lockRefreshToken(tx, hash);
  if (row === undefined) return 'REFUSED';
  const { familyId, credentialId, companyId } = row;
  if (row.usedAt !== null) {
    await endFamily(tx, familyId);
    afterCommit(tx, () => parts.forgetFamily(familyId));
    noteRefusal(tx, row, 'the refresh token was already used: its login has ended');
    return 'REFUSED';
  }
  if (!isGood(tx, row)) return 'REFUSED';
  if (!isAllowedFrom(row.allowedNetworks, tx.ip)) {
    noteRefusal(tx, row, 'the credential is not allowed from this address');
    return 'REFUSED';
  }
  await useRefreshToken(tx, hash);
  await noteUse(tx, credentialId);
  return issueTokens(tx, parts.tokens, { companyId, credentialId, familyId });
}

function isGood({ clock }: Context, { expiresAt, endedAt, revokedAt, credentialExpiresAt }: RefreshTokenRow): boolean {
  const now = clock.now();
  return (
    expiresAt > now &&
    endedAt === null &&
    revokedAt === null &&
    !(credentialExpiresAt !== null && credentialExpiresAt <= now)
  );
}

function noteRefusal(tx: Context, { credentialId, companyId }: RefreshTokenRow, reason: string): void {
  noteAudit(tx, {
    action: 'refreshTradingTokens',
    actor: { kind: 'TRADER', id: credentialId, ownerId: companyId },
    subject: { type: 'tradingCredential', id: credentialId },
    outcome: 'REFUSED',
    reason: `INVALID_ACCESS_TOKEN: ${reason}`,
  });
}
