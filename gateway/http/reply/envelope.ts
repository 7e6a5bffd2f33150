import { STATUS_CODES } from 'node:http';
import { errorKinds, type ErrorCode } from '../../../shared/registry.js';
import { ApiError, apiErrorFrom, type ErrorDetail, ruleOf, type RuleValue } from '../../../shared/kernel/errors.js';

export interface Envelope {
  readonly statusCode: number;
  readonly message: string;
  /** The reason phrase of the status. */
  readonly error: string;
  readonly code?: number | string;
  readonly rule?: string;
  readonly values?: readonly RuleValue[];
  /** Every error of an input at once. */
  readonly details?: readonly ErrorDetail[];
  readonly requestId: string;
}

/** Returns an error as the caller reads it, without its cause. @param namesRules whether it names the rules that were broken, as the graph does */
export function envelope(error: ApiError, requestId: string, namesRules = false): Envelope {
  const { statusCode, catalogue, details } = error.extensions;
  const withoutRule = ({ path, message }: ErrorDetail) => ({ path, message });
  return {
    statusCode,
    message: error.message,
    error: STATUS_CODES[statusCode] ?? 'Error',
    ...(catalogue === undefined ? {} : { code: catalogue }),
    ...(namesRules ? ruleOf(error.extensions) : {}),
    ...(details === undefined ? {} : { details: namesRules ? details : details.map(withoutRule) }),
    requestId: error.extensions.requestId ?? requestId,
  };
}

const codesByStatus = new Map<number, ErrorCode>(
  Object.entries(errorKinds)
    .filter(([, kind]) => !('catalogue' in kind))
    .map(([code, kind]) => [kind.status, code as ErrorCode]),
);

/** Returns the general error code for a status; undefined for a status that the program does not send. */
export function codeOfStatus(status: number): ErrorCode | undefined {
  return codesByStatus.get(status);
}

const serverErrors: Readonly<Record<string, () => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ApiError('PAYLOAD_TOO_LARGE'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new ApiError('UNSUPPORTED_MEDIA_TYPE'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => malformed('The body is not valid JSON'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => malformed('The body is not as long as Content-Length says'),
  FST_ERR_BAD_URL: () => malformed('The address is not a valid URL'),
  FST_ERR_MAX_PARAM_LENGTH: () => new ApiError('NOT_FOUND'),
};

export function malformed(message: string): ApiError {
  return new ApiError('BAD_REQUEST', { details: [{ path: '', message }] });
}

/** Returns the error behind anything that a hook, a parser or a handler threw. Only the program's own errors keep their message. */
export function apiErrorOf(thrown: unknown): ApiError {
  if (thrown instanceof ApiError || typeof thrown !== 'object' || thrown === null) return apiErrorFrom(thrown);
  if ('code' in thrown && typeof thrown.code === 'string') {
    const known = serverErrors[thrown.code];
    if (known !== undefined) return known();
  }
  if ('statusCode' in thrown && typeof thrown.statusCode === 'number' && thrown.statusCode < 500) {
    const code = codeOfStatus(thrown.statusCode);
    if (code !== undefined) return new ApiError(code, { cause: thrown });
  }
  return apiErrorFrom(thrown);
}
