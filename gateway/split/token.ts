import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { Context, Idempotency, Principal } from '../../shared/context.js';
import { sha256, type KeyRing } from '../../shared/crypto.js';
import { Fault } from '../../shared/errors.js';

/** What a call to a remote subgraph says of the request that it is part of. */
export interface Call {
  readonly principal: Principal;
  readonly requestId: string;
  readonly ip: string;
  readonly idempotency?: Idempotency;
}

/** Signed words between the parts of the house that only they can say. */
export interface CallTokens {
  /** A token for one body sent to one subgraph; good for 30 seconds. */
  sign(subgraph: string, body: string, context: Context): Promise<string>;
  /** @throws {Fault} UNAUTHORIZED when the token is not ours, or is for another subgraph, another body or another time. */
  verify(subgraph: string, body: Uint8Array, token: string): Promise<Call>;
}

const lifetimeSeconds = 30;
/** How far the clocks of two machines may be apart. */
const toleranceSeconds = 5;
const algorithm = 'HS256';

const idempotencyName = { key: z.string(), owner: z.string() };
const claims = z.object({
  body: z.string(),
  requestId: z.string(),
  ip: z.string(),
  principal: z.object({
    kind: z.enum(['ANONYMOUS', 'API_KEY', 'DEVELOPER_KEY', 'SESSION', 'CLIENT', 'OPERATOR']),
    id: z.string(),
    ownerId: z.string(),
    rateLimit: z.number().exactOptional(),
    scopes: z.array(z.string()),
  }),
  idempotency: z
    .object({
      ...idempotencyName,
      also: z.object(idempotencyName).exactOptional(),
      operation: z.string(),
      digest: z.base64(),
    })
    .exactOptional(),
});

/** Tokens by a key that every part derives from the master key they share. */
export function createCallTokens(keyRing: KeyRing): CallTokens {
  const key = keyRing.derive('subgraph-call');
  return {
    sign: (subgraph, body, { principal, requestId, ip, idempotency }) => {
      const said: z.input<typeof claims> = {
        body: digestOf(body),
        requestId,
        ip,
        principal: { ...principal, scopes: [...principal.scopes] },
        ...(idempotency === undefined ? {} : { idempotency: carried(idempotency) }),
      };
      return new SignJWT(said)
        .setProtectedHeader({ alg: algorithm })
        .setAudience(subgraph)
        .setIssuedAt()
        .setExpirationTime(`${lifetimeSeconds}s`)
        .sign(key);
    },
    verify: async (subgraph, body, token) => {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        audience: subgraph,
        clockTolerance: toleranceSeconds,
        requiredClaims: ['exp'],
      }).catch((cause: unknown) => {
        throw new Fault('UNAUTHORIZED', { cause });
      });
      const said = claims.safeParse(payload);
      if (!said.success || said.data.body !== digestOf(body)) throw new Fault('UNAUTHORIZED');
      const { principal, requestId, ip, idempotency } = said.data;
      return { principal, requestId, ip, ...(idempotency === undefined ? {} : { idempotency: restored(idempotency) }) };
    },
  };
}

function digestOf(body: string | Uint8Array): string {
  return sha256(body).toString('base64url');
}

function carried({ key, owner, also, operation, digest }: Idempotency) {
  const bound = { key, owner, operation, digest: digest.toString('base64') };
  return also === undefined ? bound : { ...bound, also };
}

function restored({ digest, ...bound }: ReturnType<typeof carried>): Idempotency {
  return { ...bound, digest: Buffer.from(digest, 'base64'), replayed: false };
}
