import { type DocumentNode, validate, type GraphQLSchema } from 'graphql';
import {
  createResponseStore,
  cachedRun,
  type CachedRun,
  type ResponseStore,
} from '../../../shared/graphql/response-cache.js';
import { rootNames } from '../../../shared/graphql/root-names.js';
import type { SubgraphDataSources, SubgraphDataSource } from '../data-source.js';
import type { InternalNames } from '../internal-names.js';
import { jointExecutor } from '../joint-executor.js';
import type { OperationExecutor, Prepared } from '../operation.js';
import type { Supergraph } from '../supergraph.js';
import { planOf, type NativePlan } from './native-plans.js';
import { meansTheSame } from './same-meaning.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { Variables } from '../../../shared/graphql/variables.js';
import { mergeErrors } from '../merge-errors.js';
import { mapResults } from '../streams.js';
import type { Plan, PlanNode } from './plan.js';
import { fetchStep, receiver, type FetchTools, type Run, type Step } from './plan-fetch.js';
import { compileProjection, type Projection } from './project-response.js';

/** How the accelerator runs a document: on one subgraph as it is, or by a plan; null where Apollo Gateway runs it. It is JSON, and can be kept. */
export type Route = { readonly subgraph: string } | { readonly plan: NativePlan } | null;

/** The accelerator's executor of an operation. */
export interface Accelerated {
  readonly executor: OperationExecutor;
  /** Whether one subgraph resolves all of it. */
  readonly isOneSubgraphs: boolean;
}

export interface AcceleratorOptions {
  /** The document's key among those that are known. */
  readonly key: string;
  /** Whether responses may be cached: for the program's own operations, of which there is a fixed number. */
  readonly cached: boolean;
}

/** Returns the executor of a valid operation; undefined where the accelerator has no plan for it. */
type Accelerate = (prepared: Prepared, names: InternalNames, options: AcceleratorOptions) => Accelerated | undefined;

/** Creates the accelerator of a graph. */
export function createAccelerator(supergraph: Supergraph, sources: SubgraphDataSources): Accelerate {
  const { apiSchema } = supergraph;
  const stores = { responses: createResponseStore(), publicResponses: createResponseStore() };

  const routeOf = (document: DocumentNode, named: DocumentNode): Route => {
    const native = supergraph.plan(named);
    if (native === undefined) {
      // Also where there is no planner: most documents need none. A subgraph would answer about its own schema.
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

/** Whether a document that one subgraph resolves alone may run there as it is written: it is valid there, and means what it means in the graph. */
function meansTheSameAlone(document: DocumentNode, subgraph: GraphQLSchema, apiSchema: GraphQLSchema): boolean {
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

/** The graph as callers see it, and with what only the gateway knows. */
interface PlanSchemas {
  readonly apiSchema: GraphQLSchema;
  readonly supergraphSchema: GraphQLSchema;
}

/** Executes a document over several subgraphs: its plan is compiled once into steps that fetch and join, for all runs. */
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
