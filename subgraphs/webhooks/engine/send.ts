import * as http from 'node:http';
import * as https from 'node:https';
import type { Clock } from '../../../shared/clock.js';
import { codeOf } from '../../../shared/thrown.js';
import { readAnswer } from './answer-text.js';
import { withoutBrackets } from './address.js';
import { guardedLookup, requireReachable, Unreachable, type ConnectOptions } from './connect.js';

/** Maximum total duration of an attempt, from connecting to the last byte of the response (docs/contract/webhooks.md §2.4). */
export const deadlineMs = 5_000;

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

export type SenderOptions = ConnectOptions & {
  readonly clock: Clock;
};

type Agents = Readonly<
  Record<'http:' | 'https:', { readonly agent: http.Agent; readonly request: typeof http.request }>
>;

/** Creates a sender: it does not follow redirects, and reuses connections. */
export function createSender({ clock, ...options }: SenderOptions): Sender {
  // Connections are not limited per host: one subscription must not wait for another one there. Free ones are closed before common servers do it, so that no
  // request uses a connection that is being closed.
  const kept = { keepAlive: true, timeout: 4_000 };
  const agents: Agents = {
    'http:': { agent: new http.Agent(kept), request: http.request },
    'https:': { agent: new https.Agent(kept), request: https.request },
  };
  return {
    send: async (outgoing) => {
      const begun = performance.now();
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), deadlineMs);
      const durationMs = () => Math.round(performance.now() - begun);
      try {
        const { retryAfter, ...received } = await receive(agents, options, outgoing, deadline.signal);
        const retryAfterMs = readRetryAfter(retryAfter, clock.now());
        return { ...received, ...(retryAfterMs === undefined ? {} : { retryAfterMs }), durationMs: durationMs() };
      } catch (error) {
        return { error: deadline.signal.aborted ? late : wordsFor(error), durationMs: durationMs() };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => {
      for (const { agent } of Object.values(agents)) agent.destroy();
      return Promise.resolve();
    },
  };
}

const late = `No complete response within ${deadlineMs / 1000} seconds`;

async function receive(agents: Agents, options: ConnectOptions, outgoing: Outgoing, signal: AbortSignal) {
  const url = new URL(outgoing.url);
  requireReachable(url, options);
  const response = await begin(agents, options, url, outgoing, signal);
  return {
    status: response.statusCode ?? 0,
    response: await readAnswer(response, response.headers),
    retryAfter: response.headersDistinct['retry-after'] ?? [],
  };
}

/** Sends a request, and resolves with the final response: interim ones (1xx) are passed over. */
function begin(agents: Agents, options: ConnectOptions, url: URL, { headers, body }: Outgoing, signal: AbortSignal) {
  const { agent, request } = agents[url.protocol === 'https:' ? 'https:' : 'http:'];
  return new Promise<http.IncomingMessage>((resolve, reject) => {
    const sent = request({
      agent,
      signal,
      method: 'POST',
      hostname: withoutBrackets(url.hostname),
      ...(url.port === '' ? {} : { port: url.port }),
      path: url.pathname + url.search,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: guardedLookup(options, url.protocol),
      maxHeaderSize: 16 * 1024,
    });
    sent.once('response', resolve);
    // No protocol to switch to was offered.
    sent.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('An upgrade that was not asked for'));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Parses `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3); the longest of several. */
function readRetryAfter(values: readonly string[], now: Date): number | undefined {
  const waits = values.flatMap((value) => {
    const parts = value.split(',').map((part) => part.trim());
    if (parts.every((part) => /^\d+$/.test(part))) return parts.map((part) => Math.min(Number(part), 1e9) * 1000);
    const until = /^[a-z]{3,9},? /i.test(value) ? Date.parse(value) : Number.NaN;
    return Number.isNaN(until) ? [] : [Math.max(0, until - now.getTime())];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

const words: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name has no address',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before the response',
  EPIPE: 'The connection was closed before the response',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ETIMEDOUT: late,
  HPE_HEADER_OVERFLOW: 'The headers of the response are too large',
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
