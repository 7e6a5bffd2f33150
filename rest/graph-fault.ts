import { z } from 'zod';
import { Fault, faultFrom, faultKinds, type FaultCode } from '../shared/errors.js';

const told = z.object({
  message: z.string(),
  extensions: z.object({
    code: z.enum(Object.keys(faultKinds) as [FaultCode, ...FaultCode[]]),
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

/** The fault behind an error of the graph, wherever the graph ran: its `extensions` say all that a caller may know. */
export function faultOfGraph(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const known = told.safeParse(error);
  if (known.success) {
    const { code, details, retryAfterSeconds, requestId } = known.data.extensions;
    return new Fault(code, {
      message: known.data.message,
      cause: error,
      ...(details === undefined ? {} : { details }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(requestId === undefined ? {} : { requestId }),
    });
  }
  const coercion = notCoerced.safeParse(error);
  if (coercion.success) {
    return new Fault('BAD_REQUEST', { details: [{ path: '', message: coercion.data.message }], cause: error });
  }
  return faultFrom(error);
}

/**
 * A fault with its paths as callers of a REST path know them: an argument that comes in a header by the name of that.
 * @param headers names of headers, by argument
 */
export function inHeaders(fault: Fault, headers: ReadonlyMap<string, string>): Fault {
  const { details, retryAfterSeconds, requestId } = fault.extensions;
  if (details?.some(({ path }) => headers.has(path)) !== true) return fault;
  return new Fault(fault.code, {
    message: fault.message,
    details: details.map(({ path, message }) => ({ path: headers.get(path) ?? path, message })),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}

/** Of several errors the gravest speaks: a caller must not read a refusal where the house failed. */
export function gravest(errors: readonly unknown[]): Fault {
  const faults = errors.map(faultOfGraph).sort((left, right) => right.status - left.status);
  return faults[0] ?? new Fault('INTERNAL');
}
