import { errors, jwtVerify, SignJWT, type CryptoKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Clock } from '../../../shared/clock.js';
import { sha256 } from '../../../shared/crypto.js';
import { newId } from '../../../shared/ids.js';
import type { SigningKeys } from './signing-keys.js';

/** How long a session lives (document 1 §8). */
export const sessionLifetimeMs = 12 * 3_600_000;

const issuer = 'lastro';
const audience = 'lastro/session';
const algorithm = 'EdDSA';

// A session token has some 400 characters; what is far longer is none.
const maxTokenLength = 2_048;

/** What a session token says. */
export interface SessionClaims {
  /** The session's own id (`jti`). */
  readonly id: string;
  readonly accountId: string;
  /** The session ends early when its account has moved on to another generation. */
  readonly generation: number;
  readonly expiresAt: Date;
}

export interface Sessions {
  /** A session token for an account: a JWT signed with Ed25519. */
  readonly issue: (account: { readonly id: string; readonly sessionGeneration: number }) => Promise<string>;
  /** What a token says, or undefined when it is not ours, was altered or has expired. Does not know of generations. */
  readonly verify: (token: string) => Promise<SessionClaims | undefined>;
}

const claimsForm = z.object({
  jti: z.uuid(),
  sub: z.uuid(),
  gen: z.int().min(0),
  exp: z.int(),
});

/** Sessions over the house's signing keys. Verified tokens are remembered by their SHA-256, at most 10,000. */
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
      const { jti, sub, gen, exp } = claimsForm.parse(payload);
      return { id: jti, accountId: sub, generation: gen, expiresAt: new Date(exp * 1000) };
    } catch (error) {
      if (error instanceof z.ZodError || error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };

  return {
    issue: async (account) => {
      const { kid, privateKey } = await keys.current();
      const now = clock.now().getTime();
      return new SignJWT({ gen: account.sessionGeneration })
        .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(account.id)
        .setJti(newId(now))
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(Math.floor((now + sessionLifetimeMs) / 1000))
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
