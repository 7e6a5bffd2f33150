import { Supergraph } from '@apollo/federation-internals';
import {
  buildASTSchema,
  buildSchema,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  separateOperations,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from '../shared/context.js';
import { ApiError } from '../shared/errors.js';
import type { GraphResult, GraphResultStream } from '../shared/subgraph/executor.js';
import { statusOf } from '../shared/subgraph/idempotent-response.store.js';
import { failure } from '../shared/subgraph/mask.js';
import { createResponseStore } from '../shared/subgraph/response-cache.js';
import type { Variables } from '../shared/subgraph/variables.js';
import { constraintCheck, withConstraintsOf, type VariablesCheck } from './constraints.js';
import { invalidDocument, maxDocumentErrors, parseDocument } from './document-errors.js';
import { documentRules } from './document-rules.js';
import { apolloPlans } from './apollo-plans.js';
import { withCommonScalars } from './common-scalars.js';
import { internalNames } from './internal-names.js';
import { introspectionExecutor } from './introspection.js';
import { withCostsOf } from './declared-costs.js';
import { located } from './located.js';
import { nativePlans } from './native-plans.js';
import type { OperationExecutor, Prepared, Schemas } from './operation.js';
import { passthroughExecutor } from './passthrough.js';
import { countedRun } from './live/metrics.js';
import { planExecutor } from './plan-executor.js';
import { createPlanner } from './planner.js';
import type { SubgraphDataSources } from './data-source.js';
import { runRecorded } from './recorded-run.js';
import { sharingOf } from './shared-run-rules.js';
import { mapResults } from './streams.js';

export interface PrepareOptions {
  readonly operationName?: string | undefined;
  /**
   * When documents are compiled: `now`, for operations that are known before the first request (the default), or
   * `onSecondRun`, for those that callers send and may never send again.
   */
  readonly compile?: 'now' | 'onSecondRun';
  /** Leaves out the validation, for a document that was validated with these types when it was read. */
  readonly assumeValid?: boolean;
}

/** The graph, as every interface uses it. */
export interface Graph {
  /** The graph's schema as callers see it. */
  readonly apiSchema: GraphQLSchema;
  /**
   * Parses, validates and plans an operation, once for all its runs.
   * @throws {ApiError} BAD_REQUEST when the text is no document, is not valid, does not say which operation is meant, or asks for
   *   fields that the subgraphs together cannot resolve.
   */
  prepare(document: DocumentNode | string, options?: PrepareOptions): Prepared;
  /** Runs a query or a mutation. Never throws: errors are among the errors of the result, with code, status and request id. */
  run(prepared: Prepared, variables: Variables, context: Context): Promise<GraphResult>;
  /** Begins a subscription: returns a stream of results, or the one result that says why there is none. */
  subscribe(prepared: Prepared, variables: Variables, context: Context): Promise<GraphResultStream | GraphResult>;
}

export interface GraphOptions {
  readonly supergraphSdl: string;
  /** One for each subgraph of the supergraph. */
  readonly sources: SubgraphDataSources;
}

/** Creates the graph. @throws when the supergraph names a subgraph that has no source. */
export function createGraph({ supergraphSdl, sources }: GraphOptions): Graph {
  const supergraph = Supergraph.build(supergraphSdl, { validateSupergraph: false });
  const lacking = supergraph.subgraphsMetadata().filter(({ name }) => sources[name] === undefined);
  if (lacking.length > 0)
    throw new Error(`There is no data source for the subgraph ${lacking.map(({ name }) => name).join(', ')}`);
  const schemas = schemasOf(supergraph, supergraphSdl);
  const { apiSchema, supergraphSchema } = schemas;
  const responses = createResponseStore();
  const publicResponses = createResponseStore();
  const planner = createPlanner(nativePlans(supergraphSdl), apolloPlans(supergraph));
  const nameInternally = internalNames(supergraphSdl);
  const executors = new WeakMap<Prepared, OperationExecutor>();
  const checks = new WeakMap<Prepared, VariablesCheck>();

  const executorOf = async (prepared: Prepared, variables: Variables): Promise<OperationExecutor> => {
    const executor = executors.get(prepared);
    if (executor === undefined) throw new Error('The operation was prepared by another graph');
    const checking = checks.get(prepared)?.(variables);
    if (checking !== undefined) await checking;
    return executor;
  };

  const withExecutor = (bare: Prepared): { prepared: Prepared; executor: OperationExecutor } => {
    const introspection = introspectionExecutor(bare, apiSchema);
    if (introspection !== undefined) return { prepared: bare, executor: introspection };
    const names = nameInternally(bare.document);
    const plan = planned(bare, () => planner(names));
    const passthrough = passthroughExecutor(bare, plan, { sources, apiSchema, responses, publicResponses });
    const sharing = sharingOf(supergraphSchema, bare, passthrough !== undefined);
    const executor = passthrough ?? planExecutor(bare, { plan, names }, sources, schemas);
    return { prepared: { ...bare, sharing }, executor };
  };

  const run: Graph['run'] = async (prepared, variables, context) => {
    try {
      expectKind(prepared, false);
      const executor = await executorOf(prepared, variables);
      return located(await inItsContext(prepared, context, (own) => executor.run(variables, own)), prepared);
    } catch (error) {
      return failure(error, context);
    }
  };

  return {
    apiSchema,
    prepare: (source, { operationName, compile = 'now', assumeValid = false } = {}) => {
      const document = typeof source === 'string' ? parseDocument(source) : source;
      if (!assumeValid) expectValid(apiSchema, document);
      const bare = operationIn(document, operationName);
      const check = constraintCheck(apiSchema, bare);
      const { prepared, executor } = withExecutor(bare);
      checks.set(prepared, check);
      if (compile === 'now') executor.compile();
      executors.set(prepared, executor);
      return prepared;
    },
    run: (prepared, variables, context) =>
      context.span === undefined
        ? run(prepared, variables, context)
        : runRecorded(context, context.span, prepared.operation, (within) => run(prepared, variables, within)),
    subscribe: async (prepared, variables, context) => {
      try {
        expectKind(prepared, true);
        const results = await (await executorOf(prepared, variables)).subscribe(variables, context);
        if (!('next' in results)) return located(results, prepared);
        return countedRun(mapResults(results, (result) => Promise.resolve(located(result, prepared)), context));
      } catch (error) {
        return failure(error, context);
      }
    },
  };
}

function schemasOf(supergraph: Supergraph, sdl: string): Schemas {
  // Checks both texts, the supergraph's and the API's: graphql-js need not do it again.
  const api = supergraph.apiSchema();
  const supergraphSchema = buildSchema(sdl, { assumeValidSDL: true, assumeValid: true });
  const ownSchema = withCommonScalars(buildASTSchema(api.toAST(), { assumeValidSDL: true }));
  return {
    api,
    supergraphSchema,
    apiSchema: withCostsOf(supergraphSchema, withConstraintsOf(supergraphSchema, ownSchema)),
  };
}

/**
 * Runs an operation in a context of its own. A query has one node for all that is published; a mutation none but the primary, and what it may have changed is
 * noted for its caller whatever came of it.
 */
async function inItsContext(
  { operation }: Prepared,
  context: Context,
  run: (own: Context) => Promise<GraphResult>,
): Promise<GraphResult> {
  const { published, writes } = context;
  if (operation.operation !== OperationTypeNode.MUTATION)
    return run(published === undefined ? context : { ...context, published: published.ofOperation() });
  const result = await run(published === undefined ? context : { ...context, published: undefined });
  await writes?.note(context, statusOf(result) < 503);
  return result;
}

function expectValid(schema: GraphQLSchema, document: DocumentNode): void {
  const errors = validate(schema, document, documentRules, { maxErrors: maxDocumentErrors });
  if (errors.length > 0) throw invalidDocument(document, errors);
}

function operationIn(document: DocumentNode, operationName?: string): Prepared {
  const operation = getOperationAST(document, operationName);
  const own = operation == null ? undefined : separateOperations(document)[operation.name?.value ?? ''];
  if (operation == null || own === undefined) {
    const message =
      operationName === undefined
        ? 'The document does not say which operation to run'
        : `The document has no operation ${operationName}`;
    throw new ApiError('BAD_REQUEST', { message });
  }
  return { document: own, operation };
}

/** Plans an operation. That its fields cannot be resolved is an error with the place of the operation. */
function planned<T>({ document, operation }: Prepared, plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw invalidDocument(document, [new GraphQLError(error.message, { nodes: operation })]);
  }
}

function expectKind({ document, operation }: Prepared, subscription: boolean): void {
  if ((operation.operation === OperationTypeNode.SUBSCRIPTION) === subscription) return;
  const message = subscription
    ? 'This operation is not a subscription'
    : 'Send subscriptions by graphql-ws, on the same path';
  throw invalidDocument(document, [new GraphQLError(message, { nodes: operation })]);
}
