import { Agent, type Dispatcher } from 'undici';
import type { Clock } from '../../../shared/clock.js';
import { codeOf } from '../../../shared/thrown.js';
import { keptAnswerBytes } from '../deliveries/delivery.js';
import { guardedConnector, Unreachable, type ConnectOptions } from './connect.js';

/** Maximum total duration of an attempt, from connecting to the last byte of the response (docs/contract/webhooks.md §2.4). */
export const deadlineMs = 5_000;

/** Maximum number of bytes read of a response before the connection is closed; the status still counts. */
const maxAnswerBytes = 64 * 1024;

export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Result of a request. Exactly one of `status` and `error` is set. */
export interface SendResult {
  readonly status?: number;
  readonly error?: string;
  /** The first 2 kB of the response, as text that PostgreSQL can store. */
  readonly response?: string;
  readonly retryAfterMs?: number;
  readonly durationMs: number;
}

export interface Sender {
  /** Sends one request, and waits for the complete response. Never rejects. */
  send(outgoing: Outgoing): Promise<SendResult>;
  close(): Promise<void>;
}

export type SenderOptions = Omit<ConnectOptions, 'timeoutMs'> & {
  readonly clock: Clock;
};

/** Creates a sender: it does not follow redirects, and reuses connections. */
export function createSender({ clock, ...options }: SenderOptions): Sender {
  const agent = new Agent({
    connect: guardedConnector({ ...options, timeoutMs: deadlineMs }),
    // Unlimited connections per host: one subscription must not wait for another one there.
    connections: null,
    // Shorter than the timeout of common servers, so that no request uses a connection that is being closed.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    headersTimeout: deadlineMs,
    bodyTimeout: deadlineMs,
    maxHeaderSize: 16 * 1024,
  });
  return {
    send: async (outgoing) => {
      const begun = performance.now();
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), deadlineMs);
      const durationMs = () => Math.round(performance.now() - begun);
      try {
        const { retryAfter, ...received } = await receive(agent, outgoing, deadline.signal);
        const retryAfterMs = readRetryAfter(retryAfter, clock.now());
        return { ...received, ...(retryAfterMs === undefined ? {} : { retryAfterMs }), durationMs: durationMs() };
      } catch (error) {
        return { error: deadline.signal.aborted ? late : wordsFor(error), durationMs: durationMs() };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => agent.destroy(),
  };
}

const late = `No complete response within ${deadlineMs / 1000} seconds`;

async function receive(dispatcher: Dispatcher, outgoing: Outgoing, signal: AbortSignal) {
  const { origin, pathname, search } = new URL(outgoing.url);
  const response = await dispatcher.request({
    origin,
    path: pathname + search,
    method: 'POST',
    headers: outgoing.headers,
    body: outgoing.body,
    signal,
  });
  const kept: Buffer[] = [];
  let read = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    if (read < keptAnswerBytes) kept.push(chunk.subarray(0, keptAnswerBytes - read));
    read += chunk.length;
    // Leaving the loop closes the connection.
    if (read > maxAnswerBytes) break;
  }
  return {
    status: response.statusCode,
    response: Buffer.concat(kept).toString('utf8').replaceAll('\0', '\u{fffd}'),
    retryAfter: response.headers['retry-after'],
  };
}

/** Parses `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3). */
function readRetryAfter(value: string | string[] | undefined, now: Date): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  return Number.isNaN(until) ? undefined : Math.max(0, until - now.getTime());
}

const words: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name has no address',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before the response',
  EPIPE: 'The connection was closed before the response',
  UND_ERR_SOCKET: 'The connection was closed before the response',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ETIMEDOUT: late,
  UND_ERR_CONNECT_TIMEOUT: late,
  UND_ERR_HEADERS_TIMEOUT: late,
  UND_ERR_BODY_TIMEOUT: late,
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the response are too large',
};

/** Describes the reason for a missing response to the owner of the receiver. */
function wordsFor(error: unknown): string {
  if (error instanceof Unreachable) return error.message;
  const code = codeOf(error) ?? '';
  const known = words[code];
  if (known !== undefined) return known;
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code)) return `The TLS certificate was not accepted (${code})`;
  return 'The request failed';
}
