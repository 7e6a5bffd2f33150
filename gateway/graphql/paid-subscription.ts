import { Kind, valueFromASTUntyped } from 'graphql';
import { asyncIterator, finished } from '../../shared/async-iterator.js';
import type { GraphResult, GraphResultStream } from '../../shared/subgraph/executor.js';
import { failure } from '../../shared/subgraph/mask.js';
import type { Graph } from '../graph.js';
import { mapAnswers } from '../streams.js';
import { reportOf, withCost, type PaidRun } from './cost-budget.js';
import { withEntries } from './error-entries.js';

/**
 * Begins a subscription that was charged. Its first result says what it cost, where the caller asked for that. Its events cost nothing more, unless it
 * resumes: each event of a resumed one is charged, since up to a thousand that were missed come at once.
 */
export async function subscribePaid(
  graph: Graph,
  run: PaidRun,
  requested: number,
): Promise<GraphResultStream | GraphResult> {
  const { admitted, variables, budget, context, reportsCost } = run;
  const results = await graph.subscribe(admitted.prepared, variables, context);
  if (!('next' in results)) return withEntries(results, admitted.prepared);
  const charged = resumes(run) ? chargedEvents(results, run) : results;
  if (!reportsCost) return charged;
  let cost = reportOf(requested, requested, budget.standing());
  const withCostOnce = (result: GraphResult) => {
    const whole = withCost(result, cost);
    cost = undefined;
    return Promise.resolve(whole);
  };
  return mapAnswers(charged, withCostOnce, context);
}

/** Whether the subscription begins with events of the past. */
function resumes({ admitted, variables }: PaidRun): boolean {
  return admitted.prepared.operation.selectionSet.selections.some(
    (node) =>
      node.kind !== Kind.FIELD ||
      node.arguments?.some(
        ({ name, value }) => name.value === 'since' && valueFromASTUntyped(value, variables) != null,
      ) === true,
  );
}

/** Charges each event by what came with it. Once the caller's points are used up, the stream ends with that error: it is resumed after the last event. */
function chargedEvents(
  events: GraphResultStream,
  { admitted, variables, budget, context }: PaidRun,
): GraphResultStream {
  let isOver = false;
  const next = async () => {
    if (isOver) return finished;
    const { done, value } = await events.next();
    if (done === true) return finished;
    try {
      await budget.spend(admitted.cost.actual(variables, value.data));
      return { done: false, value } as const;
    } catch (error) {
      isOver = true;
      await events.return?.();
      return { done: false, value: failure(error, context) } as const;
    }
  };
  return asyncIterator<GraphResult>(next, () => events.return?.());
}
