import type { Context } from '../../shared/kernel/context.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import type { GraphResult, GraphResultStream } from '../../shared/graphql/executor.js';
import type { Variables } from '../../shared/graphql/variables.js';
import type { Graph } from '../graph/graph.js';
import type { SharedRuns } from './shared-runs.js';
import type { SubscriptionLimiter } from './subscription-limiter.js';
import type { Prepared, Sharing } from '../graph/operation.js';
import { withoutCaller } from '../graphql/public-reads.js';
import { SharedResults } from './shared-results.js';

export interface SubscriptionParts {
  readonly graph: Graph;
  readonly runs: SharedRuns<GraphResult>;
  readonly limiter: SubscriptionLimiter;
}

export interface Subscribed {
  readonly prepared: Prepared;
  readonly variables: Variables;
  readonly context: Context;
}

/** Begins a subscription in a run shared with readers who get exactly the same, or its own. The graph checks each reader's access and arguments. */
export async function subscribeShared(
  parts: SubscriptionParts,
  { prepared, variables, context }: Subscribed,
): Promise<GraphResultStream | GraphResult> {
  const { sharing } = prepared;
  const begin = (own: Context) => subscribeAlone(parts, { prepared, variables, context }, own);
  if (sharing === undefined) return begin(context);
  const own = contextOf(sharing, context);
  const results = new SharedResults(sharing, own, {
    leave: () => membership.leave(),
    took: () => membership.took(),
  });
  const isState = sharing.begins === 'latest';
  // A market is what its symbol says; events are those of a thing that was found by its name.
  const needsSubject = !isState || sharing.readers !== 'everyone';
  const options = { make: (result: GraphResult) => result, startsWithLatest: isState, needsSubject };
  // Before the reader's own stream begins, so that nothing comes between the two.
  const membership = parts.runs.join(keyOf(sharing, variables, own), options, results);
  const begun = await begin(own);
  if ('next' in begun && membership.supply(begun)) return results.stream();
  await results.leave();
  return begun;
}

/** Begins a stream of a reader's own, in a place of its caller. @param own the context in which it runs, which may say less about the caller */
export function subscribeAlone(
  { graph, limiter }: SubscriptionParts,
  { prepared, variables, context }: Subscribed,
  own: Context = context,
): Promise<GraphResultStream | GraphResult> {
  return limiter.within(context, () => graph.subscribe(prepared, variables, own));
}

/** All readers without a credential get the same, since it is read without its caller. */
function contextOf({ readers }: Sharing, context: Context): Context {
  return readers === 'equal' && context.principal.kind === 'ANONYMOUS' ? withoutCaller(context) : context;
}

function keyOf({ text, readers }: Sharing, variables: Variables, { principal }: Context): string {
  const { kind, id, ownerId, scopes, browser } = principal;
  const reader = readers === 'everyone' ? null : [kind, id, ownerId, scopes.toSorted(), browser];
  return JSON.stringify(canonical([text, variables, reader]));
}

/** Returns a value with the members of all its objects in the order of their names. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, canonical(member)]));
}
