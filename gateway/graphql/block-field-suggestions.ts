import { GraphQLError } from 'graphql';
import { ApiError, type ErrorDetail } from '../../shared/errors.js';
import { ruleOf } from '../../shared/rule-error.js';
import { InvalidDocument } from '../../shared/subgraph/invalid-document.js';
import type { GraphResult } from '../../shared/subgraph/executor.js';
import type { Graph } from '../graph/graph.js';

/**
 * Returns the same graph with errors that name nothing of the schema that the caller did not name: graphql-js adds
 * the nearest names to an error about an unknown one, which would reveal the schema without introspection.
 */
export function blockFieldSuggestions(graph: Graph): Graph {
  return {
    ...graph,
    prepare: (document, options) => {
      try {
        return graph.prepare(document, options);
      } catch (error) {
        throw error instanceof ApiError ? errorWithoutSuggestions(error) : error;
      }
    },
    run: async (prepared, variables, context) => withoutSuggestions(await graph.run(prepared, variables, context)),
    subscribe: async (prepared, variables, context) => {
      const begun = await graph.subscribe(prepared, variables, context);
      // Names are suggested where a request is refused, which is before its first event.
      return 'next' in begun ? begun : withoutSuggestions(begun);
    },
  };
}

function errorWithoutSuggestions(error: ApiError): ApiError {
  if (error instanceof InvalidDocument) {
    return new InvalidDocument(error.errors.map((one) => ({ ...one, message: withoutSuggestion(one.message) })));
  }
  const { details } = error.extensions;
  return new ApiError(error.code, {
    message: withoutSuggestion(error.message),
    ...ruleOf(error.extensions),
    ...(details === undefined ? {} : { details: details.map(detailWithoutSuggestion) }),
    cause: error.cause,
  });
}

function withoutSuggestions(result: GraphResult): GraphResult {
  if (result.errors === undefined) return result;
  return { ...result, errors: result.errors.map(withoutItsSuggestion) };
}

function withoutItsSuggestion(error: GraphQLError): GraphQLError {
  const { message, path, extensions } = error;
  const { details } = extensions;
  return new GraphQLError(withoutSuggestion(message), {
    path: path ?? null,
    extensions: { ...extensions, ...(isDetails(details) ? { details: details.map(detailWithoutSuggestion) } : {}) },
  });
}

function detailWithoutSuggestion(detail: ErrorDetail): ErrorDetail {
  return { ...detail, message: withoutSuggestion(detail.message) };
}

function isDetails(details: unknown): details is readonly ErrorDetail[] {
  return Array.isArray(details);
}

/** Removes the suggestion, which is the last sentence. A search for its end would read a hostile text many times. */
function withoutSuggestion(message: string): string {
  const at = message.lastIndexOf('Did you mean ');
  return at === -1 ? message : message.slice(0, at).trimEnd();
}
