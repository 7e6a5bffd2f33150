import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, isIPv4, type LookupFunction } from 'node:net';
import type { Readable, Transform } from 'node:stream';
import { MIMEType } from 'node:util';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Clock } from '../../../shared/kernel/clock.js';
import { fromWindows1252 } from '../../../shared/kernel/format/windows-1252.js';
import { codeOf, errorOf } from '../../../shared/kernel/thrown.js';
import { keptAnswerBytes } from '../deliveries/delivery.js';
import { withoutBrackets, mayReach, type Reach, type Resolve } from './address.js';

/** Maximum total duration of an attempt, from connecting to the last byte of the response (docs/contract/webhooks.md §2.4). */
export const deadlineMs = 5_000;

/** Why an attempt has no response, as its owner reads it. Texts for other languages go by these. */
export const attemptErrors = {
  NO_ADDRESS: 'The host name has no address',
  NOT_PUBLIC: 'The address is not one of the public internet',
  REFUSED: 'The connection was refused',
  CLOSED: 'The connection was closed before the response',
  UNREACHABLE: 'The host cannot be reached',
  LATE: `No complete response within ${deadlineMs / 1000} seconds`,
  HEADERS: 'The headers of the response are too large',
  CERTIFICATE: 'The TLS certificate was not accepted',
  FAILED: 'The request failed',
  UNSENT: 'The delivery could not be sent',
} as const;

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
        return { error: deadline.signal.aborted ? attemptErrors.LATE : wordsFor(error), durationMs: durationMs() };
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
  ENOTFOUND: attemptErrors.NO_ADDRESS,
  ECONNREFUSED: attemptErrors.REFUSED,
  ECONNRESET: attemptErrors.CLOSED,
  EPIPE: attemptErrors.CLOSED,
  EHOSTUNREACH: attemptErrors.UNREACHABLE,
  ENETUNREACH: attemptErrors.UNREACHABLE,
  ETIMEDOUT: attemptErrors.LATE,
  HPE_HEADER_OVERFLOW: attemptErrors.HEADERS,
};

function wordsFor(error: unknown): string {
  if (error instanceof Unreachable) return error.message;
  const code = codeOf(error) ?? '';
  const known = words[code];
  if (known !== undefined) return known;
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code)) return `${attemptErrors.CERTIFICATE} (${code})`;
  return attemptErrors.FAILED;
}

/** Maximum number of bytes read of a response before the connection is closed; the status still counts. */
const maxAnswerBytes = 64 * 1024;
const mostCodings = 3;

const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

interface AnswerHeaders {
  readonly 'content-type'?: string | undefined;
  readonly 'content-encoding'?: string | undefined;
}

/** Reads 64 kB at most; returns its first 2 kB as text that PostgreSQL can store, decompressed and decoded. An unknown coding or charset is named in front. */
async function readAnswer(body: Readable, headers: AnswerHeaders): Promise<string> {
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const most = coding === 'identity' ? keptAnswerBytes : maxAnswerBytes;
  const kept: Buffer[] = [];
  let read = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (read < most) kept.push(chunk.subarray(0, most - read));
    read += chunk.length;
    // Leaving the loop closes the connection.
    if (read > maxAnswerBytes) break;
  }
  const bytes = Buffer.concat(kept);
  if (coding === 'identity' || bytes.length === 0) return textOf(bytes, headers);
  let text: Buffer | undefined = bytes;
  const codings = coding.split(/ *, */);
  // The last one was applied last. Nobody needs more than a few, and each costs.
  for (const name of codings.reverse()) {
    const isKnown = codings.length <= mostCodings && Object.hasOwn(decompressors, name);
    const decompressor = isKnown ? decompressors[name]?.() : undefined;
    if (decompressor === undefined) return shortened(`[Content-Encoding ${coding} is not known]`);
    text = await decompressed(text, decompressor);
    if (text === undefined) return `[The body is not ${coding}]`;
  }
  return textOf(text, headers);
}

/** Decompresses only the part that is kept, however large the whole would be; undefined if nothing can be read. */
async function decompressed(packed: Buffer, decompressor: Transform): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  decompressor.end(packed);
  try {
    for await (const piece of decompressor as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length >= keptAnswerBytes) break;
    }
  } catch {
    if (length === 0) return undefined;
  }
  return Buffer.concat(pieces).subarray(0, keptAnswerBytes);
}

function textOf(bytes: Buffer, { 'content-type': type }: AnswerHeaders): string {
  const charset = charsetOf(type);
  try {
    const decoder = new TextDecoder(charset);
    // Node reads the bytes from 0x80 to 0x9F of this charset as control characters.
    return shortened(
      decoder.encoding === 'windows-1252' ? fromWindows1252(bytes.toString('latin1')) : decoder.decode(bytes),
    );
  } catch {
    return shortened(`[charset ${charset} is not known] ${bytes.toString('utf8')}`);
  }
}

function charsetOf(type = ''): string {
  try {
    return new MIMEType(type).params.get('charset') ?? 'utf-8';
  } catch {
    return 'utf-8';
  }
}

/** Returns the text without characters that PostgreSQL cannot store, cut where another charset makes it longer. */
function shortened(text: string): string {
  const stored = text.replaceAll('\0', '\u{fffd}');
  return Buffer.byteLength(stored) <= 2 * keptAnswerBytes ? stored : stored.slice(0, keptAnswerBytes / 2);
}

class Unreachable extends Error {
  readonly code = 'UNREACHABLE';
}

interface ConnectOptions extends Reach {
  readonly resolve: Resolve;
}

/** Rejects an IP address that is not allowed: it is connected to without a look-up. @throws {Unreachable} */
function requireReachable({ hostname, protocol }: URL, reach: Reach): void {
  const host = withoutBrackets(hostname);
  if (isIP(host) !== 0 && !mayReach(host, protocol, reach)) throw new Unreachable(attemptErrors.NOT_PUBLIC);
}

/** Checks what it resolves when a connection is made: to exactly the checked address, even if DNS changes a moment later. Rejects a name if any of its addresses is not allowed. */
function guardedLookup({ resolve, ...reach }: ConnectOptions, protocol: string): LookupFunction {
  return (hostname, options, callback) => {
    const result = async () => {
      const addresses = await resolve(hostname);
      if (!addresses.every((address) => mayReach(address, protocol, reach)))
        throw new Unreachable(attemptErrors.NOT_PUBLIC);
      return addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
    };
    result().then(
      (found) => {
        const [first] = found;
        if (options.all === true) callback(null, found);
        else callback(null, first?.address ?? '', first?.family ?? 0);
      },
      (error: unknown) => callback(errorOf(error), '', 0),
    );
  };
}
