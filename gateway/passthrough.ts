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
  /** Responses to the program's own operations. */
  readonly responses: ResponseStore;
  /** Responses to public reads by documents of callers, which must not evict the others. */
  readonly publicResponses: ResponseStore;
}

/**
 * Executes an operation that one subgraph resolves alone: the caller's own document runs on that subgraph's schema, with no
 * step in between. Undefined where several subgraphs are needed, or where the document means something else there.
 */
export function passthroughExecutor(
  { document }: Prepared,
  { subscription, node }: Plan,
  { sources, apiSchema, responses, publicResponses }: PassthroughParts,
): OperationExecutor | undefined {
  const fetch = subscription === undefined ? node : node === undefined ? subscription : undefined;
  if (fetch?.kind !== 'Fetch' || fetch.rewrites.length > 0) return undefined;
  const source = sources[fetch.subgraph];
  // A subgraph's introspection shows the subgraph, not the graph.
  if (source === undefined || introspects(document) || validate(source.schema, document).length > 0) return undefined;
  if (!meansTheSame(document, source.schema, apiSchema)) return undefined;
  const uncached: CachedRun = (context, _variables, build) => build(context);
  let cache = uncached;
  let publicCache: CachedRun | undefined;
  return {
    compile: () => {
      source.prepare(document);
      // Only for the program's own operations, of which there is a fixed number.
      cache = cachedRun(source.schema, document, responses) ?? uncached;
    },
    run: (variables, context) => {
      if (context.isPublicRead === true)
        publicCache ??= cachedRun(source.schema, document, publicResponses) ?? uncached;
      const own = (context.isPublicRead === true ? publicCache : undefined) ?? cache;
      return own(context, variables, (fresh) => source.execute({ document, variables }, fresh));
    },
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
