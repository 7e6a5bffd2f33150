import { GraphQLError } from 'graphql';
import type { GraphResult } from './executor.js';

interface JsonResult {
  readonly data?: Record<string, unknown> | null | undefined;
  readonly errors?: readonly JsonError[] | undefined;
}

interface JsonError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Restores a result from its JSON form; its errors become `GraphQLError` again. */
export function resultFromJson({ data, errors }: JsonResult): GraphResult {
  return {
    ...(data === undefined ? {} : { data }),
    ...(errors === undefined ? {} : { errors: errors.map(errorFromJson) }),
  };
}

function errorFromJson({ message, path, extensions }: JsonError): GraphQLError {
  return new GraphQLError(message, { path: path ?? null, extensions: extensions ?? null });
}
