import { DatabaseAway, isTextRefused, unavailability } from '../database/unavailable.js';
import { cut, shortened } from './echo.js';
import { ruleOf, type Ruled } from './rule-error.js';

/**
 * The closed registry of errors that a caller may see, and the one class that carries them. Interfaces convert an error into their own form (REST
 * envelope, GraphQL extensions, MCP tool error); no other error is returned to callers.
 */
interface ErrorKind {
  /** HTTP status of the response. */
  readonly status: number;
  /** The message when the thrower gives none. */
  readonly message: string;
  /** Seconds after which the request may be repeated, when the thrower gives none. */
  readonly retryAfterSeconds?: number;
  /** The catalogue code, if any (docs/contract/common.md §4.3); the REST envelope shows it as `code`. */
  readonly catalogue?: number | string;
}

export const errorKinds = {
  BAD_REQUEST: { status: 400, message: 'The request is not valid' },
  UNAUTHORIZED: { status: 401, message: 'Credentials are missing, invalid or expired' },
  FORBIDDEN: { status: 403, message: 'The credential does not permit this operation' },
  NOT_FOUND: { status: 404, message: 'The resource does not exist' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'The path does not support this method: the header Allow lists its methods',
  },
  NOT_ACCEPTABLE: { status: 406, message: 'The response is JSON: Accept must allow application/json' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive completely in time: send it again' },
  CONFLICT: { status: 409, message: 'The operation conflicts with the state of the resource' },
  CURSOR_EXPIRED: {
    status: 410,
    message:
      'More than 7 days, or more than 1,000 events, have passed since `since`: read the current state, and subscribe without it',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than this path accepts' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send the body as application/json' },
  EXPECTATION_FAILED: { status: 417, message: 'The only supported expectation is 100-continue' },
  UNPROCESSABLE: { status: 422, message: 'The request is well formed, but its content cannot be accepted' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too Many Requests' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers are larger than this server accepts' },
  INTERNAL: {
    status: 500,
    message: 'The server could not complete the request. Quote the requestId when you report the error',
  },
  UNAVAILABLE: {
    status: 503,
    message: 'The service is not available at the moment. Try again later',
    retryAfterSeconds: 5,
  },
  INVALID_SIGNATURE: { status: 401, message: 'X-Signature is not a valid signature of this request', catalogue: 1001 },
  EXPIRED_TIMESTAMP: {
    status: 401,
    message: 'X-Timestamp is outside the 5-minute window: set the clock of the client, and sign the request again',
    catalogue: 1002,
  },
  PUBLIC_KEY_NOT_REGISTERED: {
    status: 401,
    message:
      'No public key is registered for this client: check its id, or ask the operator of the platform to register a key',
    catalogue: 1003,
  },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    message: 'Prove a second factor first: POST /web/session/step-up',
    catalogue: 'SECOND_FACTOR_REQUIRED',
  },
  ENROLMENT_REQUIRED: {
    status: 403,
    message: 'Add a second factor first: addPasskey or confirmTotp. Until then the session can do nothing else',
    catalogue: 'ENROLMENT_REQUIRED',
  },
  STEP_UP_REQUIRED: {
    status: 403,
    message:
      'This needs a factor that was proved in the last 5 minutes: POST /web/session/step-up, and send the request again',
    catalogue: 'STEP_UP_REQUIRED',
  },
  BATCH_NOT_FOUND: { status: 404, message: 'The credit batch does not exist', catalogue: 2001 },
  BATCH_STATUS: { status: 409, message: 'The status of the batch does not allow this operation', catalogue: 2002 },
  DUPLICATE_CONTRACT: { status: 409, message: 'The contract is already in the credit batch', catalogue: 2003 },
  SETTLEMENT_BATCH_NOT_FOUND: { status: 404, message: 'The settlement batch does not exist', catalogue: 3001 },
  RECEIVABLE_SETTLED: { status: 422, message: 'The receivable was already settled', catalogue: 3002 },
  INVALID_ACCESS_TOKEN: {
    status: 401,
    message: 'The access token is missing, invalid or expired: log in by POST /v1/auth/login',
    catalogue: 'CAAS_AUTH_001',
  },
  INVALID_CREDENTIALS: {
    status: 401,
    message: 'apiKey and secretKey are not a valid pair',
    catalogue: 'CAAS_AUTH_002',
  },
  PROFILE_EXISTS: {
    status: 409,
    message: 'The company already has a profile with this document: fetchProfiles lists it',
    catalogue: 'CAAS_PROF_001',
  },
  INSUFFICIENT_BALANCE: {
    status: 400,
    message: 'The available balance is too low: fetchBalance shows it',
    catalogue: 'CAAS_ORD_001',
  },
  MARKET_NOT_AVAILABLE: { status: 400, message: 'The market is not available', catalogue: 'CAAS_ORD_002' },
  BELOW_MINIMUM: {
    status: 400,
    message:
      'The order is below the minimum of the market (minOrderSize of fetchMarkets) or of its venues: increase it',
    catalogue: 'CAAS_ORD_003',
  },
  QUOTE_EXPIRED: { status: 410, message: 'The quote has expired: ask for a new one', catalogue: 'CAAS_RFQ_001' },
  QUOTE_EXECUTED: {
    status: 409,
    message:
      'The quote was already executed: fetchQuote returns the id of its order. Create a new quote to trade again',
    catalogue: 'CAAS_RFQ_002',
  },
  INVALID_CHANNEL: {
    status: 400,
    message: 'The channel does not exist, or its parameters are wrong',
    catalogue: 'CAAS_WS_001',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

/** Whether a text is a code of the registry. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorKinds, text);
}

/** One error of an input: `path` as in `contracts[17].debtorDocument`, empty for the input as a whole. */
export interface ErrorDetail extends Ruled {
  readonly path: string;
  readonly message: string;
}

export interface ApiErrorOptions extends Ruled {
  readonly message?: string;
  readonly details?: readonly ErrorDetail[];
  readonly retryAfterSeconds?: number;
  /** The request that first got this error, when a stored response repeats it. */
  readonly requestId?: string;
  /** The underlying error: for the log only, never for the caller. */
  readonly cause?: unknown;
}

/** The content of `errors[].extensions` in GraphQL, from which REST renders its envelope. */
export interface ErrorExtensions extends Ruled {
  readonly code: string;
  readonly statusCode: number;
  readonly catalogue?: number | string;
  readonly details?: readonly ErrorDetail[];
  readonly retryAfterSeconds?: number;
  readonly requestId?: string;
  readonly [key: string]: unknown;
}

/**
 * The base class of all errors. Throw it for everything the caller may know; anything else thrown becomes INTERNAL. It repeats at most 100 characters of
 * a caller's own text.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly extensions: ErrorExtensions;

  constructor(
    readonly code: ErrorCode,
    options: ApiErrorOptions = {},
  ) {
    const kind: ErrorKind = errorKinds[code];
    const { retryAfterSeconds = kind.retryAfterSeconds } = options;
    const { stackTraceLimit } = Error;
    // Nobody reads the stack of an error the caller caused, and a caller can cause thousands of them a second.
    if (code !== 'INTERNAL') Error.stackTraceLimit = 0;
    super(
      shortened(options.message ?? kind.message),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    Error.stackTraceLimit = stackTraceLimit;
    this.extensions = {
      code,
      statusCode: kind.status,
      ...(kind.catalogue === undefined ? {} : { catalogue: kind.catalogue }),
      ...ruleOf(options),
      ...(options.details === undefined ? {} : { details: options.details.map(shortDetail) }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(options.requestId === undefined ? {} : { requestId: options.requestId }),
    };
  }

  get status(): number {
    return this.extensions.statusCode;
  }
}

function shortDetail({ path, message, ...rest }: ErrorDetail): ErrorDetail {
  return { path: cut(path), message: shortened(message), ...ruleOf(rest) };
}

/**
 * Converts whatever was thrown into the error that the caller sees: UNAVAILABLE when the database cannot serve at the moment, BAD_REQUEST for a text
 * that it cannot store, INTERNAL for everything unforeseen. The original stays as `cause` for the log.
 */
export function apiErrorFrom(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const away = unavailability(thrown);
  if (away === undefined) {
    if (!isTextRefused(thrown)) return new ApiError('INTERNAL', { cause: thrown });
    return new ApiError('BAD_REQUEST', {
      message: 'A text in the request contains the character NUL (U+0000): remove it',
      cause: thrown,
    });
  }
  const { message, retryAfterSeconds, reason } = away;
  return new ApiError('UNAVAILABLE', { message, retryAfterSeconds, cause: new DatabaseAway(reason, thrown) });
}

/** Returns a value that was looked for. @throws {ApiError} NOT_FOUND with the message when there is none */
export function requireFound<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new ApiError('NOT_FOUND', { message });
  return value;
}

/** How many errors of one input are listed. */
export const maxDetails = 100;

/**
 * Throws one error that lists everything wrong with an input, or the first `maxDetails` errors and their total; does nothing when there are none.
 * @param total how many errors there are, when `details` does not contain all of them
 */
export function refuse(
  code: 'BAD_REQUEST' | 'UNPROCESSABLE' | 'DUPLICATE_CONTRACT' | 'RECEIVABLE_SETTLED',
  details: readonly ErrorDetail[],
  total = details.length,
): void {
  if (total === 0) return;
  if (total <= maxDetails) throw new ApiError(code, { details });
  const message = `${errorKinds[code].message}: it has ${total} errors, of which the first ${maxDetails} are listed`;
  throw new ApiError(code, { message, details: details.slice(0, maxDetails) });
}
