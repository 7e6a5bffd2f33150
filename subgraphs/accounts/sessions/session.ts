import { errors, jwtVerify, SignJWT, type CryptoKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Clock } from '../../../shared/kernel/clock.js';
import { sha256 } from '../../../shared/security/crypto.js';
import { sessionLifetimeMs } from './session-lifetime.js';
import type { SigningKeys } from './signing-keys.js';

const issuer = 'lastro';
const audience = 'lastro/session';
const algorithm = 'EdDSA';

// A session token has some 400 characters; much longer texts are rejected.
const maxTokenLength = 2_048;

export interface SessionClaims {
  /** The session's own id (`jti`). */
  readonly id: string;
  readonly accountId: string;
  readonly expiresAt: Date;
}

export interface Sessions {
  /** Reads the key that signs, where it is not known. Called before a transaction that issues a token, so that it does not wait for a second connection. */
  readonly prepare: () => Promise<void>;
  /** Issues the token of a session: a JWT signed with Ed25519. */
  readonly issue: (session: SessionClaims) => Promise<string>;
  /** Returns the content of a token, or undefined if it is not ours, was altered or has expired. Does not know which sessions ended early. */
  readonly verify: (token: string) => Promise<SessionClaims | undefined>;
}

const claimsForm = z.object({
  jti: z.uuid(),
  sub: z.uuid(),
  iat: z.int(),
  exp: z.int(),
});

/** Tolerated clock difference between two instances. */
const clockToleranceMs = 5 * 60_000;

/** Creates the session tokens over the given signing keys. Verified tokens are cached by their SHA-256, at most 10,000. */
export function createSessions(keys: SigningKeys, clock: Clock): Sessions {
  const verified = new LRUCache<string, SessionClaims>({ max: 10_000 });

  const keyOf = async ({ kid }: { readonly kid?: string }): Promise<CryptoKey> => {
    const key = kid === undefined ? undefined : await keys.publicKey(kid);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  };

  const check = async (token: string): Promise<SessionClaims | undefined> => {
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        algorithms: [algorithm],
        issuer,
        audience,
        typ: 'JWT',
        currentDate: clock.now(),
      });
      const { jti, sub, iat, exp } = claimsForm.parse(payload);
      // Ensures that a leaked signing key cannot make a token that outlives regular sessions.
      const lifetimeMs = (exp - iat) * 1000;
      const isFromFuture = iat * 1000 > clock.now().getTime() + clockToleranceMs;
      if (lifetimeMs > sessionLifetimeMs || isFromFuture) return undefined;
      return { id: jti, accountId: sub, expiresAt: new Date(exp * 1000) };
    } catch (error) {
      if (error instanceof z.ZodError || error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };

  return {
    prepare: async () => {
      await keys.current();
    },
    issue: async ({ id, accountId, expiresAt }) => {
      const { kid, privateKey } = await keys.current();
      // Both times come from the session's row: a clock that was set in between does not prolong the token.
      const expiresSeconds = Math.floor(expiresAt.getTime() / 1000);
      return new SignJWT()
        .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(accountId)
        .setJti(id)
        .setIssuedAt(expiresSeconds - sessionLifetimeMs / 1000)
        .setExpirationTime(expiresSeconds)
        .sign(privateKey);
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
