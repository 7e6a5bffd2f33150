import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { accessTokenType } from '../../../shared/access-token.js';
import type { Clock } from '../../../shared/clock.js';
import { sha256, type KeyRing } from '../../../shared/crypto.js';
import { newId } from '../../../shared/ids.js';

/** Life of an access token, in seconds (docs/contract/trading.md §1.2). */
export const accessTokenSeconds = 3_600;

const issuer = 'lastro';
/** Differs from the audience of sessions, so that neither token is accepted in place of the other. */
const audience = 'lastro/trading';
const algorithm = 'EdDSA';
const purpose = 'trading/access-token';

// A token has some 500 characters; a far longer text cannot be one.
const maxTokenLength = 2_048;
/** How far apart the clocks of two instances may be. */
const clockToleranceMs = 60_000;

/** The claims of an access token. */
export interface AccessClaims {
  readonly companyId: string;
  readonly credentialId: string;
  /** The login that the token comes from. */
  readonly familyId: string;
  readonly expiresAt: Date;
}

/** Signs and verifies access tokens: JWTs signed with Ed25519 (EdDSA). */
export interface AccessTokens {
  issue(claims: Omit<AccessClaims, 'expiresAt'>): Promise<string>;
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

function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' });
}

/**
 * Creates access tokens with a key derived from the master key, so that every instance has it and none is stored. `kid` names the master
 * key; tokens signed with the previous one stay valid while the program has it. Verified tokens are cached by their SHA-256, at
 * most 10,000.
 */
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

  return {
    issue: ({ companyId, credentialId, familyId }) => {
      const now = clock.now().getTime();
      const issuedAt = Math.floor(now / 1000);
      return new SignJWT({ client_id: credentialId, sid: familyId })
        .setProtectedHeader({ alg: algorithm, kid: keyRing.id, typ: accessTokenType })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(companyId)
        .setJti(newId(now))
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .sign(signingKey);
    },
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
