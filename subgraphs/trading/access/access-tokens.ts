import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { accessTokenType, refreshTokenType } from '../../../shared/security/access-token.js';
import type { Clock } from '../../../shared/kernel/clock.js';
import { sha256, type KeyRing } from '../../../shared/security/crypto.js';
import { newId } from '../../../shared/kernel/ids.js';

/** Life of an access token, in seconds (docs/contract/trading.md §1.2). */
export const accessTokenSeconds = 3_600;
/** Life of a refresh token, in seconds (§1.3). */
export const refreshTokenSeconds = 7 * 86_400;

const issuer = 'lastro';
/** Differ from the audience of sessions and from each other, so that no token is accepted in place of another. */
const audience = 'lastro/trading';
const refreshAudience = 'lastro/trading/refresh';
const algorithm = 'EdDSA';
const purpose = 'trading/access-token';

// A token has some 500 characters; a far longer text cannot be one.
const maxTokenLength = 2_048;
const clockToleranceMs = 60_000;

export interface AccessClaims {
  readonly companyId: string;
  readonly credentialId: string;
  /** The login that the token comes from. */
  readonly familyId: string;
  readonly expiresAt: Date;
}

/** Makes a token unique. The same claims with the same stamp are the same token: EdDSA is deterministic. */
export interface Stamp {
  readonly jti: string;
  readonly at: Date;
}

/** Signs access and refresh tokens, and verifies the former: JWTs signed with Ed25519 (EdDSA). A refresh token is known by its hash. */
export interface AccessTokens {
  issue(claims: Omit<AccessClaims, 'expiresAt'>, stamp?: Stamp): Promise<string>;
  issueRefresh(claims: Omit<AccessClaims, 'expiresAt'>, stamp: Stamp): Promise<string>;
  /** Returns an id that only this platform can derive from a text. */
  idOf(text: string): string;
  /** Returns the claims of a token; undefined when it is not ours, was altered or has expired. Does not detect an early revocation. */
  verify(token: string): Promise<AccessClaims | undefined>;
}

const claimsForm = z.object({
  sub: z.uuid(),
  client_id: z.uuid(),
  sid: z.uuid(),
  jti: z.uuid(),
  iat: z.int(),
  exp: z.int(),
});

/** The bytes before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410 §7). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Returns a UUID of version 8 (RFC 9562 §5.8) made of 16 bytes. */
function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' });
}

/** The key is derived from the master key, so that none is stored; tokens of the previous one stay valid while the program has it. Verified tokens are cached, at most 10,000. */
export function createAccessTokens(keyRing: KeyRing, clock: Clock): AccessTokens {
  const signingKey = privateKeyOf(keyRing.derive(purpose));
  const publicKeys = new Map<string, KeyObject>();
  const verified = new LRUCache<string, AccessClaims>({ max: 10_000 });

  const keyOf = ({ kid = '' }: { readonly kid?: string }): KeyObject => {
    const known = publicKeys.get(kid);
    if (known !== undefined) return known;
    const seed = keyRing.derivedBy(kid, purpose);
    if (seed === undefined) throw new errors.JWKSNoMatchingKey();
    const key = createPublicKey(privateKeyOf(seed));
    publicKeys.set(kid, key);
    return key;
  };

  const check = async (token: string): Promise<AccessClaims | undefined> => {
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        algorithms: [algorithm],
        issuer,
        audience,
        typ: accessTokenType,
        currentDate: clock.now(),
      });
      const { sub, client_id: credentialId, sid, iat, exp } = claimsForm.parse(payload);
      const isFromFuture = iat * 1000 > clock.now().getTime() + clockToleranceMs;
      if (exp - iat > accessTokenSeconds || isFromFuture) return undefined;
      return { companyId: sub, credentialId, familyId: sid, expiresAt: new Date(exp * 1000) };
    } catch (error) {
      if (error instanceof z.ZodError || error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };

  const sign = (
    { companyId, credentialId, familyId }: Omit<AccessClaims, 'expiresAt'>,
    { jti, at }: Stamp,
    kind: { readonly typ: string; readonly audience: string; readonly seconds: number },
  ) => {
    const issuedAt = Math.floor(at.getTime() / 1000);
    return new SignJWT({ client_id: credentialId, sid: familyId })
      .setProtectedHeader({ alg: algorithm, kid: keyRing.id, typ: kind.typ })
      .setIssuer(issuer)
      .setAudience(kind.audience)
      .setSubject(companyId)
      .setJti(jti)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + kind.seconds)
      .sign(signingKey);
  };

  return {
    issue: (claims, stamp = { jti: newId(clock.now().getTime()), at: clock.now() }) =>
      sign(claims, stamp, { typ: accessTokenType, audience, seconds: accessTokenSeconds }),
    issueRefresh: (claims, stamp) =>
      sign(claims, stamp, { typ: refreshTokenType, audience: refreshAudience, seconds: refreshTokenSeconds }),
    idOf: (text) => uuidOf(keyRing.hmac('trading/token-id', text)),
    verify: async (token) => {
      if (token.length > maxTokenLength) return undefined;
      const digest = sha256(token).toString('base64');
      const known = verified.get(digest);
      const claims = known ?? (await check(token));
      if (claims === undefined || claims.expiresAt <= clock.now()) return undefined;
      if (known === undefined) verified.set(digest, claims);
      return claims;
    },
  };
}
