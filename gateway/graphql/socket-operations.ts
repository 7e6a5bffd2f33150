import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OperationTypeNode, type DocumentNode, type ExecutionArgs } from 'graphql';
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
import type { GraphResult } from '../../shared/graphql/executor.js';
import { failure } from '../../shared/graphql/mask.js';
import { networkOf } from '../../shared/kernel/network.js';
import { credentialOf, presents, refusalOf, type Callers, type Credential } from '../http/route-policy.js';
import type { Graph } from '../graph/graph.js';
import { createSharedRuns } from '../live/shared-runs.js';
import type { SubscriptionLimiter } from '../live/subscription-limiter.js';
import { subscribePaid } from './paid-subscription.js';
import type { Placed } from '../live/shared-subscription.js';
import type { BoundedSocket } from './bounded-socket.js';
import type { HeldMessages } from './held-messages.js';
import { leastNewPoints, type Operations } from './operations.js';
import { runPaid } from './apollo.js';
import { asksForCost, costBudgetOf, pay, type CostBudget, type PaidRun } from '../graph/limits/cost-budget.js';

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
  /** Returns the text of the document that a message identifies. */
  textOf(payload: SubscribePayload): string;
}

/** Maximum number of concurrent operations on one socket. */
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

  /** Measures, charges and prepares an operation. */
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
    const own: Placed = (work) => placed(peer, work);
    const work = () =>
      subscribes ? subscribePaid(shared, run, { requested: cost, placed: own }) : runPaid(graph, run, cost);
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

/**
 * Checks a peer's credential again. The peer is disconnected when the credential is no longer valid, or may do less than before: the scopes
 * of running operations are not checked again. Returns whether the peer may stay.
 */
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
