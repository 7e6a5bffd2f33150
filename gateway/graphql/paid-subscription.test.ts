import { expect, test } from '@jest/globals';
import { buildSchema, getOperationAST, parse } from 'graphql';
import { testContext } from '../../tests/kit/context.js';
import { asyncIterator, finished } from '../../shared/kernel/async-iterator.js';
import { placed } from '../../shared/kernel/stream-place.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import type { Variables } from '../../shared/graphql/variables.js';
import type { Graph } from '../graph/graph.js';
import { createSharedRuns } from '../live/shared-runs.js';
import { createSubscriptionLimiter } from '../live/subscription-limiter.js';
import type { PaidRun } from '../graph/limits/cost-budget.js';
import { subscribePaid } from './socket-operations.js';

const graph: Graph = {
  apiSchema: buildSchema('type Query { now: Int }'),
  gateway: undefined as never,
  prepare: () => {
    throw new Error('Nothing is prepared here');
  },
  run: () => Promise.resolve({}),
  subscribe: () => {
    let end: () => void = () => undefined;
    const hasEnded = new Promise<void>((resolve) => (end = resolve));
    const stream = asyncIterator<GraphResult>(() => hasEnded.then(() => finished), end);
    return Promise.resolve(placed(stream, { subject: 'all ticks' }));
  },
};

const limiter = createSubscriptionLimiter({ max: 100, maxPerNetwork: 100, maxPerOwner: 100 });

/** Begins a subscription, and returns the number of runs that readers could share then. */
async function runsOf(text: string, variables: Variables): Promise<number> {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error('There is no operation');
  const spend = () => Promise.resolve();
  const run: PaidRun = {
    admitted: {
      prepared: { document, operation, sharing: { begins: 'events', readers: 'everyone', text } },
      cost: { requested: () => 1, actual: () => 1, ofEvent: () => 1, largest: () => undefined },
      guarded: 0,
      mutations: 0,
      maxCost: 1_000,
    },
    variables,
    budget: { spend, spendGuarded: spend, spendAgreed: spend, correct: spend, standing: () => undefined },
    context: testContext({ manager: undefined as never }),
    reportsCost: false,
  };
  const runs = createSharedRuns<GraphResult>();
  const stream = await subscribePaid({ graph, runs, limiter }, run, 1);
  if (!('next' in stream)) throw new Error('It did not begin');
  const { count } = runs;
  await stream.return?.();
  return count;
}

test('a reader whose document has the cursor as the default of a variable resumes, and shares no run', async () => {
  const text = 'subscription ($since: String = "c1") { ticks(since: $since) }';
  expect(await runsOf(text, {})).toBe(0);
  expect(await runsOf(text, { since: 'c2' })).toBe(0);
  // Null takes the place of the default.
  expect(await runsOf(text, { since: null })).toBe(1);
  expect(await runsOf('subscription ($since: String) { ticks(since: $since) }', {})).toBe(1);
});
