import { credentialsOf, type Credentials, type PlainRequest } from './credentials.js';
import { errorOf, LastroError, LastroNetworkError } from './errors.js';
import { newKey, type TradingSession } from './trading-session.js';
import { backoff, reasonOf, wait } from './wait.js';

/** Data of a request for hooks: no headers and no bodies, which hold secrets. */
export interface RequestInfo {
  readonly method: string;
  readonly url: string;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
  readonly idempotencyKey: string | undefined;
}

/** Data of a response for hooks. */
export interface ResponseInfo extends RequestInfo {
  /** Undefined where there was no response. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** Requests left in the window of the rate limit. */
  readonly rateLimitRemaining: number | undefined;
  /** Query parameters that the server does not know. */
  readonly ignoredParameters: string | undefined;
  /** Whether this is the stored response of an earlier request with the same idempotency key. */
  readonly isReplayed: boolean;
  readonly durationMs: number;
}

export interface RetryOptions {
  /** Further attempts after the first one; 4 when omitted, 0 for none. */
  readonly maxRetries?: number | undefined;
  /** Wait before the first retry, in milliseconds; 250 when omitted. Each further wait is twice as long, 8 seconds at most. */
  readonly backoffMs?: number | undefined;
  /** Longest `Retry-After` that is waited for, in seconds; 60 when omitted. A longer one rejects the call. */
  readonly maxRetryAfterSeconds?: number | undefined;
}

export interface SendOptions extends Credentials {
  /** Profile of the company for which trading calls act; the company itself when omitted. */
  readonly profileId?: string | undefined;
  /** Whether trading calls are simulated; false when omitted. */
  readonly synthetic?: boolean | undefined;
  /** How long one attempt may take, in milliseconds; 30,000 when omitted. */
  readonly timeoutMs?: number | undefined;
  /** Longest body of a response in bytes, decompressed; 64 MiB when omitted. A longer one rejects the call. CSV, which the caller reads, has no limit. */
  readonly maxResponseBytes?: number | undefined;
  readonly retry?: RetryOptions | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  readonly onRequest?: ((request: RequestInfo) => void) | undefined;
  readonly onResponse?: ((response: ResponseInfo) => void) | undefined;
}

interface Attempt extends PlainRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly info: RequestInfo;
}

/** Statuses after which the same request may succeed. */
const passing = new Set([429, 502, 503, 504]);
/** The one path of POST that takes no idempotency key. */
const withoutKey = '/v1/emissoes/mcp';
const ofTrading = /^(\/v1)?\/(account|transfers|wallet|market|analytics|orders)\//;
const ofWallets = /^\/v1\/(transfers|wallet|orders)\//;

/**
 * Returns the `fetch` of the client: it adds credential, idempotency key and the settings of trading, repeats what may be repeated, and
 * returns a response of success, whose body was read unless it is CSV. Every error is a `LastroError`, the reason of the signal, or a
 * `TypeError` for what cannot be sent.
 */
export function openSender(options: SendOptions, session: () => TradingSession | undefined) {
  const { timeoutMs = 30_000, maxResponseBytes = 64 * 1024 * 1024, retry = {}, onRequest, onResponse } = options;
  const { maxRetries = 4, backoffMs = 250, maxRetryAfterSeconds = 60 } = retry;
  const fetcher = options.fetch ?? ((...parameters: Parameters<typeof fetch>) => fetch(...parameters));
  const prove = credentialsOf(options, session);

  const headersOf = ({ method, headers }: Request, { pathname }: URL): Record<string, string> => ({
    ...(ofTrading.test(pathname) && options.synthetic === true ? { 'x-synthetic': 'true' } : {}),
    ...(ofWallets.test(pathname) && options.profileId !== undefined ? { 'x-profile-id': options.profileId } : {}),
    ...(['POST', 'PUT', 'PATCH'].includes(method) && pathname !== withoutKey ? { 'x-idempotency-key': newKey() } : {}),
    ...Object.fromEntries(headers),
  });

  async function send({ method, url, headers, body, signal, info }: Attempt): Promise<Response> {
    const begun = performance.now();
    onRequest?.(info);
    const timeout = new AbortController();
    const timer = setTimeout(() => {
      timeout.abort(new LastroNetworkError('TIMEOUT', `There was no complete response within ${timeoutMs} ms`));
    }, timeoutMs);
    let response: Response | undefined;
    try {
      response = await fetcher(url.href, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        // A redirect would take the credential to another address, and a cookie is no credential of this interface. The redirect is the response.
        redirect: 'manual',
        credentials: 'omit',
        signal: AbortSignal.any([signal, timeout.signal]),
      });
      if (response.ok && headers['accept'] !== 'application/json') return response;
      const text = await readText(response, maxResponseBytes);
      if (!response.ok) throw errorOf(response.status, response.headers, text);
      return new Response(text === '' ? null : text, { status: response.status });
    } catch (error) {
      throw errorOfAttempt(error, signal, timeout.signal);
    } finally {
      clearTimeout(timer);
      const durationMs = performance.now() - begun;
      onResponse?.({ ...info, ...headerInfo(response?.headers), status: response?.status, durationMs });
    }
  }

  /** Milliseconds to wait before a further attempt; undefined where the error is final. */
  const pauseAfter = (error: unknown, attempt: number): number | undefined => {
    if (attempt > maxRetries || !(error instanceof LastroError)) return undefined;
    const { status = 0, retryAfter } = error;
    // 409 with Retry-After: the first request under the same idempotency key is still running.
    const mayPass =
      error instanceof LastroNetworkError || passing.has(status) || (status === 409 && retryAfter !== undefined);
    if (!mayPass || (retryAfter ?? 0) > maxRetryAfterSeconds) return undefined;
    return backoff(attempt, backoffMs) + (retryAfter ?? 0) * 1_000;
  };

  return async (request: Request): Promise<Response> => {
    const { method, signal } = request;
    const url = new URL(request.url);
    const headers = headersOf(request, url);
    const idempotencyKey = headers['x-idempotency-key'];
    const bytes = new Uint8Array(await request.arrayBuffer());
    const plain: PlainRequest = { method, url, body: bytes.length === 0 ? undefined : bytes };
    // A write without a key could be done twice.
    const isSafe = method === 'GET' || idempotencyKey !== undefined;
    let mayRenew = true;
    for (let attempt = 1; ; attempt += 1) {
      if (signal.aborted) throw reasonOf(signal);
      const proof = await prove(plain);
      const all = { ...headers, ...proof.headers };
      requireSendable(all);
      const info = { method, url: url.href, attempt, idempotencyKey };
      try {
        return await send({ ...plain, headers: all, signal, info });
      } catch (error) {
        if (mayRenew && proof.accessToken !== undefined && error instanceof LastroError && error.status === 401) {
          // Nothing was done: the token was rejected. One more attempt, with another token.
          mayRenew = false;
          session()?.discard(proof.accessToken);
          continue;
        }
        const pauseMs = isSafe ? pauseAfter(error, attempt) : undefined;
        if (pauseMs === undefined) throw error;
        await wait(pauseMs, signal);
      }
    }
  };
}

/** Rejects what fetch would reject: fetch's error quotes the value, and the client would retry it like a lost connection. */
function requireSendable(headers: Readonly<Record<string, string>>): void {
  const wrong = Object.entries(headers).find(([, value]) => !/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value));
  if (wrong !== undefined)
    throw new TypeError(`${wrong[0]} must be printable ASCII, without line breaks, and without spaces at its ends`);
}

function errorOfAttempt(error: unknown, signal: AbortSignal, timeout: AbortSignal): Error {
  if (signal.aborted) return reasonOf(signal);
  if (timeout.aborted) return reasonOf(timeout);
  if (error instanceof LastroError) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return new LastroNetworkError('NETWORK', `The request failed${cause}`, error);
}

function headerInfo(headers: Headers | undefined): Omit<ResponseInfo, keyof RequestInfo | 'status' | 'durationMs'> {
  const remaining = headers?.get('x-ratelimit-remaining');
  return {
    requestId: headers?.get('x-request-id') ?? undefined,
    rateLimitRemaining: typeof remaining === 'string' ? Number(remaining) : undefined,
    ignoredParameters: headers?.get('x-ignored-parameters') ?? undefined,
    isReplayed: headers?.get('x-idempotent-replayed') === 'true',
  };
}

/** @throws LastroError `RESPONSE_TOO_LARGE` for a body that is longer, decompressed, than the limit; the connection is closed */
async function readText({ body, status }: Response, maxBytes: number): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let [text, size] = ['', 0];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.length;
      if (size > maxBytes) {
        const message = `The response is longer than ${maxBytes} bytes`;
        throw new LastroError({ message, status, code: 'RESPONSE_TOO_LARGE' });
      }
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    // The stream of a lost connection has failed already.
    await reader.cancel().catch(() => undefined);
  }
}
