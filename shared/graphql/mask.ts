import { GraphQLError } from 'graphql';
import type { Context } from '../kernel/context.js';
import { logUnavailable } from '../database/log-unavailable.js';
import { ApiError, apiErrorFrom } from '../kernel/errors.js';
import { InvalidDocument } from './invalid-document.js';

/** Converts an error to what callers see: an `ApiError`, BAD_REQUEST for GraphQL's own, else INTERNAL, whose cause is logged with the request id. */
export function masked(error: GraphQLError, context: Context): GraphQLError {
  const apiError = apiErrorOf(error);
  logError(apiError, context, error.path);
  return graphqlErrorOf(apiError, context.requestId, error.path);
}

export function graphqlErrorOf(error: ApiError, requestId: string, path?: GraphQLError['path']): GraphQLError {
  return new GraphQLError(error.message, {
    path: path ?? null,
    extensions: { ...error.extensions, requestId },
  });
}

/** Locations reported for one error of a document: of hundreds of conflicting fields the first few are enough. */
const maxLocations = 10;

/** Returns the errors of a GraphQL response to a request that could not be run; an invalid document has one for each of its errors. */
export function graphqlErrorsOf(error: ApiError, requestId: string): [GraphQLError, ...GraphQLError[]] {
  const single = graphqlErrorOf(error, requestId);
  if (!(error instanceof InvalidDocument)) return [single];
  const { code, statusCode, details = [] } = error.extensions;
  const [first = single, ...others] = error.errors.map(({ found }, index) => {
    // With the messages of the `ApiError`, in which long values are shortened.
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
  // Both executors use this message when a nullable variable is null in a non-null position.
  if (thrown instanceof GraphQLError && thrown.message.startsWith('Argument "')) {
    return new ApiError('BAD_REQUEST', { message: thrown.message });
  }
  return apiErrorFrom(thrown);
}

/** Returns the error that was thrown, without the layers that executors wrap around it. */
function innermost(error: GraphQLError): Error {
  let current: Error = error;
  while (current instanceof GraphQLError && current.originalError !== undefined) current = current.originalError;
  return current;
}

/** Returns the response to a request that could not be run: it has no data (GraphQL §7.1). */
export function failure(thrown: unknown, context: Context): { errors: [GraphQLError, ...GraphQLError[]] } {
  const error = apiErrorFrom(thrown);
  logError(error, context);
  return { errors: graphqlErrorsOf(error, context.requestId) };
}

/** Logs an internal error or unavailability. The request's logger adds the request's id to each line. */
function logError(error: ApiError, { log }: Context, path?: GraphQLError['path']): void {
  if (logUnavailable(log, error)) return;
  if (error.code === 'INTERNAL') log.error({ err: error.cause ?? error, path }, 'An operation failed');
  else if (error.status >= 500) log.warn({ err: error.cause ?? error, path }, 'An operation could not be executed');
}
