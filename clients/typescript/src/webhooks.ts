import { isObject, readObject, WebhookError } from './errors.js';
import type { components } from './generated/api.js';
import { fromBase64 } from './signing.js';

type Schemas = components['schemas'];

/** An event of a webhook, after its signature was verified. */
export type WebhookEvent = Schemas[Extract<keyof Schemas, `event.${string}`>];

/** The headers of a request: of fetch, or of Node (`request.headers`). */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** How far the timestamp may be from now, in seconds; 300 when omitted. */
  readonly toleranceSeconds?: number | undefined;
  /** The present in Unix seconds; the clock of the machine when omitted. */
  readonly now?: number | undefined;
}

/** A signature form: where its headers are, which key signs, and which signatures the header holds. */
interface Form {
  readonly prefix: string;
  keyOf(secret: string): Uint8Array<ArrayBuffer>;
  signaturesIn(header: string): Uint8Array<ArrayBuffer>[];
}

const encoder = new TextEncoder();
const hmac = { name: 'HMAC', hash: 'SHA-256' };

/** docs/contract/webhooks.md §2.2 and §2.3. */
const forms: readonly Form[] = [
  { prefix: 'x-webhook', keyOf: (secret) => encoder.encode(secret), signaturesIn: (header) => fromHex(header) },
  {
    prefix: 'webhook',
    keyOf: (secret) => fromBase64(secret.slice('whsec_'.length)),
    signaturesIn: (header) =>
      header
        .split(' ')
        .filter((one) => /^v1,[A-Za-z0-9+/]{43}=$/.test(one))
        .map((one) => fromBase64(one.slice('v1,'.length))),
  },
];

/**
 * Verifies a request to a webhook, and returns its event. Signatures are compared in constant time.
 * @param body the body as it was received: parsed and written again it would be another text
 * @param secrets the secret of the webhook, or during a rotation the new and the previous one
 * @throws WebhookError if the request must not be accepted: respond with 401
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() / 1000 }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const known = typeof secrets === 'string' ? [secrets] : secrets;
  if (known.length === 0 || known.some((secret) => !/^whsec_[A-Za-z0-9+/]+=*$/.test(secret))) {
    throw new TypeError('A secret of a webhook begins with whsec_, and at least one is needed');
  }
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const errors: WebhookError[] = [];
  for (const form of forms) {
    const error = await check(
      form,
      bytes,
      headers,
      known,
      (timestamp) => Math.abs(now - timestamp) <= toleranceSeconds,
    );
    if (error === undefined) return readEvent(bytes);
    if (error.reason !== 'headers') errors.push(error);
  }
  throw errors[0] ?? new WebhookError('headers', 'The headers of the signature are not complete');
}

async function check(
  form: Form,
  body: Uint8Array,
  headers: WebhookHeaders,
  secrets: readonly string[],
  isTimely: (timestamp: number) => boolean,
): Promise<WebhookError | undefined> {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `${form.prefix}-${name}`),
  );
  if (id === undefined || timestamp === undefined || signature === undefined) {
    return new WebhookError('headers', 'The headers of the signature are not complete');
  }
  if (!/^\d{1,12}$/.test(timestamp) || !isTimely(Number(timestamp))) {
    return new WebhookError('timestamp', 'The timestamp is malformed, or too far from the present');
  }
  const head = encoder.encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(head.length + body.length);
  message.set(head);
  message.set(body, head.length);
  const given = form.signaturesIn(signature);
  const results = await Promise.all(
    secrets.map(async (secret) => {
      const key = await crypto.subtle.importKey('raw', form.keyOf(secret), hmac, false, ['verify']);
      return Promise.all(given.map((one) => crypto.subtle.verify(hmac.name, key, one, message)));
    }),
  );
  return results.flat().includes(true)
    ? undefined
    : new WebhookError('signature', 'No signature is by a secret of this webhook');
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.join(', ');
}

function fromHex(text: string): Uint8Array<ArrayBuffer>[] {
  const pairs = /^[0-9a-f]{64}$/i.test(text) ? (text.match(/../g) ?? []) : [];
  return pairs.length === 0 ? [] : [Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))];
}

function readEvent(body: Uint8Array): WebhookEvent {
  const value = readObject(new TextDecoder().decode(body));
  if (!isEvent(value)) throw new WebhookError('body', 'The body is not an event');
  return value;
}

/** The data of an event is as documented for its type; the signature shows that the server wrote it. */
function isEvent(value: object): value is WebhookEvent {
  const { type, id, createdAt, data }: Readonly<Record<string, unknown>> = { ...value };
  return [type, id, createdAt].every((one) => typeof one === 'string') && isObject(data);
}
