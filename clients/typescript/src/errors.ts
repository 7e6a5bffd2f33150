/** Error in one field of an input. */
export interface ErrorDetail {
  /** The field, such as `contracts[17].debtorDocument`; empty for the input as a whole. */
  readonly path: string;
  readonly message: string;
}

interface ErrorParts {
  readonly message: string;
  readonly status?: number | undefined;
  readonly code?: string | number | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** An error of a call: a response that is an error, or (as `LastroNetworkError`) no response. */
export class LastroError extends Error {
  override readonly name: string = 'LastroError';
  /** Status of the response; undefined where there was none. */
  readonly status: number | undefined;
  /** Code of the catalogue, such as `2002` or `CAAS_ORD_001`, where the error has one. */
  readonly code: string | number | undefined;
  /** All errors of the input, by path; empty where the input is not the reason. */
  readonly details: readonly ErrorDetail[];
  /** Id of the request, to be quoted when the error is reported. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next attempt, where the response says so. */
  readonly retryAfter: number | undefined;

  constructor({ message, status, code, details = [], requestId, retryAfter, cause }: ErrorParts) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** There was no complete response: the connection failed or was lost (`NETWORK`), or took too long (`TIMEOUT`). */
export class LastroNetworkError extends LastroError {
  override readonly name = 'LastroNetworkError';

  constructor(code: 'NETWORK' | 'TIMEOUT', message: string, cause?: unknown) {
    super({ message, code, cause });
  }
}

/** Why a webhook was not accepted. */
export type WebhookErrorReason = 'headers' | 'timestamp' | 'signature' | 'body';

/** A request to a webhook that must not be accepted. Respond with 401. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly reason: WebhookErrorReason;

  constructor(reason: WebhookErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Makes the error of a response from the documented envelope; a response of another form, as of a proxy, is an error too. */
export function errorOf(status: number, headers: Headers, text: string): LastroError {
  const envelope = readObject(text);
  const requestId = textOf(envelope['requestId']) ?? headers.get('x-request-id') ?? undefined;
  return new LastroError({
    message: textOf(envelope['message']) ?? `The server responded with status ${status}`,
    status,
    code: codeOf(envelope['code']),
    details: detailsOf(envelope['details']),
    requestId,
    retryAfter: secondsOf(headers.get('retry-after')),
  });
}

/** Makes the error of an error frame of the socket, which has the form of the envelope. */
export function errorOfFrame(frame: Readonly<Record<string, unknown>>): LastroError {
  const { statusCode, message, code, details, requestId } = frame;
  return new LastroError({
    message: textOf(message) ?? 'The server rejected a frame',
    status: typeof statusCode === 'number' ? statusCode : undefined,
    code: codeOf(code),
    details: detailsOf(details),
    requestId: textOf(requestId),
  });
}

/** Parses a JSON object; an empty object for any other text. */
export function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    // A proxy sends text or HTML.
    return {};
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function detailsOf(value: unknown): ErrorDetail[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list
    .filter(isObject)
    .map(({ path, message }) => ({ path: textOf(path) ?? '', message: textOf(message) ?? '' }));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function codeOf(value: unknown): string | number | undefined {
  return typeof value === 'number' ? value : textOf(value);
}

function secondsOf(value: string | null): number | undefined {
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
