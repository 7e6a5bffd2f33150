import type { PlanNode, SubscriptionNode } from '@apollo/query-planner';
import { Kind, OperationTypeNode, visit, type DocumentNode } from 'graphql';
import type { Context } from '../shared/context.js';
import { ApiError } from '../shared/errors.js';
import type { GraphResult } from '../shared/subgraph/executor.js';
import { coerceInTurns, type Variables } from '../shared/subgraph/variables.js';
import { documentOf, fetchesOf } from './fetches.js';
import type { OperationExecutor, Planned, Prepared, Schemas } from './operation.js';
import type { Data } from './merge.js';
import { entityFetch, receiver, rootFetch, type FetchTools, type Run, type Step } from './plan-fetch.js';
import { compileProjection, type Projection } from './project-response.js';
import { mergeErrors } from './merge-errors.js';
import type { SubgraphDataSources } from './data-source.js';
import { mapAnswers } from './streams.js';

/** Executes an operation over several subgraphs: its plan is compiled once into steps that fetch and join, for all runs. */
export function planExecutor(
  { operation }: Prepared,
  { plan: { node }, names }: Planned,
  sources: SubgraphDataSources,
  schemas: Schemas,
): OperationExecutor {
  const tools: FetchTools = { sources, supergraphSchema: schemas.supergraphSchema, callerName: names.callerName };
  const primary = node?.kind === 'Subscription' ? node.primary : undefined;
  const rest = node?.kind === 'Subscription' ? node.rest : node;
  const step = rest === undefined ? () => Promise.resolve() : stepOf(rest, [], tools);
  const conditions = conditionsOf(names.document);
  const writes = writesOf(node);
  let projection: Projection | undefined;
  const project = (data: Data, variables: Variables) =>
    (projection ??= compileProjection(schemas, names))(data, variables);

  const begin = async (given: Variables, context: Context): Promise<Run> => {
    const coerced = await coerceInTurns(schemas.apiSchema, operation, given);
    requireBooleans(conditions, coerced);
    return { context, variables: names.internalVariables(coerced), data: {}, errors: [] };
  };
  const finish = async (run: Run): Promise<GraphResult> => {
    await step(run);
    return mergeErrors({ ...project(run.data, run.variables), errors: run.errors }, run.context);
  };

  return {
    compile: () => {
      for (const fetch of fetchesOf(node)) sources[fetch.serviceName]?.prepare(documentOf(fetch));
      projection ??= compileProjection(schemas, names);
    },
    run: async (given, context) => {
      if (writes > 1 && context.idempotency !== undefined) {
        const message = 'An idempotency key is for one operation: send each of these mutations in a request of its own';
        throw new ApiError('BAD_REQUEST', { message });
      }
      return finish(await begin(given, context));
    },
    subscribe: async (given, context) => {
      const source = primary && sources[primary.serviceName];
      if (primary === undefined || source === undefined) throw new Error('The plan has no subscription');
      const { variables } = await begin(given, context);
      const events = await source.subscribe({ document: documentOf(primary), variables }, context);
      if (!('next' in events)) return events;
      const received = receiver(primary, tools);
      return mapAnswers(
        events,
        (event) => {
          const run: Run = { context: { ...context, loaders: new Map() }, variables, data: {}, errors: [] };
          received(run, event);
          return finish(run);
        },
        context,
      );
    },
  };
}

/** Returns the number of mutations that a plan sends to subgraphs. */
function writesOf(node: PlanNode | SubscriptionNode | undefined): number {
  return fetchesOf(node).filter(({ operationKind }) => operationKind === OperationTypeNode.MUTATION).length;
}

/** Returns the variables that selections depend on. */
function conditionsOf(document: DocumentNode): ReadonlySet<string> {
  const conditions = new Set<string>();
  visit(document, {
    Directive: ({ arguments: args = [] }) => {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) conditions.add(value.name.value);
    },
  });
  return conditions;
}

/** Requires a boolean for each variable of a condition: one with a default may be null, which decides nothing. */
function requireBooleans(conditions: ReadonlySet<string>, variables: Variables): void {
  for (const name of conditions) {
    if (typeof variables[name] === 'boolean') continue;
    const message = 'A value of type Boolean! is required';
    throw new ApiError('BAD_REQUEST', { message: `${name}: ${message}`, details: [{ path: name, message }] });
  }
}

/** Compiles a node of a plan. @param path - path of the objects that the step is about, from the root of the response */
function stepOf(node: PlanNode, path: readonly string[], tools: FetchTools): Step {
  switch (node.kind) {
    case 'Sequence':
      return inSequence(node.nodes.map((one) => stepOf(one, path, tools)));
    case 'Parallel':
      return atOnce(node.nodes.map((one) => stepOf(one, path, tools)));
    case 'Fetch':
      return node.requires === undefined ? rootFetch(node, path, tools) : entityFetch(node, path, tools);
    case 'Flatten':
      return stepOf(node.node, [...path, ...node.path.map(String)], tools);
    case 'Condition': {
      const { condition, ifClause, elseClause } = node;
      const included = ifClause && stepOf(ifClause, path, tools);
      const skipped = elseClause && stepOf(elseClause, path, tools);
      return async (run) => {
        await (run.variables[condition] === true ? included : skipped)?.(run);
      };
    }
    case 'Defer':
      throw new Error('The plan has a deferred node, which this executor does not support');
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
