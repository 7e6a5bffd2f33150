import { credentialsOf } from './credentials.js';
import { LastroError, LastroNetworkError } from './errors.js';
import type { CallOptions, Operation } from './operation.js';
import type { ClientOptions } from './options.js';
import { PagedCall } from './paged-call.js';
import { readText } from './read-body.js';
import { newKey, prepare, prepareCsv, prepareText, type PreparedRequest } from './request.js';
import { defaultMaxResponseBytes, openSender, type Attempt } from './send.js';
import type { TradingSession } from './trading-session.js';
import { backoff, reasonOf, wait } from './wait.js';

/** What the generated methods call. */
export interface Transport {
  call<Result>(operation: Operation<Result>, input: object, options: CallOptions): Promise<Result>;
  pages<Page, Item>(operation: Operation<Page, Item>, input: object, options: CallOptions): PagedCall<Page, Item>;
  csv(operation: Operation<unknown, unknown>, input: object, options: CallOptions): Promise<Response>;
  text<Result>(
    operation: Operation<Result>,
    input: object,
    file: string | Uint8Array,
    options: CallOptions,
  ): Promise<Result>;
}

/** Statuses after which the same request may succeed. */
const passing = new Set([429, 502, 503, 504]);

/** Statuses of success that have no body. */
const withoutBody = new Set([202, 204]);

export function createTransport(options: ClientOptions, session: TradingSession | undefined): Transport {
  const { profileId, synthetic, retry = {}, maxResponseBytes = defaultMaxResponseBytes } = options;
  const { maxRetries = 4, backoffMs = 250, maxRetryAfterSeconds = 60 } = retry;
  const defaults = { profileId, synthetic };
  const credentials = credentialsOf(options, session);
  const send = openSender(options);

  /** Milliseconds to wait before a further attempt; undefined where the error is final. */
  const pauseAfter = (error: unknown, attempt: number, isSafe: boolean): number | undefined => {
    if (!isSafe || attempt > maxRetries || !(error instanceof LastroError)) return undefined;
    const { status = 0, retryAfter } = error;
    // 409 with Retry-After: the first request under the same idempotency key is still running.
    const mayPass =
      error instanceof LastroNetworkError || passing.has(status) || (status === 409 && retryAfter !== undefined);
    if (!mayPass || (retryAfter ?? 0) > maxRetryAfterSeconds) return undefined;
    return backoff(attempt, backoffMs) + (retryAfter ?? 0) * 1_000;
  };

  async function run<T>(
    operation: Operation<unknown, unknown>,
    request: PreparedRequest,
    { signal, idempotencyKey }: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const key = operation.takesKey ? (idempotencyKey ?? newKey()) : undefined;
    // A write without a key could be done twice.
    const isSafe = operation.method === 'GET' || key !== undefined;
    let mayRenew = session !== undefined && operation.credentials.includes('accessToken');
    for (let attempt = 1; ; attempt += 1) {
      if (signal?.aborted === true) throw reasonOf(signal);
      const credential = await credentials(operation, request);
      const one: Attempt = { operation, request, credential, idempotencyKey: key, attempt, signal };
      try {
        return await send(one, read);
      } catch (error) {
        if (mayRenew && error instanceof LastroError && error.status === 401) {
          // Nothing was done: the token was rejected. One more attempt, with another token.
          mayRenew = false;
          session?.discard((credential['authorization'] ?? '').replace('Bearer ', ''));
          continue;
        }
        const pauseMs = pauseAfter(error, attempt, isSafe);
        if (pauseMs === undefined) throw error;
        await wait(pauseMs, signal);
      }
    }
  }

  const call: Transport['call'] = async (operation, input, own) =>
    run(operation, prepare(operation, input, own, defaults), own, (response) =>
      readResult(operation, response, maxResponseBytes),
    );
  return {
    call,
    pages: (operation, input, own) =>
      new PagedCall(operation, input, (more) =>
        run(operation, prepare(operation, more, own, defaults), own, (response) =>
          readResult(operation, response, maxResponseBytes),
        ),
      ),
    csv: async (operation, input, own) =>
      run(operation, prepareCsv(operation, input, own, defaults), own, (response) => Promise.resolve(response)),
    text: async (operation, input, file, own) =>
      run(operation, prepareText(operation, input, file, own, defaults), own, (response) =>
        readResult(operation, response, maxResponseBytes),
      ),
  };
}

/** The body of a response has the type that the OpenAPI text gives it; that of a status without a body is undefined. */
async function readResult<Result>(
  _operation: Operation<Result, unknown>,
  response: Response,
  maxBytes: number,
): Promise<Result> {
  const { status } = response;
  const text = await readText(response, maxBytes);
  try {
    return (text === '' && withoutBody.has(status) ? undefined : JSON.parse(text)) as Result;
  } catch (cause) {
    throw new LastroError({ message: 'The response is not JSON', status, code: 'INVALID_RESPONSE', cause });
  }
}
