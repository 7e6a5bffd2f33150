import { validate, type DocumentNode, type GraphQLSchema } from 'graphql';
import { cachedRun, type CachedRun, type ResponseStore } from '../../../shared/subgraph/response-cache.js';
import type { SubgraphDataSource } from '../data-source.js';
import type { OperationExecutor } from '../operation.js';
import { meansTheSame } from './same-meaning.js';

/** Whether a document that one subgraph resolves alone may run there as it is written: it is valid there, and means what it means in the graph. */
export function meansTheSameAlone(document: DocumentNode, subgraph: GraphQLSchema, apiSchema: GraphQLSchema): boolean {
  return validate(subgraph, document).length === 0 && meansTheSame(document, subgraph, apiSchema);
}

interface PassthroughOptions {
  /** Responses to the program's own operations. */
  readonly responses: ResponseStore;
  /** Responses to public reads by documents of callers, which must not evict the others. */
  readonly publicResponses: ResponseStore;
  /** Whether the document is the program's own. */
  readonly cached: boolean;
}

/** Executes an operation that one subgraph resolves alone: the caller's own document runs on that subgraph's schema, with no step in between. */
export function passthroughExecutor(
  document: DocumentNode,
  source: SubgraphDataSource,
  { responses, publicResponses, cached }: PassthroughOptions,
): OperationExecutor {
  const uncached: CachedRun = (context, _variables, build) => build(context);
  const cacheIn = (store: ResponseStore) => cachedRun(source.schema, document, store) ?? uncached;
  const cache = cached ? cacheIn(responses) : uncached;
  let publicCache: CachedRun | undefined;
  return {
    run: (variables, context) => {
      const own = context.isPublicRead === true ? (publicCache ??= cacheIn(publicResponses)) : cache;
      return own(context, variables, (fresh) => source.execute({ document, variables }, fresh));
    },
    subscribe: (variables, context) => source.subscribe({ document, variables }, context),
  };
}
