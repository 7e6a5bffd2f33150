import { z } from 'zod';
import { ApiError, apiErrorFrom, errorKinds, type ErrorCode } from '../shared/errors.js';

const told = z.object({
  message: z.string(),
  extensions: z.object({
    code: z.enum(Object.keys(errorKinds) as [ErrorCode, ...ErrorCode[]]),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    retryAfterSeconds: z.number().optional(),
    requestId: z.string().optional(),
  }),
});

/** What SOFA says of a value that it cannot give the type of its argument. */
const notCoerced = z.object({
  message: z.string(),
  extensions: z.object({ http: z.object({ status: z.literal(400) }) }),
});

/** The error behind an error of the graph, wherever the graph ran: its `extensions` say all that a caller may know. */
export function errorOfGraph(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const known = told.safeParse(error);
  if (known.success) {
    const { code, details, retryAfterSeconds, requestId } = known.data.extensions;
    return new ApiError(code, {
      message: known.data.message,
      cause: error,
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

/**
 * An error with its paths as callers of a REST path know them: an argument that comes in a header by the name of that.
 * @param headers names of headers, by argument
 */
export function inHeaders(fault: ApiError, headers: ReadonlyMap<string, string>): ApiError {
  const { details, retryAfterSeconds, requestId } = fault.extensions;
  if (details?.some(({ path }) => headers.has(path)) !== true) return fault;
  return new ApiError(fault.code, {
    message: fault.message,
    details: details.map(({ path, message }) => ({ path: headers.get(path) ?? path, message })),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}

/** Of several errors the gravest speaks: a caller must not read a refusal where the house failed. */
export function gravest(errors: readonly unknown[]): ApiError {
  const faults = errors.map(errorOfGraph).sort((left, right) => right.status - left.status);
  return faults[0] ?? new ApiError('INTERNAL');
}
