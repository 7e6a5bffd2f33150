import { createSign, generateKeyPairSync, randomUUID, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto';
import { request as httpRequest } from 'node:http';

/** A new pair. Making one of 2048 bits takes some 100 ms. */
export function newPair(bits = 2048): KeyPairKeyObjectResult {
  return generateKeyPairSync('rsa', { modulusLength: bits });
}

export function pemOf(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

export interface ToSign {
  readonly method: string;
  /** Path and query as they stand in the request line. */
  readonly target: string;
  readonly timestamp: string;
  readonly body?: string | Buffer;
}

/** Signs as docs/contract/credit-assignment.md §1.4 says: RSA-SHA256 over method, path with query, timestamp and body, in Base64. */
export function signatureOf(key: KeyObject, { method, target, timestamp, body = '' }: ToSign): string {
  return createSign('RSA-SHA256').update(`${method}\n${target}\n${timestamp}\n`).update(body).sign(key, 'base64');
}

export interface Signer {
  readonly clientId: string;
  readonly key: KeyObject;
}

export function newSigner(key = newPair().privateKey): Signer {
  return { clientId: randomUUID(), key };
}

export interface SignedInit {
  readonly method?: string;
  readonly body?: string | Buffer;
  readonly timestamp?: number;
  /** Added to what is signed and sent; undefined leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface SignedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

export function signedHeaders(
  { clientId, key }: Signer,
  target: string,
  { method = 'GET', body, timestamp = Math.floor(Date.now() / 1000), headers = {} }: SignedInit = {},
): Record<string, string> {
  const signed = signatureOf(key, {
    method,
    target,
    timestamp: String(timestamp),
    ...(body === undefined ? {} : { body }),
  });
  const all: Record<string, string | undefined> = {
    'x-client-id': clientId,
    'x-timestamp': String(timestamp),
    'x-signature': signed,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
  );
}

/** Sends bytes as they are: `fetch` would put the address into its own form. */
export function sendRaw(
  base: string,
  target: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: string | Buffer | undefined },
): Promise<SignedResponse> {
  const { hostname, port } = new URL(base);
  const bytes = body === undefined ? undefined : Buffer.from(body);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: hostname,
        port,
        method,
        path: target,
        headers: { ...headers, ...(bytes === undefined ? {} : { 'content-length': bytes.length }) },
      },
      (answer) => {
        const chunks: string[] = [];
        answer.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = chunks.join('');
          const isJson = answer.headers['content-type']?.includes('json') === true;
          const body = text === '' || !isJson ? {} : (JSON.parse(text) as Record<string, unknown>);
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
        });
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
  });
}

export function sendSigned(
  base: string,
  signer: Signer,
  target: string,
  init: SignedInit = {},
): Promise<SignedResponse> {
  const { method = 'GET', body } = init;
  return sendRaw(base, target, { method, headers: signedHeaders(signer, target, init), body });
}

const sentSeconds = new Set<string>();

/** The latest second at which this request was not sent yet: the same request of the same second would be a replay. */
export function unsentSecond(request: string): number {
  let second = Math.floor(Date.now() / 1000);
  while (sentSeconds.has(`${second} ${request}`)) second -= 1;
  sentSeconds.add(`${second} ${request}`);
  return second;
}
