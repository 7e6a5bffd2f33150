import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  OperationTypeNode,
  type DocumentNode,
  type ExecutionArgs,
  Kind,
  valueFromASTUntyped,
  type OperationDefinitionNode,
} from 'graphql';
import {
  CloseCode,
  makeServer,
  type Context as Connection,
  type OperationResult,
  type Server,
  type SubscribePayload,
} from 'graphql-ws';
import { createContext, type CallOrigin, type Context, type Principal } from '../../shared/kernel/context.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { newId } from '../../shared/kernel/ids.js';
import type { GraphResult, GraphResultStream } from '../../shared/graphql/executor.js';
import { failure } from '../../shared/graphql/mask.js';
import { networkOf } from '../../shared/kernel/network.js';
import { credentialOf, presents, refusalOf, type Callers, type Credential } from '../http/route-policy.js';
import type { Graph } from '../graph/graph.js';
import { createSharedRuns } from '../live/shared-runs.js';
import type { SubscriptionLimiter } from '../live/subscription-limiter.js';
import { subscribeAlone, subscribeShared, type SubscriptionParts } from '../live/shared-subscription.js';
import type { BoundedSocket } from './bounded-socket.js';
import type { HeldMessages } from './socket-limits.js';
import { leastNewPoints, type Operations } from './operations.js';
import { runPaid, withEntries } from './apollo.js';
import {
  asksForCost,
  costBudgetOf,
  pay,
  type CostBudget,
  type PaidRun,
  reportOf,
  withCost,
} from '../graph/limits/cost-budget.js';
import { asyncIterator, finished } from '../../shared/kernel/async-iterator.js';
import type { Variables } from '../../shared/graphql/variables.js';
import { countReader, untilEnd } from '../live/metrics.js';
import { mapResults } from '../graph/streams.js';

/** State of one client's connection that the protocol's library does not keep. */
export interface Peer {
  readonly request: FastifyRequest;
  readonly held: HeldMessages;
  readonly close: BoundedSocket['close'];
  principal: Principal;
  credential: Credential | undefined;
  /** Whether the client asks for the cost of its operations, by the headers of the upgrade or the first message. */
  reportsCost: boolean;
}

export interface OperationOptions {
  readonly graph: Graph;
  readonly operations: Operations;
  readonly callers: Callers;
  readonly subscriptionLimiter: SubscriptionLimiter;
  textOf(payload: SubscribePayload): string;
}

const maxOperations = 100;

/** Creates the server side of the graphql-transport-ws protocol: it identifies callers and runs the operations of their messages. */
export function protocolServer(app: FastifyInstance, options: OperationOptions): Server<Peer> {
  const { graph, operations, callers } = options;
  const { edgeMaker } = app;
  const { parts } = edgeMaker;
  const shared = { graph, runs: createSharedRuns<GraphResult>(), limiter: options.subscriptionLimiter };
  const operationsBegun = new WeakMap<ExecutionArgs, () => OperationResult>();
  const run = (args: ExecutionArgs): OperationResult => {
    const begun = operationsBegun.get(args);
    if (begun === undefined) throw new Error('The operation was not prepared');
    return begun();
  };
  const placed = <T>({ request }: Peer, work: () => T | Promise<T>): Promise<T> =>
    edgeMaker.admission.placed(networkOf(request.ip), work);

  const begin = async (peer: Peer, payload: SubscribePayload, context: Context): Promise<ExecutionArgs> => {
    const { principal, request } = peer;
    const variables = payload.variables ?? {};
    const budget = costBudgetOf(edgeMaker, { principal, ip: request.ip });
    const document = await readDocument(operations, options.textOf(payload), budget);
    const admitted = await operations.admit(document, payload.operationName, budget.spend);
    const run: PaidRun = { admitted, variables, budget, context, reportsCost: peer.reportsCost };
    const cost = await pay(run);
    const { prepared } = admitted;
    callers.touch(principal);
    const args: ExecutionArgs = { schema: graph.apiSchema, document: prepared.document };
    const subscribes = prepared.operation.operation === OperationTypeNode.SUBSCRIPTION;
    const work = () => (subscribes ? subscribePaid(shared, run, cost) : runPaid(graph, run, cost));
    operationsBegun.set(args, () => placed(peer, work).catch((error: unknown) => failure(error, context)));
    return args;
  };

  return makeServer<Record<string, unknown>, Peer>({
    onConnect: (connection) => identify(connection, callers),
    onSubscribe: async ({ extra: peer, subscriptions }, _id, payload) => {
      const requestId = newId();
      const context = createContext({
        ...parts,
        requestId,
        principal: peer.principal,
        ip: peer.request.ip,
        userAgent: peer.request.headers['user-agent'],
        log: parts.log.child({ requestId }),
      });
      try {
        // Counted before the first await: operations that come later must not be counted yet.
        if (Object.keys(subscriptions).length > maxOperations)
          throw new ApiError('TOO_MANY_REQUESTS', {
            message: `A socket holds at most ${maxOperations} operations at once: complete one first, or open another socket`,
          });
        peer.held.demand();
        if (!(await recheck(peer, callers))) throw refusalOf('optional', peer.credential);
        return await placed(peer, () => begin(peer, payload, { ...context, principal: peer.principal }));
      } catch (error) {
        return failure(error, context).errors;
      }
    },
    execute: run,
    subscribe: run,
  });
}

/** Parses a document. One that cannot be read is charged like a new one, since it caused the same work. */
async function readDocument(operations: Operations, text: string, { spend }: CostBudget): Promise<DocumentNode> {
  try {
    return operations.read(text);
  } catch (error) {
    await spend(leastNewPoints);
    throw error;
  }
}

/** Identifies the caller by the credential of the first message, if it has one, in place of the upgrade's. */
async function identify(
  { extra: peer, connectionParams = {} }: Connection<Record<string, unknown>, Peer>,
  callers: Callers,
): Promise<boolean> {
  const headers = Object.fromEntries(
    Object.entries(connectionParams).flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name.toLowerCase(), value]] : [],
    ),
  );
  peer.reportsCost ||= asksForCost(headers);
  if (!presents('optional', headers)) return true;
  const credential = credentialOf('optional', headers);
  const principal = credential && (await callers.authenticate(credential, originOf(peer)));
  if (principal === undefined) {
    peer.close(CloseCode.Unauthorized, 'Unauthorized');
    return false;
  }
  Object.assign(peer, { credential, principal });
  return true;
}

/** Checks a peer's credential again and disconnects it if it may do less than before. Returns whether the peer may stay. */
export async function recheck(peer: Peer, callers: Callers): Promise<boolean> {
  if (peer.credential === undefined) return true;
  const principal = await callers.authenticate(peer.credential, originOf(peer));
  if (principal === undefined) {
    peer.close(CloseCode.Unauthorized, 'The credential is no longer valid');
    return false;
  }
  const isHeldBack = principal.browser?.due !== undefined && peer.principal.browser?.due === undefined;
  if (isHeldBack || peer.principal.scopes.some((scope) => !principal.scopes.includes(scope))) {
    peer.close(CloseCode.Unauthorized, 'The credential has fewer permissions than before: connect again');
    return false;
  }
  peer.principal = principal;
  return true;
}

function originOf({ request: { ip, id: requestId } }: Peer): CallOrigin {
  return { ip, requestId };
}

const resumingArguments: ReadonlySet<string> = new Set(['since', 'lastEventId']);
/** Maximum number of events of a resumed subscription that are charged: no more are replayed after a cursor, and the later ones are live. */
const maxCharged = 1_000;

/** Begins a charged subscription; the first result reports its cost. Later events are free, but for the first thousand of a resumed one, which come at once. */
export async function subscribePaid(
  parts: SubscriptionParts,
  run: PaidRun,
  requested: number,
): Promise<GraphResultStream | GraphResult> {
  const { admitted, variables, budget, context, reportsCost } = run;
  const { prepared } = admitted;
  const isResumed = resumes(run);
  // A reader who resumes begins somewhere else than all others.
  const results = isResumed
    ? await subscribeAlone(parts, { prepared, variables, context })
    : await subscribeShared(parts, { prepared, variables, context });
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

/** Charges each event by its data. When the caller's points are used up, the stream ends with the error of the limiter; the client can resume after the last event. */
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
