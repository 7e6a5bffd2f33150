import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  print,
  separateOperations,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  getDirectiveValues,
  Kind,
  executeSync,
  type FieldNode,
  type SelectionSetNode,
  SingleFieldSubscriptionsRule,
  specifiedRules,
  type ASTVisitor,
  type DirectiveNode,
  type SelectionNode,
  type ValidationContext,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../shared/kernel/context.js';
import { ApiError } from '../../shared/kernel/errors.js';
import type { GraphResult, GraphResultStream } from '../../shared/graphql/executor.js';
import { failure } from '../../shared/graphql/mask.js';
import { fieldsIn, fragmentsOf, rootNames } from '../../shared/graphql/root-names.js';
import { sharedRunRule } from '../../shared/graphql/shared-run.js';
import { type Variables, coerceInTurns } from '../../shared/graphql/variables.js';
import { countedRun } from '../live/metrics.js';
import { createAccelerator, type AcceleratorOptions } from './accelerator/accelerator.js';
import type { ServerGateway } from './apollo-gateway.js';
import { constraintCheck, type VariablesCheck } from './limits/constraints.js';
import type { SubgraphDataSources } from './data-source.js';
import { invalidDocument, maxDocumentErrors, parseDocument } from './document-errors.js';
import { jointExecutor } from './joint-executor.js';
import { digestOf } from './known-documents.js';
import type { Path } from './merge-errors.js';
import type { OperationExecutor, Prepared, Sharing } from './operation.js';
import { runRecorded } from './recorded-run.js';
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

export interface Graph {
  readonly apiSchema: GraphQLSchema;
  readonly gateway: ServerGateway;
  /** Parses and validates an operation for all its runs. @throws {ApiError} BAD_REQUEST for no or an invalid document, or an ambiguous operation */
  prepare(document: DocumentNode | string, options?: PrepareOptions): Prepared;
  /** Runs a query or a mutation. Never throws: errors are among the errors of the result, with code, status and request id. */
  run(prepared: Prepared, variables: Variables, context: Context): Promise<GraphResult>;
  /** Begins a subscription: returns a stream of results, or the one result that says why there is none. */
  subscribe(prepared: Prepared, variables: Variables, context: Context): Promise<GraphResultStream | GraphResult>;
}

export interface GraphOptions {
  readonly supergraphSdl: string;
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
  const executors = new WeakMap<Prepared, () => OperationExecutor>();
  const checks = new WeakMap<Prepared, VariablesCheck>();

  const executorOf = async (prepared: Prepared, variables: Variables): Promise<OperationExecutor> => {
    const executor = executors.get(prepared);
    if (executor === undefined) throw new Error('The operation was prepared by another graph');
    const checking = checks.get(prepared)?.(variables);
    if (checking !== undefined) await checking;
    return executor();
  };

  const withExecutor = (
    bare: Prepared,
    options: AcceleratorOptions,
  ): { readonly prepared: Prepared; readonly executor: () => OperationExecutor } => {
    const introspection = introspectionExecutor(bare, apiSchema);
    if (introspection !== undefined) return { prepared: bare, executor: () => introspection };
    // Apollo Gateway runs no subscriptions.
    if (bare.operation.operation === OperationTypeNode.SUBSCRIPTION) {
      const fast = accelerate(bare, supergraph.nameInternally(bare.document), options);
      const sharing = sharingOf(supergraphSchema, bare, fast?.isOneSubgraphs ?? false);
      const executor = fast?.executor ?? joint(bare);
      return { prepared: { ...bare, sharing }, executor: () => executor };
    }
    // The plans of all operations of the program cost a second of its start, and most of them never run in one process.
    let executor: OperationExecutor | undefined;
    const make = () => {
      const fast = accelerated ? accelerate(bare, supergraph.nameInternally(bare.document), options) : undefined;
      return fast?.executor ?? joint(bare);
    };
    return { prepared: bare, executor: () => (executor ??= make()) };
  };

  const joint = (bare: Prepared): OperationExecutor => {
    const names = supergraph.nameInternally(bare.document);
    return jointExecutor(bare, names, gateway.executorOf(names.document, sources), { apiSchema, sources });
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

/** Returns how readers may share runs; undefined if its field declares nothing. @param isOneSubgraphs whether one resolves all: others may differ by reader */
function sharingOf(
  supergraph: GraphQLSchema,
  { document, operation }: Prepared,
  isOneSubgraphs: boolean,
): Sharing | undefined {
  if (operation.operation !== OperationTypeNode.SUBSCRIPTION) return undefined;
  const [field, ...others] = operation.selectionSet.selections;
  if (field?.kind !== Kind.FIELD || others.length > 0) return undefined;
  const node = supergraph.getSubscriptionType()?.getFields()[field.name.value]?.astNode;
  const directive = supergraph.getDirective('sharedRun');
  if (node == null || directive == null) return undefined;
  const declared = getDirectiveValues(directive, node);
  if (declared === undefined) return undefined;
  const { begins, readers } = sharedRunRule.parse(declared);
  return { begins, readers: isOneSubgraphs ? readers : 'equal', text: print(document) };
}

/** Adds `locations` to each error of a result that has a path: the position of its field in the caller's document. */
function located(response: GraphResult, prepared: Prepared): GraphResult {
  const { errors } = response;
  if (errors === undefined) return response;
  return { ...response, errors: errors.map((error) => withLocation(error, prepared)) };
}

function withLocation(error: GraphQLError, prepared: Prepared): GraphQLError {
  const { message, path, extensions } = error;
  const field = path === undefined || error.locations !== undefined ? undefined : fieldAt(prepared, path);
  return field === undefined ? error : new GraphQLError(message, { nodes: field, path, extensions });
}

/** Finds the field of a document that a path in its data leads to; where several fields are merged there, the first. */
function fieldAt({ document, operation }: Prepared, path: Path): FieldNode | undefined {
  const fragments = fragmentsOf(document);
  let sets: readonly SelectionSetNode[] = [operation.selectionSet];
  let found: FieldNode | undefined;
  for (const key of path) {
    if (typeof key === 'number') continue;
    const fields = sets
      .flatMap((set) => fieldsIn(set, fragments))
      .filter(({ alias, name }) => (alias ?? name).value === key);
    [found] = fields;
    sets = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
  }
  return found;
}

/** Requires one unconditional root field, in fragments too (GraphQL 2025-09 §5.2.4.1); GraphQL's own rule throws where the condition is a variable. */
function unconditionalSubscription(context: ValidationContext): ASTVisitor {
  const own = SingleFieldSubscriptionsRule(context);
  const counts = 'OperationDefinition' in own ? own.OperationDefinition : undefined;
  const conditionsIn = ({ selections }: SelectionSetNode, within: ReadonlySet<string>): DirectiveNode[] =>
    selections.flatMap((node) => [
      ...(node.directives ?? []).filter(({ name }) => name.value === 'skip' || name.value === 'include'),
      ...conditionsBelow(node, within),
    ]);
  const conditionsBelow = (node: SelectionNode, within: ReadonlySet<string>): DirectiveNode[] => {
    if (node.kind === Kind.FIELD) return [];
    if (node.kind === Kind.INLINE_FRAGMENT) return conditionsIn(node.selectionSet, within);
    const name = node.name.value;
    const fragment = within.has(name) ? undefined : context.getFragment(name);
    return fragment == null ? [] : conditionsIn(fragment.selectionSet, new Set([...within, name]));
  };
  return {
    OperationDefinition: (node, ...place) => {
      const isSubscription = node.operation === OperationTypeNode.SUBSCRIPTION;
      const conditions = new Set(isSubscription ? conditionsIn(node.selectionSet, new Set()) : []);
      for (const directive of conditions) {
        const message = `@${directive.name.value} must not stand at the root of a subscription`;
        context.reportError(new GraphQLError(message, { nodes: directive }));
      }
      if (conditions.size === 0 && typeof counts === 'function') counts(node, ...place);
    },
  };
}

const documentRules = specifiedRules.map((rule) =>
  rule === SingleFieldSubscriptionsRule ? unconditionalSubscription : rule,
);

/** Executes a query of only the schema; undefined for others. Apollo Gateway's library does not know the newest fields of introspection. */
function introspectionExecutor(
  { document, operation }: Prepared,
  apiSchema: GraphQLSchema,
): OperationExecutor | undefined {
  if (operation.operation !== OperationTypeNode.QUERY) return undefined;
  const names = rootNames(document);
  if (!names.some(isMeta) || !names.every((name) => isMeta(name) || name === '__typename')) return undefined;
  const introspect = reader(apiSchema, document);
  const run = async (given: Variables): Promise<GraphResult> => ({
    data: introspect(await coerceInTurns(apiSchema, operation, given)),
  });
  return { run, subscribe: run };
}

const isMeta = (name: string) => name === '__schema' || name === '__type';

type Data = NonNullable<GraphResult['data']> | null;

/** The last results for each schema. One has megabytes, and is read again by every tool that is opened. */
const results = new WeakMap<GraphQLSchema, LRUCache<string, { readonly data: Data }>>();
const maxResults = 4;

function reader(schema: GraphQLSchema, document: DocumentNode): (variables: Variables) => Data {
  const known = results.get(schema) ?? new LRUCache({ max: maxResults });
  results.set(schema, known);
  const text = print(document);
  return (variableValues) => {
    const key = JSON.stringify([text, variableValues]);
    const kept = known.get(key);
    if (kept !== undefined) return kept.data;
    const { data, errors } = executeSync({ schema, document, rootValue: {}, variableValues });
    if (errors !== undefined) throw new Error('The introspection of the schema failed', { cause: errors[0] });
    known.set(key, { data: data ?? null });
    return data ?? null;
  };
}
