import type { PlanNode, QueryPlan } from '@apollo/query-planner';
import { BREAK, OperationTypeNode, visit, type DocumentNode } from 'graphql';
import { coerceVariables } from '../shared/subgraph/variables.js';
import { documentOf, fetchesOf } from './fetches.js';
import type { Prepared, Route } from './graph.js';
import { entityFetch, rootFetch, type Run, type Step } from './joined-fetch.js';
import type { Data } from './merge.js';
import type { Schemas } from './planned-route.js';
import { compileShape, type Shaper } from './shape.js';
import { shown } from './shown.js';
import type { Sources } from './source.js';

/**
 * The way of a query whose parts several subgraphs have: they are fetched and joined by steps that are compiled once.
 * Undefined for what needs more, which Apollo Gateway's executor does: mutations, subscriptions, introspection, `@skip` and
 * `@include`, and answers that have to be rewritten.
 */
export function joinedRoute(
  { operation, document }: Prepared,
  { node }: QueryPlan,
  sources: Sources,
  schemas: Schemas,
): Route | undefined {
  if (operation.operation !== OperationTypeNode.QUERY || needsMore(document)) return undefined;
  const step = node?.kind === 'Subscription' ? undefined : node && stepOf(node, sources, schemas);
  if (step === undefined) return undefined;
  let shaper: Shaper | undefined;
  const shape = (data: Data) => (shaper ??= compileShape(schemas.api, document))(data);
  return {
    compile: () => {
      for (const fetch of fetchesOf(node)) sources[fetch.serviceName]?.prepare(documentOf(fetch));
      shaper ??= compileShape(schemas.api, document);
    },
    run: async (given, context) => {
      const variables = coerceVariables(schemas.apiSchema, operation, given);
      const run: Run = { context, variables, data: {}, faults: [] };
      await step(run);
      return shown({ ...shape(run.data), faults: run.faults }, context);
    },
    subscribe: () => Promise.reject(new Error('This plan has no subscription')),
  };
}

function needsMore(document: DocumentNode): boolean {
  let found = false;
  const stop = (names: readonly string[], name: string) => {
    if (!names.includes(name)) return undefined;
    found = true;
    return BREAK;
  };
  visit(document, {
    Directive: ({ name }) => stop(['skip', 'include'], name.value),
    Field: ({ name }) => stop(['__schema', '__type'], name.value),
  });
  return found;
}

function stepOf(node: PlanNode, sources: Sources, schemas: Schemas): Step | undefined {
  switch (node.kind) {
    case 'Sequence':
    case 'Parallel': {
      const steps = node.nodes.flatMap((one) => stepOf(one, sources, schemas) ?? []);
      if (steps.length < node.nodes.length) return undefined;
      return node.kind === 'Sequence' ? inSequence(steps) : atOnce(steps);
    }
    case 'Fetch':
      return rootFetch(node, sources);
    case 'Flatten':
      return node.node.kind === 'Fetch' ? entityFetch(node.node, node.path, sources, schemas) : undefined;
    case 'Condition':
    case 'Defer':
      return undefined;
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
