import { createVerify, type KeyObject } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../shared/clock.js';
import type { Principal } from '../../shared/context.js';
import { Fault } from '../../shared/errors.js';
import { isUuid } from '../../shared/ids.js';

/** A client that signs its requests, with the public keys that are good at the moment: at least one. */
export interface Client {
  readonly id: string;
  /** Requests per minute, where the client has a number of its own. */
  readonly rateLimit?: number;
  readonly keys: readonly ClientKey[];
}

export interface ClientKey {
  readonly id: string;
  /** An RSA public key. */
  readonly key: KeyObject;
}

/** Knows clients by what they send as `X-Client-Id`; undefined for one that may not sign. Throws only when it cannot tell. */
export type FindClient = (id: string) => Promise<Client | undefined>;

/** What the headers of a signed request say, before its body is there. */
export interface Claim {
  readonly client: Client;
  readonly timestamp: string;
  readonly signature: Buffer;
}

/** How far `X-Timestamp` may be from the clock, either way (document 2 §8). */
const windowMs = 300_000;

type Signed = Pick<FastifyRequest, 'headers' | 'method' | 'raw' | 'rawBody'>;

/**
 * Reads and checks whatever can be checked without the body, in this order: the client, the timestamp, the form of the
 * signature.
 * @throws {Fault} PUBLIC_KEY_NOT_REGISTERED, EXPIRED_TIMESTAMP, INVALID_SIGNATURE.
 */
export async function readClaim({ headers }: Signed, findClient: FindClient, clock: Clock): Promise<Claim> {
  const id = clientIdOf(headers);
  const client = await findClient(id);
  if (client === undefined) throw new Fault('PUBLIC_KEY_NOT_REGISTERED');
  const timestamp = headers['x-timestamp'];
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) {
    throw new Fault('EXPIRED_TIMESTAMP', { message: 'X-Timestamp must be the time in whole Unix seconds' });
  }
  if (Math.abs(clock.now().getTime() - Number(timestamp) * 1000) > windowMs) throw new Fault('EXPIRED_TIMESTAMP');
  const signature = headers['x-signature'];
  if (typeof signature !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(signature)) {
    throw new Fault('INVALID_SIGNATURE', { message: 'X-Signature must be a signature in Base64' });
  }
  return { client, timestamp, signature: Buffer.from(signature, 'base64') };
}

function clientIdOf(headers: Signed['headers']): string {
  const given = [headers['x-client-id'], headers['x-api-key']].filter((value) => value !== undefined);
  const ids = new Set(given.map((value) => String(value).toLowerCase()));
  const [id] = ids;
  if (id === undefined) throw new Fault('PUBLIC_KEY_NOT_REGISTERED', { message: 'Send the client id as X-Client-Id' });
  if (ids.size > 1) {
    throw new Fault('PUBLIC_KEY_NOT_REGISTERED', { message: 'X-Client-Id and X-API-Key name different clients' });
  }
  if (!isUuid(id)) throw new Fault('PUBLIC_KEY_NOT_REGISTERED');
  return id;
}

/**
 * Whose request it is: RSA-SHA256 (PKCS #1 v1.5) by any key of the client, over method, target as it stood in the request
 * line, timestamp and the bytes of the body, each of the first three with a line feed after it (document 2 §5).
 * @throws {Fault} INVALID_SIGNATURE.
 */
export function proveClaim({ client, timestamp, signature }: Claim, { method, raw, rawBody }: Signed): Principal {
  const head = `${method}\n${raw.url ?? ''}\n${timestamp}\n`;
  const body = rawBody ?? Buffer.alloc(0);
  const signer = client.keys.find(({ key }) =>
    createVerify('RSA-SHA256').update(head).update(body).verify(key, signature),
  );
  if (signer === undefined) throw new Fault('INVALID_SIGNATURE');
  const { id: ownerId, rateLimit } = client;
  return {
    kind: 'CLIENT',
    id: signer.id,
    ownerId,
    scopes: [],
    ...(rateLimit === undefined ? {} : { rateLimit }),
  };
}
