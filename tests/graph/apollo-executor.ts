import { buildOperationContext, executeQueryPlan, type GraphQLDataSource, type ServiceMap } from '@apollo/gateway';
import { operationFromDocument, type Supergraph } from '@apollo/federation-internals';
import {
  QueryPlanner,
  type FetchNode,
  type PlanNode,
  type QueryPlan,
  type SubscriptionNode,
} from '@apollo/query-planner';
import { GraphQLError, parse, type DocumentNode } from 'graphql';
import type { Context } from '../../shared/context.js';
import type { GraphResult } from '../../shared/subgraph/executor.js';
import { coerceVariables, type Variables } from '../../shared/subgraph/variables.js';
import type { OperationExecutor, Prepared, Schemas } from '../../gateway/operation.js';
import { mergeErrors, type Joint } from '../../gateway/merge-errors.js';
import type { SubgraphDataSource, SubgraphDataSources } from '../../gateway/data-source.js';
import { mapResults } from '../../gateway/streams.js';

/** What the data sources of one run know of it. */
interface Run {
  readonly context: Context;
  /** An event of a subscription: what its primary fetch has brought already. */
  readonly event?: GraphResult;
}

type Result = Awaited<ReturnType<typeof executeQueryPlan>>;
type RequestContext = Parameters<typeof executeQueryPlan>[2];

/** Creates the function that plans documents for Apollo Gateway's executor. */
export function apolloPlanner(supergraph: Supergraph): (document: DocumentNode) => QueryPlan {
  const api = supergraph.apiSchema();
  const planner = new QueryPlanner(supergraph, { exposeDocumentNodeInFetchNode: true });
  return (document) => planner.buildQueryPlan(operationFromDocument(api, document));
}

/** Executes a plan by Apollo Gateway's executor, to hold ours to it. */
export function apolloExecutor(
  prepared: Prepared,
  plan: QueryPlan,
  sources: SubgraphDataSources,
  schemas: Schemas,
): OperationExecutor {
  const { operation, document } = prepared;
  const { node } = plan;
  const primary = node?.kind === 'Subscription' ? node.primary : undefined;
  const fetches = fetchesOf(node);
  const runnable = inSequence(plan);
  const services: ServiceMap = Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [name, dataSource(source, primary && documentOf(primary))]),
  );

  const execute = async (variables: Variables, run: Run): Promise<GraphResult> => {
    // Apollo's executor reads these few of the fields that a request of Apollo Server has.
    const request = {
      request: { variables },
      context: run,
      metrics: {},
      logger: run.context.log,
    } as unknown as RequestContext;
    const { api, apiSchema, supergraphSchema } = schemas;
    const operationContext = buildOperationContext({ schema: apiSchema, operationDocument: document });
    const result = await executeQueryPlan(runnable, services, request, operationContext, supergraphSchema, api);
    return mergeErrors(jointOf(result), run.context);
  };

  return {
    compile: () => {
      for (const fetch of fetches) sources[fetch.serviceName]?.prepare(documentOf(fetch));
    },
    run: async (variables, context) => execute(coerceVariables(schemas.apiSchema, operation, variables), { context }),
    subscribe: async (variables, context) => {
      const source = primary && sources[primary.serviceName];
      if (primary === undefined || source === undefined) throw new Error('This plan has no subscription');
      const coerced = coerceVariables(schemas.apiSchema, operation, variables);
      const events = await source.subscribe({ document: documentOf(primary), variables: coerced }, context);
      if (!('next' in events)) return events;
      return mapResults(
        events,
        (event) => execute(coerced, { context: { ...context, loaders: new Map() }, event }),
        context,
      );
    },
  };
}

function fetchesOf(node: PlanNode | SubscriptionNode | undefined): FetchNode[] {
  switch (node?.kind) {
    case undefined:
    case 'Defer':
      return [];
    case 'Fetch':
      return [node];
    case 'Sequence':
    case 'Parallel':
      return node.nodes.flatMap(fetchesOf);
    case 'Flatten':
      return fetchesOf(node.node);
    case 'Condition':
      return [...fetchesOf(node.ifClause), ...fetchesOf(node.elseClause)];
    case 'Subscription':
      return [node.primary, ...fetchesOf(node.rest)];
  }
}

/** Returns the document of a fetch, always the same object: the data source recognizes the fetch by it. */
function documentOf(fetch: FetchNode): DocumentNode {
  fetch.operationDocumentNode ??= parse(fetch.operation);
  return fetch.operationDocumentNode;
}

/** Apollo's executor refuses subscriptions. For one event, it is a sequence whose first fetch is there already. */
function inSequence(plan: QueryPlan): QueryPlan {
  const { node } = plan;
  if (node?.kind !== 'Subscription') return plan;
  return {
    kind: 'QueryPlan',
    node: { kind: 'Sequence', nodes: node.rest ? [node.primary, node.rest] : [node.primary] },
  };
}

function dataSource(source: SubgraphDataSource, primary: DocumentNode | undefined): GraphQLDataSource {
  return {
    process: async ({ request, ...options }) => {
      if (!('document' in options)) throw new Error('A fetch came without its document');
      const { document } = options;
      // What `execute` above put there.
      const { context, event } = options.context as Run;
      const fetched = document === primary ? event : undefined;
      const { data, errors } = fetched ?? (await source.execute({ document, variables: request.variables }, context));
      return { data: data ?? null, ...(errors === undefined ? {} : { errors: errors.map((error) => error.toJSON()) }) };
    },
  };
}

function jointOf({ data = null, errors = [], extensions }: Result): Joint {
  const completion: unknown = extensions?.['valueCompletion'];
  const missing = (Array.isArray(completion) ? completion : []).map((error: unknown) =>
    error instanceof GraphQLError ? error.path : undefined,
  );
  return { data, errors, missing };
}
