import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Context } from '../../../shared/context.js';
import type { Variables } from '../../../shared/subgraph/variables.js';
import type { SubgraphDataSources } from '../data-source.js';
import { mergeErrors } from '../merge-errors.js';
import type { OperationExecutor } from '../operation.js';
import { mapResults } from '../streams.js';
import type { Plan, PlanNode } from './plan.js';
import { fetchStep, receiver, type FetchTools, type Run, type Step } from './plan-fetch.js';
import { compileProjection, type Projection } from './project-response.js';

/** The graph as callers see it, and with what only the gateway knows. */
interface PlanSchemas {
  readonly apiSchema: GraphQLSchema;
  readonly supergraphSchema: GraphQLSchema;
}

/** Executes a document over several subgraphs: its plan is compiled once into steps that fetch and join, for all runs. */
export function planExecutor(
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
