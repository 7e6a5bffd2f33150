import { z } from 'zod';
import { isErrorCode, type ErrorCode } from '../../shared/registry.js';
import { ApiError, apiErrorFrom, type ErrorDetail, ruleOf } from '../../shared/kernel/errors.js';

const ruled = {
  rule: z.string().optional(),
  values: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
};

export const detailForm = z.object({ path: z.string(), message: z.string(), ...ruled });

const errorOfSubgraph = z.object({
  message: z.string(),
  extensions: z.object({
    code: z.custom<ErrorCode>((code) => typeof code === 'string' && isErrorCode(code)),
    ...ruled,
    details: z.array(detailForm).optional(),
    retryAfterSeconds: z.number().optional(),
    requestId: z.string().optional(),
  }),
});

const notCoerced = z.object({
  message: z.string(),
  extensions: z.object({ http: z.object({ status: z.literal(400) }) }),
});

/** Returns the error behind an error of the graph, wherever the graph ran: its `extensions` hold all that a caller may know. */
export function errorOfGraph(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const known = errorOfSubgraph.safeParse(error);
  if (known.success) {
    const { code, details, retryAfterSeconds, requestId } = known.data.extensions;
    return new ApiError(code, {
      message: known.data.message,
      cause: error,
      ...ruleOf(known.data.extensions),
      ...(details === undefined ? {} : { details }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(requestId === undefined ? {} : { requestId }),
    });
  }
  const coercion = notCoerced.safeParse(error);
  if (coercion.success) {
    return new ApiError('BAD_REQUEST', { details: [{ path: '', message: coercion.data.message }], cause: error });
  }
  return apiErrorFrom(error);
}

/** Returns an error with other details, if it has some: with the paths that its caller knows. */
export function withDetails(
  error: ApiError,
  change: (details: readonly ErrorDetail[]) => readonly ErrorDetail[],
): ApiError {
  const { details, retryAfterSeconds, requestId } = error.extensions;
  if (details === undefined) return error;
  return new ApiError(error.code, {
    message: error.message,
    cause: error,
    ...ruleOf(error.extensions),
    details: change(details),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}

/** Returns the most severe of several errors: a caller must not read a refusal where the server failed. */
export function gravest(errors: readonly unknown[]): ApiError {
  const found = errors.map(errorOfGraph).sort((left, right) => right.status - left.status);
  return found[0] ?? new ApiError('INTERNAL');
}
