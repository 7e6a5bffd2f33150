import type { CredentialHeaders } from './credentials.js';
import { errorOf, LastroError, LastroNetworkError } from './errors.js';
import type { Operation } from './operation.js';
import type { ClientOptions, RequestInfo, ResponseInfo } from './options.js';
import { readText } from './read-body.js';
import type { PreparedRequest } from './request.js';
import { reasonOf } from './wait.js';

export const defaultMaxResponseBytes = 64 * 1024 * 1024;

/** One attempt of a call. */
export interface Attempt {
  readonly operation: Operation<unknown, unknown>;
  readonly request: PreparedRequest;
  readonly credential: CredentialHeaders;
  readonly idempotencyKey: string | undefined;
  readonly attempt: number;
  readonly signal: AbortSignal | undefined;
}

/** Returns a function that sends one attempt and reads its response; every error of it is a `LastroError`, or the reason of the signal, or a `TypeError` for a header that cannot be sent. */
export function openSender(options: ClientOptions) {
  const { timeoutMs = 30_000, maxResponseBytes = defaultMaxResponseBytes, onRequest, onResponse } = options;
  const origin = originOf(options.baseUrl);
  const fetcher = options.fetch ?? ((...parameters: Parameters<typeof fetch>) => fetch(...parameters));

  return async function send<T>(one: Attempt, read: (response: Response) => Promise<T>): Promise<T> {
    const { operation, request, attempt, idempotencyKey, signal } = one;
    const url = origin + request.target;
    const init = initOf(one);
    const info = { operationId: operation.id, method: operation.method, url, attempt, idempotencyKey };
    const begun = performance.now();
    const report = (headers: Headers | undefined, status: number | undefined) => {
      onResponse?.({ ...info, ...headerInfo(headers), status, durationMs: performance.now() - begun });
    };
    onRequest?.(info);
    const timeout = new AbortController();
    const timer = setTimeout(() => {
      timeout.abort(new LastroNetworkError('TIMEOUT', `There was no complete response within ${timeoutMs} ms`));
    }, timeoutMs);
    let response: Response | undefined;
    try {
      response = await fetcher(url, {
        ...init,
        signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
      });
      if (!response.ok) throw errorOf(response.status, response.headers, await readText(response, maxResponseBytes));
      return await read(response);
    } catch (error) {
      throw errorOfAttempt(error, signal, timeout.signal);
    } finally {
      clearTimeout(timer);
      report(response?.headers, response?.status);
    }
  };
}

function initOf({ operation, request, credential, idempotencyKey }: Attempt): RequestInit {
  const headers = {
    ...request.headers,
    ...credential,
    ...(idempotencyKey === undefined ? {} : { 'x-idempotency-key': idempotencyKey }),
  };
  // The error of fetch would quote the value, and be repeated like a lost connection.
  const wrong = Object.entries(headers).find(([, value]) => !/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value));
  if (wrong !== undefined)
    throw new TypeError(`${wrong[0]} must be printable ASCII, without line breaks, and without spaces at its ends`);
  return {
    method: operation.method,
    headers,
    ...(request.body === undefined ? {} : { body: request.body }),
    // A redirect would take the credential to another address, and a cookie is no credential of this interface. The redirect is the response.
    redirect: 'manual',
    credentials: 'omit',
  };
}

function errorOfAttempt(error: unknown, signal: AbortSignal | undefined, timeout: AbortSignal): Error {
  if (signal?.aborted === true) return reasonOf(signal);
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

/** Checks the address: an origin, since the path is part of what is signed. */
export function originOf(baseUrl: string): string {
  const { protocol, origin, pathname, search, hash, username, password } = new URL(baseUrl);
  const rest = [username, password, search, hash, pathname.slice(1)];
  if (!['http:', 'https:'].includes(protocol) || rest.some((part) => part !== '')) {
    throw new TypeError('baseUrl must be an origin such as https://api.example.com, without a path or credentials');
  }
  return origin;
}
