import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  print,
  separateOperations,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from '../../shared/context.js';
import { ApiError } from '../../shared/errors.js';
import type { GraphResult, GraphResultStream } from '../../shared/subgraph/executor.js';
import { failure } from '../../shared/subgraph/mask.js';
import type { Variables } from '../../shared/subgraph/variables.js';
import { countedRun } from '../live/metrics.js';
import { createAccelerator, type AcceleratorOptions } from './accelerator/accelerator.js';
import type { ServerGateway } from './apollo-gateway.js';
import { constraintCheck, type VariablesCheck } from './constraints.js';
import type { SubgraphDataSources } from './data-source.js';
import { invalidDocument, maxDocumentErrors, parseDocument } from './document-errors.js';
import { documentRules } from './document-rules.js';
import { introspectionExecutor } from './introspection.js';
import { jointExecutor } from './joint-executor.js';
import { digestOf } from './known-documents.js';
import { located } from './located.js';
import type { OperationExecutor, Prepared } from './operation.js';
import { runRecorded } from './recorded-run.js';
import { sharingOf } from './shared-run-rules.js';
import { mapResults } from './streams.js';
import { loadSupergraph } from './supergraph.js';

export interface PrepareOptions {
  readonly operationName?: string | undefined;
  /** Whether the document came from a caller: responses to the program's own, of which there is a fixed number, may be cached. */
  readonly ofCaller?: boolean;
  /** Whether the interface checks the sizes of texts and lists itself, by the schema of the operation. */
  readonly sized?: boolean;
  /** Leaves out the validation, for a document that was validated with these types when it was read. */
  readonly assumeValid?: boolean;
}

/** The graph, as every interface uses it. */
export interface Graph {
  /** The graph's schema as callers see it. */
  readonly apiSchema: GraphQLSchema;
  /** The gateway as Apollo Server takes it. */
  readonly gateway: ServerGateway;
  /**
   * Parses and validates an operation and finds how it runs, once for all its runs.
   * @throws {ApiError} BAD_REQUEST when the text is no document, is not valid, or does not say which operation is meant
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
  /** False leaves all queries and mutations to Apollo Gateway. */
  readonly accelerated?: boolean;
}

/** Creates the graph. @throws when the supergraph names a subgraph that has no source. */
export async function createGraph({ supergraphSdl, sources, accelerated = true }: GraphOptions): Promise<Graph> {
  const supergraph = await loadSupergraph(supergraphSdl);
  const { gateway, apiSchema, supergraphSchema } = supergraph;
  const lacking = gateway.subgraphs.filter((name) => sources[name] === undefined);
  if (lacking.length > 0) throw new Error(`There is no data source for the subgraph ${lacking.join(', ')}`);
  const accelerate = createAccelerator(supergraph, sources);
  const executors = new WeakMap<Prepared, OperationExecutor>();
  const checks = new WeakMap<Prepared, VariablesCheck>();

  const executorOf = async (prepared: Prepared, variables: Variables): Promise<OperationExecutor> => {
    const executor = executors.get(prepared);
    if (executor === undefined) throw new Error('The operation was prepared by another graph');
    const checking = checks.get(prepared)?.(variables);
    if (checking !== undefined) await checking;
    return executor;
  };

  const withExecutor = (
    bare: Prepared,
    options: AcceleratorOptions,
  ): { prepared: Prepared; executor: OperationExecutor } => {
    const introspection = introspectionExecutor(bare, apiSchema);
    if (introspection !== undefined) return { prepared: bare, executor: introspection };
    const names = supergraph.nameInternally(bare.document);
    // Apollo Gateway runs no subscriptions.
    const isSubscription = bare.operation.operation === OperationTypeNode.SUBSCRIPTION;
    const fast = accelerated || isSubscription ? accelerate(bare, names, options) : undefined;
    const sharing = sharingOf(supergraphSchema, bare, fast?.isOneSubgraphs ?? false);
    const executor =
      fast?.executor ?? jointExecutor(bare, names, gateway.executorOf(names.document, sources), { apiSchema, sources });
    return { prepared: { ...bare, sharing }, executor };
  };

  const run: Graph['run'] = async (prepared, variables, context) => {
    try {
      expectKind(prepared, false);
      const executor = await executorOf(prepared, variables);
      return located(await executor.run(variables, contextOf(prepared, context)), prepared);
    } catch (error) {
      return failure(error, context);
    }
  };

  return {
    apiSchema,
    gateway: gateway.forServer,
    prepare: (source, { operationName, ofCaller = false, sized = false, assumeValid = false } = {}) => {
      const document = typeof source === 'string' ? parseDocument(source) : source;
      const key = digestOf(print(document), operationName ?? '');
      if (!assumeValid && !supergraph.known.has(key)) expectValid(apiSchema, document);
      const bare = operationIn(document, operationName);
      const check = sized ? undefined : constraintCheck(apiSchema, bare);
      const { prepared, executor } = withExecutor(bare, { key, cached: !ofCaller });
      if (check !== undefined) checks.set(prepared, check);
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

/** Returns the context of an operation: a query has one node for all that is published, a mutation only the primary. */
function contextOf({ operation: { operation } }: Prepared, context: Context): Context {
  const { published } = context;
  if (published === undefined) return context;
  return { ...context, published: operation === OperationTypeNode.MUTATION ? undefined : published.ofOperation() };
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

function expectKind({ document, operation }: Prepared, subscription: boolean): void {
  if ((operation.operation === OperationTypeNode.SUBSCRIPTION) === subscription) return;
  const message = subscription
    ? 'This operation is not a subscription'
    : 'Send subscriptions by graphql-ws, on the same path';
  throw invalidDocument(document, [new GraphQLError(message, { nodes: operation })]);
}
