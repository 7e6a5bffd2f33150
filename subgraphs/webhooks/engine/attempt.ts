import { createHmac } from 'node:crypto';
import type { Context } from '../../../shared/kernel/context.js';
import type { Span, Tracer } from '../../../shared/kernel/tracing/span.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import { judge } from '../deliveries/delivery.js';
import { sealedSecret, keyBytes } from '../subscriptions/secret.js';
import type { Claimed, Ended } from './claim.store.js';
import { attemptErrors, type Outgoing, type Sender, type SendResult } from './send.js';

export interface AttemptParts {
  readonly keyRing: KeyRing;
  readonly sender: Sender;
  /** Milliseconds between one attempt and the next. */
  readonly retryDelaysMs: readonly number[];
  /** From 0 to 1, for the waits. */
  readonly chance: () => number;
}

/** Signs, sends, and evaluates; writes nothing to the database. If a secret cannot be decrypted, nothing is sent and no attempt counts: the cause is our configuration. */
export async function attempt(
  { clock, log, tracer }: Pick<Context, 'clock' | 'log' | 'tracer'>,
  { keyRing, sender, retryDelaysMs, chance }: AttemptParts,
  claimed: Claimed,
  lease: string,
): Promise<Ended> {
  const { failures, byPrevious } = claimed;
  let request: Outgoing;
  try {
    request = signed(keyRing, claimed);
  } catch (cause) {
    return { claimed, lease, result: undefined, cause };
  }
  const span = beginDelivering(tracer, claimed);
  let result: SendResult;
  try {
    result = await sender.send(span === undefined ? request : withTrace(request, span));
  } catch (error) {
    log.error({ err: error, event: claimed.eventId }, 'A delivery could not be sent');
    result = { error: attemptErrors.UNSENT, durationMs: 0 };
  }
  if (span !== undefined) endDelivering(span, result);
  const standing = { failures, byPrevious, overlap: claimed.previousSecret !== null };
  return { claimed, lease, result, verdict: judge(standing, result, retryDelaysMs, chance()), endedAt: clock.now() };
}

/** @throws {Error} when a secret cannot be decrypted */
function signed(keyRing: KeyRing, { eventId: id, url, body, byPrevious, startedAt, ...sealed }: Claimed): Outgoing {
  // A previous secret that cannot be decrypted was probably rotated for that reason: receivers know the current one.
  const previous =
    sealed.previousSecret === null ? undefined : keyRing.inspect(sealedSecret, sealed.previousSecret).plain;
  const secrets = { current: keyRing.open(sealedSecret, sealed.secret), previous };
  const timestamp = Math.floor(startedAt.getTime() / 1000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Lastro-Webhooks/1',
    ...signatureHeaders(secrets, { id, timestamp, body }, byPrevious),
  };
  return { url, headers, body };
}

/** Begins the span of an attempt, linked to the request that announced the event. The receiver's address is not part of it: paths can hold secrets. */
function beginDelivering(tracer: Tracer | undefined, { eventId, number, traceparent }: Claimed): Span | undefined {
  if (tracer === undefined || traceparent === null) return undefined;
  const attributes = { 'http.request.method': 'POST', 'lastro.event.id': eventId, 'lastro.webhook.attempt': number };
  return tracer.beginAfter('webhook delivery', [traceparent], { kind: 'client', attributes });
}

/** Adds the header by which the receiver continues the trace. It is not signed. */
function withTrace(request: Outgoing, { headers: { traceparent } }: Span): Outgoing {
  return { ...request, headers: { ...request.headers, traceparent } };
}

function endDelivering(span: Span, { status }: SendResult): void {
  if (status !== undefined) span.set({ 'http.response.status_code': status });
  if (status === undefined) span.end('no_response');
  else span.end(status === 200 ? undefined : String(status));
}

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

/** While two secrets sign, `webhook-signature` has both, the new one first; `X-Webhook-Signature` has one, by the previous secret if `byPrevious`. */
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
