import { BREAK, validate, visit, type DocumentNode, type GraphQLSchema } from 'graphql';
import { answerKeeper, type Keeper } from '../shared/subgraph/response-cache.js';
import type { OperationExecutor, Prepared } from './operation.js';
import type { Plan } from './plan.js';
import { meansTheSame } from './same-meaning.js';
import type { SubgraphDataSources } from './data-source.js';

/**
 * Executes an operation that one subgraph resolves alone: the caller's own document runs on that subgraph's schema, with no
 * step in between. Undefined where several subgraphs are needed, or where the document means something else there.
 */
export function passthroughExecutor(
  { document }: Prepared,
  { subscription, node }: Plan,
  sources: SubgraphDataSources,
  apiSchema: GraphQLSchema,
): OperationExecutor | undefined {
  const fetch = subscription === undefined ? node : node === undefined ? subscription : undefined;
  if (fetch?.kind !== 'Fetch' || fetch.rewrites.length > 0) return undefined;
  const source = sources[fetch.subgraph];
  // A subgraph's introspection shows the subgraph, not the graph.
  if (source === undefined || introspects(document) || validate(source.schema, document).length > 0) return undefined;
  if (!meansTheSame(document, source.schema, apiSchema)) return undefined;
  let keep: Keeper = (_context, build) => build();
  return {
    compile: () => {
      source.prepare(document);
      // Only for the program's own operations, of which there is a fixed number.
      keep = answerKeeper(source.schema, document) ?? keep;
    },
    run: (variables, context) => keep(context, () => source.execute({ document, variables }, context)),
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
