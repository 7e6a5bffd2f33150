import { GraphQLError } from 'graphql';
import type { Context } from '../context.js';
import { tellUnavailable } from '../database/tell-unavailable.js';
import { ApiError, apiErrorFrom } from '../errors.js';
import { InvalidDocument } from './invalid-document.js';

/**
 * What a caller sees of an error: a `ApiError` as it is, an argument that GraphQL itself refused as BAD_REQUEST, and
 * anything else as INTERNAL without a trace of its cause, which goes to the log with the request's id.
 */
export function masked(error: GraphQLError, context: Context): GraphQLError {
  const fault = apiErrorOf(error);
  tell(fault, context, error.path);
  return graphqlErrorOf(fault, context.requestId, error.path);
}

/** An error as an error of a GraphQL answer. */
export function graphqlErrorOf(fault: ApiError, requestId: string, path?: GraphQLError['path']): GraphQLError {
  return new GraphQLError(fault.message, {
    path: path ?? null,
    extensions: { ...fault.extensions, requestId },
  });
}

/** Places that one error of a document names: of some hundred fields that conflict the first ones are enough. */
const maxLocations = 10;

/** The errors of a GraphQL response to a request that could not be run: of a document as many as it has. */
export function graphqlErrorsOf(fault: ApiError, requestId: string): [GraphQLError, ...GraphQLError[]] {
  const single = graphqlErrorOf(fault, requestId);
  if (!(fault instanceof InvalidDocument)) return [single];
  const { code, statusCode, details = [] } = fault.extensions;
  const [first = single, ...others] = fault.errors.map(({ found }, index) => {
    // With the texts of the error, which are not longer than they need be.
    const own = details.slice(index, index + 1);
    const { nodes, source, positions } = found;
    const place = nodes === undefined ? { source, positions } : { nodes: nodes.slice(0, maxLocations) };
    const extensions = { code, statusCode, details: own, requestId };
    return new GraphQLError(own[0]?.message ?? found.message, { ...place, extensions });
  });
  return [first, ...others];
}

function apiErrorOf(error: GraphQLError): ApiError {
  const thrown = innermost(error);
  if (thrown instanceof ApiError) return thrown;
  // Both executors say it this way when a variable that may be null stands where null may not.
  if (thrown instanceof GraphQLError && thrown.message.startsWith('Argument "')) {
    return new ApiError('BAD_REQUEST', { message: thrown.message });
  }
  return apiErrorFrom(thrown);
}

/** What was thrown, under the layers that executors put around it. */
function innermost(error: GraphQLError): Error {
  let current: Error = error;
  while (current instanceof GraphQLError && current.originalError !== undefined) current = current.originalError;
  return current;
}

/** The answer to a request that could not be run: it has no data (GraphQL §7.1). */
export function failure(thrown: unknown, context: Context): { errors: [GraphQLError, ...GraphQLError[]] } {
  const fault = apiErrorFrom(thrown);
  tell(fault, context);
  return { errors: graphqlErrorsOf(fault, context.requestId) };
}

/** The log of a request names the request's id in each line. */
function tell(fault: ApiError, { log }: Context, path?: GraphQLError['path']): void {
  if (tellUnavailable(log, fault)) return;
  if (fault.code === 'INTERNAL') log.error({ err: fault.cause ?? fault, path }, 'An operation failed');
  else if (fault.status >= 500) log.warn({ err: fault.cause ?? fault, path }, 'An operation was not possible');
}
