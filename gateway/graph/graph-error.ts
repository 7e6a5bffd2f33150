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
    const { message, extensions } = known.data;
    const { code, details, retryAfterSeconds, requestId } = extensions;
    return new ApiError(code, { message, details, retryAfterSeconds, requestId, cause: error, ...ruleOf(extensions) });
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
  const { code, message, extensions } = error;
  const { details, retryAfterSeconds, requestId } = extensions;
  if (details === undefined) return error;
  const same = { message, retryAfterSeconds, requestId, cause: error, ...ruleOf(extensions) };
  return new ApiError(code, { ...same, details: change(details) });
}

/** Returns the most severe of several errors: a caller must not read a refusal where the server failed. */
export function gravest(errors: readonly unknown[]): ApiError {
  const found = errors.map(errorOfGraph).sort((left, right) => right.status - left.status);
  return found[0] ?? new ApiError('INTERNAL');
}
