import { BREAK, validate, visit, type DocumentNode, type GraphQLSchema } from 'graphql';
import { cachedRun, type CachedRun, type ResponseStore } from '../shared/subgraph/response-cache.js';
import type { OperationExecutor, Prepared } from './operation.js';
import type { Plan } from './plan.js';
import { meansTheSame } from './same-meaning.js';
import type { SubgraphDataSources } from './data-source.js';

/** What passthrough executors have in common. */
export interface PassthroughParts {
  readonly sources: SubgraphDataSources;
  readonly apiSchema: GraphQLSchema;
  readonly responses: ResponseStore;
}

/**
 * Executes an operation that one subgraph resolves alone: the caller's own document runs on that subgraph's schema, with no
 * step in between. Undefined where several subgraphs are needed, or where the document means something else there.
 */
export function passthroughExecutor(
  { document }: Prepared,
  { subscription, node }: Plan,
  { sources, apiSchema, responses }: PassthroughParts,
): OperationExecutor | undefined {
  const fetch = subscription === undefined ? node : node === undefined ? subscription : undefined;
  if (fetch?.kind !== 'Fetch' || fetch.rewrites.length > 0) return undefined;
  const source = sources[fetch.subgraph];
  // A subgraph's introspection shows the subgraph, not the graph.
  if (source === undefined || introspects(document) || validate(source.schema, document).length > 0) return undefined;
  if (!meansTheSame(document, source.schema, apiSchema)) return undefined;
  let cache: CachedRun = (context, _variables, build) => build(context);
  return {
    compile: () => {
      source.prepare(document);
      // Only for the program's own operations, of which there is a fixed number.
      cache = cachedRun(source.schema, document, responses) ?? cache;
    },
    run: (variables, context) => cache(context, variables, (own) => source.execute({ document, variables }, own)),
    subscribe: (variables, context) => source.subscribe({ document, variables }, context),
  };
}

function introspects(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field: ({ name }) => {
      if (name.value !== '__schema' && name.value !== '__type') return undefined;
      found = true;
      return BREAK;
    },
  });
  return found;
}
