import { Kind, valueFromASTUntyped, type OperationDefinitionNode } from 'graphql';
import { asyncIterator, finished } from '../../shared/kernel/async-iterator.js';
import type { GraphResult, GraphResultStream } from '../../shared/graphql/executor.js';
import { failure } from '../../shared/graphql/mask.js';
import type { Variables } from '../../shared/graphql/variables.js';
import { countReader, untilEnd } from '../live/metrics.js';
import { mapResults } from '../graph/streams.js';
import { reportOf, withCost, type PaidRun } from '../graph/limits/cost-budget.js';
import { withEntries } from './error-entries.js';
import {
  subscribeAlone,
  subscribeShared,
  type Subscribed,
  type SubscriptionParts,
} from '../live/shared-subscription.js';

/** Arguments that ask for events of the past. */
const resumingArguments: ReadonlySet<string> = new Set(['since', 'lastEventId']);
/** Maximum number of events of a resumed subscription that are charged: no more are replayed after a cursor, and those after them are live. */
const maxCharged = 1_000;

/**
 * Begins a subscription that was charged. Its first result says what it cost, where the caller asked for that. Its events cost nothing more, unless it
 * resumes: the first thousand events of a resumed one are charged, since as many that were missed can come at once. Each reader pays for its own subscription,
 * whoever shares the run with it.
 */
export async function subscribePaid(
  parts: SubscriptionParts,
  run: PaidRun,
  { requested, placed }: { readonly requested: number } & Pick<Subscribed, 'placed'>,
): Promise<GraphResultStream | GraphResult> {
  const { admitted, variables, budget, context, reportsCost } = run;
  const { prepared } = admitted;
  const isResumed = resumes(run);
  // A reader who resumes begins somewhere else than all others.
  const results = isResumed
    ? await subscribeAlone(parts, { prepared, variables, context })
    : await subscribeShared(parts, { prepared, variables, context, placed });
  if (!('next' in results)) return withEntries(results, prepared);
  const charged = untilEnd(isResumed ? chargedEvents(results, run) : results, countReader('graphql'));
  if (!reportsCost) return charged;
  let cost = reportOf(requested, requested, budget.standing());
  const withCostOnce = (result: GraphResult) => {
    const whole = withCost(result, cost);
    cost = undefined;
    return Promise.resolve(whole);
  };
  return mapResults(charged, withCostOnce, context);
}

/** Whether the subscription begins with events of the past. */
function resumes({ admitted, variables }: PaidRun): boolean {
  const { operation } = admitted.prepared;
  const known = withDefaults(operation, variables);
  return operation.selectionSet.selections.some(
    (node) =>
      node.kind !== Kind.FIELD ||
      node.arguments?.some(
        ({ name, value }) => resumingArguments.has(name.value) && valueFromASTUntyped(value, known) != null,
      ) === true,
  );
}

/** Returns the variables with the defaults of those that were not given: a document may hold its cursor as one. */
function withDefaults({ variableDefinitions = [] }: OperationDefinitionNode, given: Variables): Variables {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)] as const],
  );
  return { ...Object.fromEntries(defaults), ...given };
}

/** Charges events by what came with them. Once the caller's points are used up, the stream ends with that error: it is resumed after the last event. */
function chargedEvents(
  events: GraphResultStream,
  { admitted, variables, budget, context }: PaidRun,
): GraphResultStream {
  let isOver = false;
  let charged = 0;
  const next = async () => {
    if (isOver) return finished;
    const { done, value } = await events.next();
    if (done === true) return finished;
    if (charged >= maxCharged) return { done: false, value } as const;
    charged += 1;
    try {
      await budget.spend(admitted.cost.ofEvent(variables, value.data));
      return { done: false, value } as const;
    } catch (error) {
      isOver = true;
      await events.return?.();
      return { done: false, value: failure(error, context) } as const;
    }
  };
  return asyncIterator<GraphResult>(next, () => events.return?.());
}
