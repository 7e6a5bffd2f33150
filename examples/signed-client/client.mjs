// A client of Lastro's signed requests, in plain Node, without dependencies: copy it, or import `createClient`.
//
//   CLIENT_ID=… PRIVATE_KEY=private.pem node examples/signed-client/client.mjs GET /tidc/v1/credit-batches
//   CLIENT_ID=… PRIVATE_KEY=private.pem node examples/signed-client/client.mjs POST /tidc/v1/credit-batches batch.json
//
// LASTRO_URL is http://localhost:4000 when not given.
import { createSign, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const attempts = 5;
/** Answers after which the same request may be sent again: its twin still runs, too many requests, an error of the server. */
const passing = new Set([429, 500, 502, 503, 504]);

/**
 * RSA-SHA256 over method, path with query and timestamp, each with a line feed after it, and the bytes of the body.
 * @param {string} privateKey in PEM
 * @param {{method: string, target: string, timestamp: string, body: string | Buffer}} request
 * @returns {string} Base64, for `X-Signature`
 */
export function sign(privateKey, { method, target, timestamp, body }) {
  return createSign('RSA-SHA256')
    .update(`${method}\n${target}\n${timestamp}\n`)
    .update(body)
    .sign(privateKey, 'base64');
}

/**
 * @param {{baseUrl: string, clientId: string, privateKey: string}} options `privateKey` in PEM
 */
export function createClient({ baseUrl, clientId, privateKey }) {
  /**
   * Sends one request, and retries it without a response or after a transient error. Each attempt is signed anew under the same
   * idempotency key, so that a POST takes effect once.
   * @param {string} method in upper case
   * @param {string} target path and query, percent-encoded
   * @param {unknown} [body] a value to be sent as JSON, or the bytes as a Buffer
   * @param {string} [type] media type of the bytes: `text/csv`, `application/x-ndjson`, `text/plain; profile=cnab444`
   * @returns {Promise<{status: number, replayed: boolean, body: unknown}>} `body` is a Buffer if the response is not JSON
   */
  async function request(method, target, body, type = 'application/json') {
    // Written once: the bytes that are signed are the bytes that are sent.
    const bytes =
      body === undefined ? Buffer.alloc(0) : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const idempotencyKey = randomUUID();
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(method, target, { bytes, type, idempotencyKey }).catch((error) => {
        if (attempt === attempts) throw error;
        return undefined;
      });
      if (answer !== undefined && (!comesAgain(answer) || attempt === attempts)) return answer;
      await delay((answer?.retryAfterSeconds ?? attempt) * 1000);
    }
  }

  async function send(method, target, { bytes, type, idempotencyKey }) {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const headers = {
      'X-Client-Id': clientId,
      'X-Timestamp': timestamp,
      'X-Signature': sign(privateKey, { method, target, timestamp, body: bytes }),
      ...(method === 'GET' ? {} : { 'Content-Type': type, 'X-Idempotency-Key': idempotencyKey }),
    };
    const sent = method === 'GET' ? {} : { body: bytes };
    const response = await fetch(baseUrl + target, { method, headers, ...sent, signal: AbortSignal.timeout(30_000) });
    const received = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const wait = response.headers.get('retry-after');
    return {
      status: response.status,
      replayed: response.headers.get('x-idempotent-replayed') === 'true',
      retryAfterSeconds: wait === null ? undefined : Number(wait),
      body: received.length === 0 ? undefined : isJson ? JSON.parse(received.toString()) : received,
    };
  }

  return { request };
}

/** A conflict passes only where the server says when to come again. */
function comesAgain({ status, retryAfterSeconds }) {
  return passing.has(status) || (status === 409 && retryAfterSeconds !== undefined);
}

async function main([method, target, file]) {
  const { LASTRO_URL: baseUrl = 'http://localhost:4000', CLIENT_ID: clientId, PRIVATE_KEY: keyFile } = process.env;
  if (method === undefined || target === undefined || clientId === undefined || keyFile === undefined) {
    console.error(
      'Usage: CLIENT_ID=… PRIVATE_KEY=private.pem node client.mjs <METHOD> <path and query> [file with the body]',
    );
    return 2;
  }
  const client = createClient({ baseUrl, clientId, privateKey: readFileSync(keyFile, 'utf8') });
  const { status, body } = await client.request(method, target, file === undefined ? undefined : readFileSync(file));
  process.stdout.write(Buffer.isBuffer(body) ? body : `${JSON.stringify(body, null, 2)}\n`);
  if (status < 400) return 0;
  console.error(`HTTP ${status}`);
  return 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = await main(process.argv.slice(2));
