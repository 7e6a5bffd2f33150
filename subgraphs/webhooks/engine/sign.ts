import { createHmac } from 'node:crypto';
import { keyBytes } from '../subscriptions/secret.js';

/** What is signed: the id of the event, the moment of the attempt in Unix seconds, the raw body. */
export interface Message {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

export interface Secrets {
  readonly current: string;
  /** The one before the last rotation, for as long as it signs too. */
  readonly previous?: string | undefined;
}

/** `X-Webhook-Signature` (docs/contract/webhooks.md §2.3): HMAC-SHA256 in hexadecimal, by the text of the secret as it was shown. */
export function documentedSignature(secret: string, { id, timestamp, body }: Message): string {
  return createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('hex');
}

/** One signature of the Standard Webhooks: by the bytes that the secret's Base64 stands for. */
export function standardSignature(secret: string, { id, timestamp, body }: Message): string {
  return `v1,${createHmac('sha256', keyBytes(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/**
 * The headers of an attempt. While two secrets sign, `webhook-signature` holds both signatures, the new one first;
 * `X-Webhook-Signature` has room for one, which is by the previous secret where `byPrevious` says so.
 */
export function signatureHeaders(
  { current, previous }: Secrets,
  message: Message,
  byPrevious: boolean,
): Readonly<Record<string, string>> {
  const { id, timestamp } = message;
  const standard = [current, ...(previous === undefined ? [] : [previous])];
  return {
    'x-webhook-id': id,
    'x-webhook-timestamp': String(timestamp),
    'x-webhook-signature': documentedSignature(byPrevious ? (previous ?? current) : current, message),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.map((secret) => standardSignature(secret, message)).join(' '),
  };
}
