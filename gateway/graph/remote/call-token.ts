import { createHmac } from 'node:crypto';
import { errors, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../../shared/kernel/clock.js';
import type { Context, Idempotency, Principal } from '../../../shared/kernel/context.js';
import { sha256, type KeyRing } from '../../../shared/security/crypto.js';
import { ApiError } from '../../../shared/kernel/errors.js';

export interface Call {
  readonly principal: Principal;
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent?: string;
  readonly idempotency?: Idempotency;
}

export interface CallTokens {
  /** Makes a token for one body sent to one subgraph; valid for 30 seconds, and two minutes more for clocks that differ. */
  sign(subgraph: string, body: string, context: Context): string;
  /** Whether a token says that it is one of these; whether it is, `verify` finds out. */
  isOwn(token: string): boolean;
  /** Verifies a token. @throws {ApiError} UNAUTHORIZED when it is not ours, or is for another subgraph, another body or another time. */
  verify(subgraph: string, body: Uint8Array, token: string): Promise<Call>;
}

const lifetimeSeconds = 30;
/** Maximum clock difference between machines; for as long, an intercepted token can be sent again, but only with its one body. */
const toleranceSeconds = 120;
const purpose = 'subgraph-call';
const algorithm = 'HS256';
/** Maximum number of characters of a `User-Agent` that are passed on. */
const maxUserAgent = 200;

const idempotencyName = { key: z.string(), owner: z.string() };
const claims = z.object({
  body: z.string(),
  requestId: z.string(),
  ip: z.string(),
  userAgent: z.string().exactOptional(),
  principal: z.object({
    // Not SYSTEM: the program itself never calls a remote subgraph.
    kind: z.enum(['ANONYMOUS', 'API_KEY', 'DEVELOPER_KEY', 'SESSION', 'CLIENT', 'TRADER', 'OPERATOR', 'WEBSITE']),
    id: z.string(),
    ownerId: z.string(),
    rateLimit: z.number().exactOptional(),
    scopes: z.array(z.string()),
    name: z.string().exactOptional(),
    keyIssuedBy: z.string().exactOptional(),
    accountId: z.string().exactOptional(),
    browser: z
      .object({
        id: z.string(),
        provedAtMs: z.number(),
        due: z.enum(['SECOND_FACTOR', 'ENROLMENT']).exactOptional(),
      })
      .exactOptional(),
    unread: z.enum(['Authorization', 'X-API-Key']).exactOptional(),
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

/** Signs tokens with a key derived from the master key. Tokens of the previous master key stay valid, since processes are restarted one after another. */
export function createCallTokens(keyRing: KeyRing, clock: Clock): CallTokens {
  const key = keyRing.derive(purpose);
  const header = base64url({ alg: algorithm });
  return {
    sign: (subgraph, body, context) => {
      const { principal, requestId, ip, userAgent, idempotency } = context;
      const said: z.input<typeof claims> = {
        body: digestOf(body),
        requestId,
        ip,
        ...(userAgent === undefined ? {} : { userAgent: userAgent.slice(0, maxUserAgent) }),
        principal: { ...principal, kind: callerKind(principal), scopes: [...principal.scopes] },
        ...(idempotency === undefined ? {} : { idempotency: carried(idempotency) }),
      };
      const now = Math.floor(clock.now().getTime() / 1000);
      const payload = base64url({ ...said, aud: subgraph, iat: now, exp: now + lifetimeSeconds });
      // Without a detour over another thread, which takes longer than such a signature.
      const signature = createHmac('sha256', key).update(`${header}.${payload}`).digest('base64url');
      return `${header}.${payload}.${signature}`;
    },
    isOwn: (token) => token.startsWith(`${header}.`),
    verify: async (subgraph, body, token) => {
      const { payload } = await verifyByEach(keyRing.derivedByEach(purpose), token, {
        algorithms: [algorithm],
        audience: subgraph,
        currentDate: clock.now(),
        clockTolerance: toleranceSeconds,
        // `iat` must be neither too old nor in the future, whatever `exp` says.
        maxTokenAge: lifetimeSeconds,
        requiredClaims: ['exp'],
      }).catch((cause: unknown) => {
        throw new ApiError('UNAUTHORIZED', { cause });
      });
      const said = claims.safeParse(payload);
      if (!said.success || said.data.body !== digestOf(body)) throw new ApiError('UNAUTHORIZED');
      const { principal, requestId, ip, userAgent, idempotency } = said.data;
      return {
        principal,
        requestId,
        ip,
        ...(userAgent === undefined ? {} : { userAgent }),
        ...(idempotency === undefined ? {} : { idempotency: restored(idempotency) }),
      };
    },
  };
}

/** Verifies a token by the first key that made its signature. @throws as jose does when none has, or the token says something else than is required */
async function verifyByEach(
  keys: readonly Buffer[],
  token: string,
  required: JWTVerifyOptions,
): Promise<{ payload: JWTPayload }> {
  const [key, ...others] = keys;
  if (key === undefined) throw new errors.JWSSignatureVerificationFailed();
  return jwtVerify(token, key, required).catch((error: unknown) => {
    if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    return verifyByEach(others, token, required);
  });
}

/** Returns the kind of a caller. @throws for the program itself, which never calls a remote subgraph. */
function callerKind({ kind }: Principal): Exclude<Principal['kind'], 'SYSTEM'> {
  if (kind === 'SYSTEM') throw new Error('A call to a remote subgraph needs a caller other than the program itself');
  return kind;
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
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
