import { Kind, OperationTypeNode, visit, type DocumentNode } from 'graphql';
import type { Context } from '../shared/context.js';
import { ApiError } from '../shared/errors.js';
import type { GraphResult } from '../shared/subgraph/executor.js';
import { coerceInTurns, type Variables } from '../shared/subgraph/variables.js';
import type { OperationExecutor, Planned, Prepared, Schemas } from './operation.js';
import type { Data } from './merge.js';
import { fetchesOf, type Plan, type PlanNode } from './plan.js';
import { fetchStep, receiver, type FetchTools, type Run, type Step } from './plan-fetch.js';
import { compileProjection, type Projection } from './project-response.js';
import { mergeErrors } from './merge-errors.js';
import type { SubgraphDataSources } from './data-source.js';
import { mapResults } from './streams.js';

/** Executes an operation over several subgraphs: its plan is compiled once into steps that fetch and join, for all runs. */
export function planExecutor(
  { operation }: Prepared,
  { plan, names }: Planned,
  sources: SubgraphDataSources,
  schemas: Schemas,
): OperationExecutor {
  const tools: FetchTools = { sources, supergraphSchema: schemas.supergraphSchema, callerName: names.callerName };
  const { subscription, node } = plan;
  const step = node === undefined ? () => Promise.resolve() : stepOf(node, tools);
  const conditions = conditionsOf(names.document);
  const writes = writesOf(plan);
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
      for (const { subgraph, document } of fetchesOf(plan)) sources[subgraph]?.prepare(document);
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
      const source = subscription && sources[subscription.subgraph];
      if (subscription === undefined || source === undefined) throw new Error('The plan has no subscription');
      const { variables } = await begin(given, context);
      const events = await source.subscribe({ document: subscription.document, variables }, context);
      if (!('next' in events)) return events;
      const received = receiver(subscription, tools);
      return mapResults(
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
function writesOf(plan: Plan): number {
  return fetchesOf(plan).filter(({ operation }) => operation === OperationTypeNode.MUTATION).length;
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
