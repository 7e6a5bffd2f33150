import {
  type DocumentNode,
  validate,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
  type GraphQLEnumType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  GraphQLError,
} from 'graphql';
import {
  createResponseStore,
  cachedRun,
  type CachedRun,
  type ResponseStore,
} from '../../../shared/graphql/response-cache.js';
import { fragmentsOf, rootNames } from '../../../shared/graphql/root-names.js';
import type { SubgraphDataSources, SubgraphDataSource } from '../data-source.js';
import type { InternalNames } from '../internal-names.js';
import { jointExecutor } from '../joint-executor.js';
import type { OperationExecutor, Prepared } from '../operation.js';
import type { Supergraph } from '../supergraph.js';
import { planOf, type NativePlan } from './native-plans.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { Variables } from '../../../shared/graphql/variables.js';
import { mergeErrors, type Path } from '../merge-errors.js';
import { mapResults } from '../streams.js';
import type { Plan, PlanNode, FetchNode } from './plan.js';
import { compileProjection, type Projection } from './project-response.js';
import { isRecord } from '../../../shared/kernel/is-record.js';
import type { GraphResult } from '../../../shared/graphql/executor.js';
import { compileRewrites, renamedKeys } from './data-rewrites.js';
import { compileEntities, type Representatives } from './entities.js';
import { copied, merge, type Data } from './merge.js';
import { placedWalkOf } from './walk.js';

/** How the accelerator runs a document: on one subgraph as it is, or by a plan; null where Apollo Gateway runs it. It is JSON, and can be kept. */
export type Route = { readonly subgraph: string } | { readonly plan: NativePlan } | null;

export interface Accelerated {
  readonly executor: OperationExecutor;
  readonly isOneSubgraphs: boolean;
}

export interface AcceleratorOptions {
  readonly key: string;
  /** Whether responses may be cached: for the program's own operations, of which there is a fixed number. */
  readonly cached: boolean;
}

/** Returns the executor of a valid operation; undefined where the accelerator has no plan for it. */
type Accelerate = (prepared: Prepared, names: InternalNames, options: AcceleratorOptions) => Accelerated | undefined;

export function createAccelerator(supergraph: Supergraph, sources: SubgraphDataSources): Accelerate {
  const { apiSchema } = supergraph;
  const stores = { responses: createResponseStore(), publicResponses: createResponseStore() };

  const routeOf = (document: DocumentNode, named: DocumentNode): Route => {
    const native = supergraph.plan(named);
    if (native === undefined) {
      // Most documents need no planner. Introspection is excluded: a subgraph would return its own schema.
      if (rootNames(document).some((name) => name === '__schema' || name === '__type')) return null;
      const alone = Object.entries(sources).find(([, { schema }]) => meansTheSameAlone(document, schema, apiSchema));
      return alone === undefined ? null : { subgraph: alone[0] };
    }
    const { subscription, node } = planOf(native);
    const fetch = subscription === undefined ? node : node === undefined ? subscription : undefined;
    const source = fetch?.kind === 'Fetch' && fetch.rewrites.length === 0 ? sources[fetch.subgraph] : undefined;
    const alone = source !== undefined && meansTheSameAlone(document, source.schema, apiSchema);
    return alone && fetch?.kind === 'Fetch' ? { subgraph: fetch.subgraph } : { plan: native };
  };

  const knownRoute = (key: string, find: () => Route): Route => {
    const json = supergraph.known.get(key);
    if (json !== undefined) return JSON.parse(json) as Route;
    const route = find();
    supergraph.known.set(key, JSON.stringify(route));
    return route;
  };

  return (prepared, names, { key, cached }) => {
    const { document } = prepared;
    const route = knownRoute(key, () => {
      try {
        return routeOf(document, names.document);
      } catch {
        // The plan has a part that the executor does not support.
        return null;
      }
    });
    if (route === null) return undefined;
    if ('plan' in route) {
      const executor = planExecutor(names.document, planOf(route.plan), sources, supergraph);
      return { executor: jointExecutor(prepared, names, executor, { apiSchema, sources }), isOneSubgraphs: false };
    }
    const source = sources[route.subgraph];
    if (source === undefined) return undefined;
    return { executor: passthroughExecutor(document, source, { ...stores, cached }), isOneSubgraphs: true };
  };
}

/** Whether a document that one subgraph resolves by itself may run there as it is written: it is valid there, and means what it means in the graph. */
function meansTheSameAlone(document: DocumentNode, subgraph: GraphQLSchema, apiSchema: GraphQLSchema): boolean {
  return validate(subgraph, document).length === 0 && meansTheSame(document, subgraph, apiSchema);
}

interface PassthroughOptions {
  readonly responses: ResponseStore;
  /** Responses to public reads by documents of callers, which must not evict the others. */
  readonly publicResponses: ResponseStore;
  /** Whether the document is the program's own. */
  readonly cached: boolean;
}

/** Executes an operation that one subgraph resolves by itself: the caller's own document runs on that subgraph's schema, with no step in between. */
function passthroughExecutor(
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

interface PlanSchemas {
  readonly apiSchema: GraphQLSchema;
  readonly supergraphSchema: GraphQLSchema;
}

function planExecutor(
  document: DocumentNode,
  plan: Plan,
  sources: SubgraphDataSources,
  { apiSchema, supergraphSchema }: PlanSchemas,
): OperationExecutor {
  const tools: FetchTools = { sources, supergraphSchema };
  const { subscription, node } = plan;
  const step = node === undefined ? () => Promise.resolve() : stepOf(node, tools);
  let projection: Projection | undefined;

  const begin = (variables: Variables, context: Context): Run => ({ context, variables, data: {}, errors: [] });
  const finish = async (run: Run) => {
    await step(run);
    projection ??= compileProjection(apiSchema, document);
    return mergeErrors({ ...projection(run.data, run.variables), errors: run.errors }, run.context);
  };

  return {
    run: (variables, context) => finish(begin(variables, context)),
    subscribe: async (variables, context) => {
      const source = subscription && sources[subscription.subgraph];
      if (subscription === undefined || source === undefined) throw new Error('The plan has no subscription');
      const events = await source.subscribe({ document: subscription.document, variables }, context);
      if (!('next' in events)) return events;
      const received = receiver(subscription, tools);
      return mapResults(
        events,
        (event) => {
          const run = begin(variables, { ...context, loaders: new Map() });
          received(run, event);
          return finish(run);
        },
        context,
      );
    },
  };
}

function stepOf(node: PlanNode, tools: FetchTools): Step {
  switch (node.kind) {
    case 'Sequence':
      return inSequence(node.nodes.map((one) => stepOf(one, tools)));
    case 'Parallel':
      return atOnce(node.nodes.map((one) => stepOf(one, tools)));
    case 'Fetch':
      return fetchStep(node, tools);
    case 'Condition': {
      const { condition, ifTrue, ifFalse } = node;
      const included = ifTrue && stepOf(ifTrue, tools);
      const skipped = ifFalse && stepOf(ifFalse, tools);
      return async (run) => {
        await (run.variables[condition] === true ? included : skipped)?.(run);
      };
    }
  }
}

function inSequence(steps: readonly Step[]): Step {
  return async (run) => {
    for (const step of steps) await step(run);
  };
}

function atOnce(steps: readonly Step[]): Step {
  return async (run) => {
    await Promise.all(steps.map((step) => step(run)));
  };
}

type Named = GraphQLNamedType | null | undefined;

/** Whether a document that is valid on both schemas means the same on them: types, enum values, type conditions, variables. False in doubt. */
function meansTheSame(document: DocumentNode, subgraph: GraphQLSchema, api: GraphQLSchema): boolean {
  const fragments = fragmentsOf(document);
  const [inSubgraph, inApi] = [new TypeInfo(subgraph), new TypeInfo(api)];
  let same = true;
  const narrow = (condition: string | undefined): void => {
    same &&= condition === undefined || sameCondition(inSubgraph.getParentType(), condition, subgraph, api);
  };
  visit(
    document,
    visitWithTypeInfo(
      inSubgraph,
      visitWithTypeInfo(inApi, {
        Field: () => {
          same &&= sameOutput(getNamedType(inSubgraph.getType()), getNamedType(inApi.getType()), subgraph, api);
        },
        FragmentSpread: ({ name }) => {
          narrow(fragments.get(name.value)?.typeCondition.name.value);
        },
        InlineFragment: ({ typeCondition }) => {
          narrow(typeCondition?.name.value);
        },
        VariableDefinition: ({ type }) => {
          same &&= sameInput(
            getNamedType(typeFromAST(subgraph, type)),
            getNamedType(typeFromAST(api, type)),
            new Set(),
          );
        },
      }),
    ),
  );
  return same;
}

/** Whether every value that the subgraph may return of its type is a value of the graph's type. */
function sameOutput(returned: Named, shown: Named, subgraph: GraphQLSchema, api: GraphQLSchema): boolean {
  if (isEnumType(returned)) return isEnumType(shown) && hasValuesOf(shown, returned);
  if (!isCompositeType(returned)) return isScalarType(returned) && isScalarType(shown);
  return objectsOf(returned, subgraph).every(({ name }) => {
    const type = api.getType(name);
    return isObjectType(type) && (type === shown || (isAbstractType(shown) && api.isSubType(shown, type)));
  });
}

/** Whether a type condition holds for the same objects in both schemas, among those that are possible there. */
function sameCondition(parent: Named, condition: string, subgraph: GraphQLSchema, api: GraphQLSchema): boolean {
  return objectsOf(parent, subgraph).every(
    ({ name }) => holdsFor(name, condition, subgraph) === holdsFor(name, condition, api),
  );
}

function holdsFor(name: string, condition: string, schema: GraphQLSchema): boolean {
  if (name === condition) return true;
  const [type, wider] = [schema.getType(name), schema.getType(condition)];
  return isObjectType(type) && isAbstractType(wider) && schema.isSubType(wider, type);
}

function objectsOf(type: Named, schema: GraphQLSchema): readonly GraphQLObjectType[] {
  if (isObjectType(type)) return [type];
  return isAbstractType(type) ? schema.getPossibleTypes(type) : [];
}

/** Whether the subgraph accepts no other values than the graph does. */
function sameInput(taken: Named, shown: Named, seen: Set<string>): boolean {
  if (isEnumType(taken)) return isEnumType(shown) && hasValuesOf(shown, taken);
  if (!isInputObjectType(taken)) return isScalarType(taken) && isScalarType(shown);
  if (!isInputObjectType(shown)) return false;
  if (seen.has(taken.name)) return true;
  seen.add(taken.name);
  const fields = shown.getFields();
  return Object.values(taken.getFields()).every(({ name, type }) => {
    const field = fields[name];
    if (field === undefined || String(field.type) !== String(type)) return false;
    return sameInput(getNamedType(type), getNamedType(field.type), seen);
  });
}

function hasValuesOf(wider: GraphQLEnumType, narrower: GraphQLEnumType): boolean {
  return narrower.getValues().every(({ name }) => wider.getValue(name) !== undefined);
}

interface Run {
  readonly context: Context;
  readonly variables: Variables;
  readonly data: Data;
  readonly errors: GraphQLError[];
}

/** A part of a plan. It never rejects for an error of a subgraph, which becomes an error of the run. */
type Step = (run: Run) => Promise<void>;

interface FetchTools {
  readonly sources: SubgraphDataSources;
  readonly supergraphSchema: GraphQLSchema;
}

type Ask = (run: Run, representations?: Variables) => Promise<GraphResult>;
type Received = (run: Run, result: GraphResult, holders?: readonly Data[], place?: Path) => void;

function fetchStep(fetch: FetchNode, tools: FetchTools): Step {
  return guarded(fetch.entities.length === 0 ? rootFetch(fetch, tools) : entityFetch(fetch, tools));
}

/** Compiles a fetch of root fields. Its data belong to each object at its path. */
function rootFetch(fetch: FetchNode, tools: FetchTools): Step {
  const ask = askOf(fetch, tools);
  const received = receiver(fetch, tools);
  const eachHolder = placedWalkOf(tools.supergraphSchema, fetch.path);
  return async (run) => {
    const holders: Data[] = [];
    let first: Path = [];
    eachHolder(run.data, [], (holder, place) => {
      if (holders.push(holder) === 1) first = place;
    });
    if (holders.length > 0) received(run, await ask(run), holders, first);
  };
}

function receiver(fetch: FetchNode, tools: FetchTools): Received {
  const rewrite = compileRewrites(tools.supergraphSchema, fetch.rewrites);
  const placed = placing(fetch);
  return (run, { data, errors = [] }, holders = [run.data], place = []) => {
    for (const error of errors) run.errors.push(placed(error, error.path && [...place, ...error.path]));
    if (!isRecord(data)) return;
    rewrite?.(data);
    for (const [at, holder] of holders.entries()) merge(holder, at === 0 ? data : copied(data));
  };
}

/** Compiles a fetch of further fields of entities. Without such an entity no request is sent. */
function entityFetch(fetch: FetchNode, tools: FetchTools): Step {
  const ask = askOf(fetch, tools);
  const placed = placing(fetch);
  const requests = fetch.entities.map((request) => {
    const { variable } = request;
    const isShared = fetch.entities.some((other) => other !== request && other.variable === variable);
    return { variable, collect: compileEntities(tools.supergraphSchema, fetch.document, request, isShared) };
  });

  return async (run) => {
    const byVariable: Record<string, Representatives> = {};
    const asked = requests.map(({ variable, collect }) =>
      collect(run.data, (byVariable[variable] ??= { representations: [], known: new Map() })),
    );
    const variables: Record<string, readonly Data[]> = {};
    let count = 0;
    for (const [name, { representations }] of Object.entries(byVariable)) {
      variables[name] = representations;
      count += representations.length;
    }
    if (count === 0) return;
    const { data, errors = [] } = await ask(run, variables);
    for (const error of errors) {
      const about = asked.find(({ name }) => name === error.path?.[0]);
      for (const place of about?.placesOf(error) ?? [undefined]) run.errors.push(placed(error, place));
    }
    if (isRecord(data)) for (const one of asked) one.merge(data[one.name]);
  };
}

function askOf({ subgraph, document, variables: names }: FetchNode, { sources }: FetchTools): Ask {
  const source = sources[subgraph];
  if (source === undefined) throw new Error(`There is no data source for the subgraph ${subgraph}`);
  return (run, representations) => {
    const variables: Record<string, unknown> = { ...representations };
    for (const name of names) {
      if (Object.hasOwn(run.variables, name)) variables[name] = run.variables[name];
    }
    return source.execute({ document, variables }, run.context);
  };
}

/** Turns any other failure of a step into an error of the run, without a place. */
function guarded(step: Step): Step {
  return async (run) => {
    try {
      await step(run);
    } catch (error) {
      const originalError = error instanceof Error ? error : new Error('A fetch failed', { cause: error });
      run.errors.push(new GraphQLError(originalError.message, { originalError }));
    }
  };
}

function placing(fetch: FetchNode): (error: GraphQLError, path: Path | undefined) => GraphQLError {
  const renamed = renamedKeys(fetch);
  return (error, place) => {
    const path = place?.map((key) => (typeof key === 'number' ? key : (renamed.get(key) ?? key)));
    return new GraphQLError(error.message, { path, extensions: error.extensions, originalError: error });
  };
}
