import { randomBytes } from 'node:crypto';
import { noteAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { sameSecret } from '../../../shared/security/crypto.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import { type AccessTokens, accessTokenSeconds, type AccessClaims } from './access-tokens.js';
import { hashOf, isWellFormed, isAllowedFrom } from './credential.js';
import {
  findCredential,
  lockCredential,
  noteUse,
  type KnownCredential,
  endExcessFamilies,
  insertFamily,
  insertRefreshToken,
  endFamily,
  isOfFamily,
  lockRefreshToken,
  useRefreshToken,
  type RefreshTokenRow,
} from './access.store.js';
import { jwtTypeOf, refreshTokenType } from '../../../shared/security/access-token.js';

interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Life of the access token, in seconds. */
  readonly expiresIn: number;
}

/** Source of a pair of tokens: the same text at the same time makes the same pair. */
interface Pair extends Omit<AccessClaims, 'expiresAt'> {
  readonly seed: string;
  readonly at: Date;
}

async function issueTokens(tx: Context, tokens: AccessTokens, pair: Pair): Promise<IssuedTokens> {
  const issued = await makeTokens(tokens, pair);
  await insertRefreshToken(tx, pair.familyId, hashOf(issued.refreshToken));
  return issued;
}

/** Makes the tokens of a pair, and stores nothing. */
async function makeTokens(tokens: AccessTokens, { seed, at, ...claims }: Pair): Promise<IssuedTokens> {
  return {
    accessToken: await tokens.issue(claims, { jti: tokens.idOf(`access ${seed}`), at }),
    refreshToken: await tokens.issueRefresh(claims, { jti: tokens.idOf(`refresh ${seed}`), at }),
    expiresIn: accessTokenSeconds,
  };
}

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

/** Beyond a hundred live logins the one refreshed longest ago ends. @throws {ApiError} INVALID_CREDENTIALS also outside of the allowed networks; the audit log records why */
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

/** @throws {ApiError} INVALID_CREDENTIALS as `login` */
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

type Outcome = IssuedTokens | 'REFUSED';

/** How long after the use of a refresh token its client may repeat it: another tab, or a request whose response was lost. */
const repeatableMs = 10_000;

/**
 * Exchanges a refresh token for new tokens. It can be used once: a second use ends its family, since one of the two users may be a thief and nobody can know
 * which. Within ten seconds the same client at the same address gets the same tokens again: they follow from the token, the client, its address and the time
 * of the first use, so that they need not be stored.
 * @throws {ApiError} INVALID_ACCESS_TOKEN for a token that does not exist, was used, has expired or ended, or is not allowed from the caller's network.
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

/** A successor token is bound to one client at one address. */
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
