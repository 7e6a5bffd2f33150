import { createHmac } from 'node:crypto';
import { keyBytes } from '../subscriptions/secret.js';

/** The signed content: id of the event, time of the attempt in Unix seconds, raw body. */
export interface Message {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

export interface Secrets {
  readonly current: string;
  /** The secret before the last rotation, while it is still valid for signing. */
  readonly previous?: string | undefined;
}

/** Computes `X-Webhook-Signature` (docs/contract/webhooks.md §2.3): HMAC-SHA256 in hexadecimal, with the text of the secret as displayed. */
export function documentedSignature(secret: string, { id, timestamp, body }: Message): string {
  return createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('hex');
}

/** Computes one signature of the Standard Webhooks, with the bytes encoded in the secret's Base64. */
export function standardSignature(secret: string, { id, timestamp, body }: Message): string {
  return `v1,${createHmac('sha256', keyBytes(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/**
 * Returns the signature headers of an attempt. While two secrets sign, `webhook-signature` contains both signatures, the
 * new one first; `X-Webhook-Signature` can contain only one, which uses the previous secret if `byPrevious` is set.
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
