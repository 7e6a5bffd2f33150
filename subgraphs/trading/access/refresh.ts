import { noteAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { jwtTypeOf, refreshTokenType } from '../../../shared/access-token.js';
import { hashOf } from './credential-form.js';
import { noteUse } from './credential.store.js';
import { isAllowedFrom } from './credential.js';
import { issueTokens, makeTokens, type IssuedTokens, type Pair } from './issue-tokens.js';
import type { LoginParts } from './login.js';
import { endFamily, isOfFamily, lockRefreshToken, useRefreshToken, type RefreshTokenRow } from './token.store.js';

/** The result of a refresh. */
type Outcome = IssuedTokens | 'REFUSED';

/** How long after the use of a refresh token its client may repeat it: another tab, or a request whose response was lost. */
const repeatableMs = 10_000;

/**
 * Exchanges a refresh token for new tokens. It can be used once: a second use ends its family, since one of the two users may be a
 * thief and nobody can tell which. Within ten seconds the same client at the same address gets the same tokens again: they follow from the token, the client,
 * its address and the time of the first use, so that they need not be stored.
 * @throws {ApiError} INVALID_ACCESS_TOKEN for a token that does not exist, was used, has expired or ended, or is not allowed from the
 * caller's network.
 */
export async function refresh(context: Context, parts: LoginParts, refreshToken: string): Promise<IssuedTokens> {
  const outcome =
    jwtTypeOf(refreshToken) === refreshTokenType
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
  const pair = { companyId, credentialId, familyId, seed: seedOf(tx, hash), at: row.usedAt ?? tx.clock.now() };
  if (row.usedAt !== null) {
    const repeated = isGood(tx, row) ? await repeatedPair(tx, parts, row, pair) : undefined;
    if (repeated !== undefined) return repeated;
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
  return issueTokens(tx, parts.tokens, pair);
}

/** A successor is that of one client at one address. */
function seedOf({ ip, userAgent = '' }: Context, hash: Buffer): string {
  // Between processes no more of it is passed on.
  return JSON.stringify([hash.toString('base64'), ip, userAgent.slice(0, 200)]);
}

/** Returns the tokens that the first use of a refresh token gave, if it was by the same client a moment ago. */
async function repeatedPair(
  tx: Context,
  { tokens }: LoginParts,
  { familyId, allowedNetworks }: RefreshTokenRow,
  pair: Pair,
): Promise<IssuedTokens | undefined> {
  if (tx.clock.now().getTime() - pair.at.getTime() > repeatableMs) return undefined;
  if (!isAllowedFrom(allowedNetworks, tx.ip)) return undefined;
  const made = await makeTokens(tokens, pair);
  return (await isOfFamily(tx, familyId, hashOf(made.refreshToken))) ? made : undefined;
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
