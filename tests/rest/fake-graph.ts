import { buildSchema, execute, GraphQLError, Kind, parse, type DocumentNode } from 'graphql';
import type { Graph } from '../../gateway/graph/graph.js';
import { withCommonScalars } from '../../gateway/graph/supergraph.js';
import type { Context } from '../../shared/kernel/context.js';
import { ApiError } from '../../shared/kernel/errors.js';

/** What a route of a test says of itself where nothing depends on it. */
export const plainRoute = {
  tag: 'Account',
  credential: 'apiKey',
  bucket: 'apiKey',
  method: 'GET',
  status: 200,
  summary: '',
  description: '',
  response: '',
  example: {},
} as const;

type Resolve = (values: Readonly<Record<string, unknown>>, context: Context) => unknown;

/** A small graph of a test's own: its text, and what its root fields answer. Errors are told as the real graph tells them. */
export function fakeGraph(sdl: string, roots: Readonly<Record<string, Resolve>>): Graph {
  const schema = withCommonScalars(buildSchema(sdl));
  const prepare = (source: DocumentNode | string) => {
    const document = typeof source === 'string' ? parse(source) : source;
    const [operation] = document.definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('No operation');
    return { document, operation };
  };
  return {
    apiSchema: schema,
    gateway: undefined as never,
    prepare,
    run: async ({ document }, variableValues, contextValue) => {
      const answer = await execute({
        schema,
        document,
        rootValue: roots,
        variableValues: { ...variableValues },
        contextValue,
      });
      const errors = answer.errors?.map(({ message, path, originalError }) => {
        const error = originalError instanceof ApiError ? originalError : new ApiError('INTERNAL');
        return new GraphQLError(originalError instanceof ApiError ? message : error.message, {
          path: path ?? null,
          extensions: { ...error.extensions },
        });
      });
      return { ...(errors === undefined ? {} : { errors }), data: answer.data ?? null };
    },
    subscribe: () => Promise.reject(new Error('Not in this test')),
  };
}
