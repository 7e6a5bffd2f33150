import { GraphQLError } from 'graphql';
import type { Context } from '../../shared/kernel/context.js';
import { ApiError } from '../../shared/kernel/errors.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { graphqlErrorOf, masked } from '../../shared/graphql/mask.js';

export type Path = readonly (string | number)[];

export interface Joint {
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly GraphQLError[];
  /** Paths at which a required value is missing; undefined where the path is unknown. */
  readonly missing: readonly (Path | undefined)[];
}

/** Returns the result with its errors. Without a failed fetch it has a NOT_FOUND for each value that a subgraph left out. */
export function mergeErrors({ data, errors: fetched, missing }: Joint, context: Context): GraphResult {
  const errors =
    fetched.length > 0
      ? fetched.map((error) => withoutService(error, context))
      : missing.map((path) => graphqlErrorOf(new ApiError('NOT_FOUND'), context.requestId, path));
  return errors.length === 0 ? { data } : { data, errors };
}

function withoutService(error: GraphQLError, context: Context): GraphQLError {
  const extensions: Record<string, unknown> = { ...error.extensions };
  delete extensions['serviceName'];
  if (typeof extensions['statusCode'] !== 'number') return masked(error, context);
  return new GraphQLError(error.message, { path: error.path ?? null, extensions });
}
