import type { Context } from '../../../shared/kernel/context.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import type { Span, Tracer } from '../../../shared/kernel/tracing/span.js';
import { judge } from '../deliveries/delivery.js';
import { sealedSecret } from '../subscriptions/secret.js';
import type { Claimed, Ended } from './claim.store.js';
import type { Outgoing, Sender, SendResult } from './send.js';
import { signatureHeaders } from './sign.js';

export interface AttemptParts {
  readonly keyRing: KeyRing;
  readonly sender: Sender;
  /** Milliseconds between one attempt and the next. */
  readonly retryDelaysMs: readonly number[];
  /** From 0 to 1, for the waits. */
  readonly chance: () => number;
}

/**
 * Attempts a claimed delivery: signs, sends, and evaluates the response. If a secret cannot be decrypted, nothing is sent and
 * no attempt counts: the cause is our configuration, such as another master key. Writes nothing to the database.
 */
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
    result = { error: 'The delivery could not be sent', durationMs: 0 };
  }
  if (span !== undefined) endDelivering(span, result);
  const standing = { failures, byPrevious, overlap: claimed.previousSecret !== null };
  return { claimed, lease, result, verdict: judge(standing, result, retryDelaysMs, chance()), endedAt: clock.now() };
}

/**
 * Builds the request of an attempt.
 * @throws {Error} when a secret cannot be decrypted
 */
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
