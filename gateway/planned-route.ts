import type { Schema } from '@apollo/federation-internals';
import type { executeQueryPlan, GraphQLDataSource, ServiceMap } from '@apollo/gateway';
import type { QueryPlan } from '@apollo/query-planner';
import { GraphQLError, OperationTypeNode, type DocumentNode, type GraphQLSchema } from 'graphql';
import type { Context } from '../shared/context.js';
import { Fault } from '../shared/errors.js';
import type { Answer } from '../shared/subgraph/execute.js';
import { coerceVariables, type Variables } from '../shared/subgraph/variables.js';
import { documentOf, fetchesOf } from './fetches.js';
import type { Prepared, Route } from './graph.js';
import { shown, type Joint } from './shown.js';
import type { Source, Sources } from './source.js';
import { mapAnswers } from './streams.js';

export interface Schemas {
  readonly api: Schema;
  readonly apiSchema: GraphQLSchema;
  readonly supergraphSchema: GraphQLSchema;
}

/** What the data sources of one run know of it. */
interface Run {
  readonly context: Context;
  /** An event of a subscription: what its primary fetch has brought already. */
  readonly event?: Answer;
}

type Result = Awaited<ReturnType<typeof executeQueryPlan>>;
type RequestContext = Parameters<typeof executeQueryPlan>[2];

/** Takes 0.2 s and 23 MB, which wait for the first plan that is run by it. */
const loadApolloGateway = () => import('@apollo/gateway');

/** The way of an operation that several subgraphs answer: Apollo Gateway's executor runs its plan. */
export function plannedRoute(prepared: Prepared, plan: QueryPlan, sources: Sources, schemas: Schemas): Route {
  const { operation, document } = prepared;
  const { node } = plan;
  const primary = node?.kind === 'Subscription' ? node.primary : undefined;
  const fetches = fetchesOf(node);
  const writes = fetches.filter((fetch) => fetch.operationKind === OperationTypeNode.MUTATION).length;
  const runnable = inSequence(plan);
  const services: ServiceMap = Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [name, dataSource(source, primary && documentOf(primary))]),
  );

  const execute = async (variables: Variables, run: Run): Promise<Answer> => {
    // Apollo's executor reads these few of the fields that a request of Apollo Server has.
    const request = {
      request: { variables },
      context: run,
      metrics: {},
      logger: run.context.log,
    } as unknown as RequestContext;
    const { api, apiSchema, supergraphSchema } = schemas;
    const { buildOperationContext, executeQueryPlan } = await loadApolloGateway();
    const operationContext = buildOperationContext({ schema: apiSchema, operationDocument: document });
    const result = await executeQueryPlan(runnable, services, request, operationContext, supergraphSchema, api);
    return shown(jointOf(result), run.context);
  };

  return {
    compile: () => {
      for (const fetch of fetches) sources[fetch.serviceName]?.prepare(documentOf(fetch));
    },
    run: async (variables, context) => {
      if (writes > 1 && context.idempotency !== undefined) {
        const message = 'An idempotency key is for one operation: send these mutations in requests of their own';
        throw new Fault('BAD_REQUEST', { message });
      }
      return execute(coerceVariables(schemas.apiSchema, operation, variables), { context });
    },
    subscribe: async (variables, context) => {
      const source = primary && sources[primary.serviceName];
      if (primary === undefined || source === undefined) throw new Error('This plan has no subscription');
      const coerced = coerceVariables(schemas.apiSchema, operation, variables);
      const events = await source.subscribe({ document: documentOf(primary), variables: coerced }, context);
      if (!('next' in events)) return events;
      return mapAnswers(
        events,
        (event) => execute(coerced, { context: { ...context, loaders: new Map() }, event }),
        context,
      );
    },
  };
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

function dataSource(source: Source, primary: DocumentNode | undefined): GraphQLDataSource {
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
  return { data, faults: errors, missing };
}
