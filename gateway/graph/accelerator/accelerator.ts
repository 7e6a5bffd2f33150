import type { DocumentNode } from 'graphql';
import { createResponseStore } from '../../../shared/subgraph/response-cache.js';
import { rootNames } from '../../../shared/subgraph/root-names.js';
import type { SubgraphDataSources } from '../data-source.js';
import type { InternalNames } from '../internal-names.js';
import { jointExecutor } from '../joint-executor.js';
import type { OperationExecutor, Prepared } from '../operation.js';
import type { Supergraph } from '../supergraph.js';
import { planOf, type NativePlan } from './native-plans.js';
import { meansTheSameAlone, passthroughExecutor } from './passthrough.js';
import { planExecutor } from './plan-executor.js';

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
