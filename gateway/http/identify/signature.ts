import { constants, createHash, publicDecrypt, timingSafeEqual, type Hash, type KeyObject } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { errorKinds } from '../../../shared/registry.js';
import type { Clock } from '../../../shared/kernel/clock.js';
import type { Principal } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';

/** A client that signs its requests, with its currently valid public keys: at least one. */
export interface Client {
  readonly id: string;
  /** Requests per minute, where the client has a limit of its own. */
  readonly rateLimit?: number;
  readonly keys: readonly ClientKey[];
}

export interface ClientKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** Finds a client by its `X-Client-Id`; undefined for one that may not sign. Throws only when it cannot find out. */
export type FindClient = (id: string) => Promise<Client | undefined>;

export interface Claim {
  readonly client: Client;
  readonly signature: Buffer;
  /** SHA-256 of the signed text, incomplete at first: the body's bytes are added as they come in. */
  readonly hash: Hash;
}

/** Maximum difference between `X-Timestamp` and the clock, either way (docs/contract/credit-assignment.md §1.3). */
const windowMs = 300_000;

type Signed = Pick<FastifyRequest, 'headers' | 'method' | 'raw'>;

/** Checks client, timestamp, form of the signature, in this order. @throws {ApiError} PUBLIC_KEY_NOT_REGISTERED, EXPIRED_TIMESTAMP, INVALID_SIGNATURE */
export async function readClaim(
  { headers, method, raw }: Signed,
  findClient: FindClient,
  clock: Clock,
): Promise<Claim> {
  const id = clientIdOf(headers);
  const client = await findClient(id);
  if (client === undefined) throw new ApiError('PUBLIC_KEY_NOT_REGISTERED');
  const timestamp = headers['x-timestamp'];
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp))
    throw new ApiError('EXPIRED_TIMESTAMP', { message: 'X-Timestamp must be the time in whole Unix seconds' });
  if (Math.abs(clock.now().getTime() - Number(timestamp) * 1000) > windowMs) throw new ApiError('EXPIRED_TIMESTAMP');
  const signature = signatureIn(headers);
  const hash = createHash('sha256').update(`${method}\n${raw.url ?? ''}\n${timestamp}\n`);
  return { client, signature, hash };
}

/** Decodes a signature. Accepts canonical Base64 only: the signature identifies a request, so it must have exactly one spelling. */
function signatureIn(headers: Signed['headers']): Buffer {
  const text = headers['x-signature'];
  const signature = typeof text === 'string' ? Buffer.from(text, 'base64') : undefined;
  if (signature !== undefined && signature.length > 0 && signature.toString('base64') === text) return signature;
  throw new ApiError('INVALID_SIGNATURE', { message: 'X-Signature must be a signature in Base64, with its padding' });
}

function clientIdOf(headers: Signed['headers']): string {
  const given = [headers['x-client-id'], headers['x-api-key']].filter((value) => value !== undefined);
  const ids = new Set(given.map((value) => String(value).toLowerCase()));
  const [id] = ids;
  if (id === undefined)
    throw new ApiError('PUBLIC_KEY_NOT_REGISTERED', { message: 'Send the client id as X-Client-Id' });
  if (ids.size > 1)
    throw new ApiError('PUBLIC_KEY_NOT_REGISTERED', {
      message: 'X-Client-Id and X-API-Key name different clients: send one of them',
    });
  if (!isUuid(id)) throw new ApiError('PUBLIC_KEY_NOT_REGISTERED');
  return id;
}

/**
 * RSA-SHA256 (PKCS #1 v1.5) by any key of the client over method, target as in the request line, timestamp, each with a line feed, and the body's bytes
 * (docs/contract/credit-assignment.md §1.4). @throws {ApiError} INVALID_SIGNATURE, with the digest that the signature does not match
 */
export function proveClaim({ client, signature, hash }: Claim): Principal {
  const digest = hash.digest();
  const signer = client.keys.find(({ key }) => isSignature(signature, digest, key));
  if (signer === undefined) {
    const message = `${errorKinds.INVALID_SIGNATURE.message}: the text that was verified has the SHA-256 ${digest.toString('hex')}`;
    throw new ApiError('INVALID_SIGNATURE', { message });
  }
  const { id: ownerId, rateLimit } = client;
  return {
    kind: 'CLIENT',
    id: signer.id,
    ownerId,
    scopes: [],
    ...(rateLimit === undefined ? {} : { rateLimit }),
  };
}

/** Prefix of a SHA-256 digest in a signature of PKCS #1 v1.5: the DigestInfo of RFC 8017 §9.2, note 1. */
const digestInfoHead = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** Whether a PKCS #1 v1.5 signature is over a digest. The encoded message is compared whole (RFC 8017 §8.2.2): nothing in it is parsed. */
function isSignature(signature: Buffer, digest: Buffer, key: KeyObject): boolean {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (signature.length !== Math.ceil(bits / 8)) return false;
  try {
    const found = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature);
    const expected = Buffer.concat([digestInfoHead, digest]);
    return found.length === expected.length && timingSafeEqual(found, expected);
  } catch {
    return false;
  }
}
