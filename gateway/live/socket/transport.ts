import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { anonymous } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { networkOf } from '../../../shared/kernel/network.js';
import { pointsOfBytes } from '../../http/limits/charge.js';
import { bucketOf, type Callers, type EdgeRules } from '../../http/route-policy.js';
import type { Graph } from '../../graph/graph.js';
import { boundSocket, type SocketBounds } from '../../graphql/bounded-socket.js';
import { operationBucket, costBudgetOf } from '../../graph/limits/cost-budget.js';
import { type ConnectionLimiter, boundHeldMessages, type SendBudget } from '../../graphql/socket-limits.js';
import { createRounds, type Rounds } from '../../graph/limits/rounds.js';
import { closeFor, createSocketUpgrades } from '../../graphql/socket-upgrades.js';
import { wantsSocket } from '../../graphql/upgrade.js';
import { createSharedRuns } from '../shared-runs.js';
import type { SubscriptionLimiter } from '../subscription-limiter.js';
import { prepareChannels } from './channels.js';
import { Connection, type ConnectionParts, type Peer } from './connection.js';
import { maxFrameBytes } from './read-frame.js';
import { plainFrame } from './server-frames.js';

export interface ChannelTransportOptions {
  readonly graph: Graph;
  readonly callers: Callers;
  /** Shared with the other transports over WebSocket. */
  readonly connectionLimiter: ConnectionLimiter;
  readonly subscriptionLimiter: SubscriptionLimiter;
  readonly budget: SendBudget;
  /** For tests: the interval of heartbeats, in milliseconds, and smaller limits. */
  readonly heartbeatMs?: number;
  readonly bounds?: Partial<SocketBounds>;
}

const path = '/ws';
const rules: EdgeRules = { credential: 'none', bucket: operationBucket };
const unsupportedData = 1003;

/** Serves live channels as plain JSON over WebSocket at `/ws` (PROTOCOL.md). The GraphQL interface routes the upgrades. */
export function channelTransport(app: FastifyInstance, options: ChannelTransportOptions): void {
  const { connectionLimiter } = options;
  const parts = connectionParts(app, options);
  const upgrades = createSocketUpgrades({
    departure: app.edgeMaker.departure,
    connectionLimiter,
    maxMessageBytes: maxFrameBytes,
    handleProtocols: () => false,
  });
  const rounds = createRounds(options.heartbeatMs);
  const newHeld = boundHeldMessages();

  app.get(path, { config: { edge: rules, takesSockets: true }, exposeHeadRoute: false }, async (request, reply) => {
    if (!wantsSocket(request))
      throw new ApiError('BAD_REQUEST', { message: 'Connect to this path by WebSocket (Upgrade: websocket)' });
    const socket = await upgrades.take(request, reply);
    const stream = request.raw.socket;
    serve(app, { socket, stream, caller: callerOf(request), parts, rounds, held: newHeld(), options });
  });
  app.addHook('preClose', () => upgrades.close());
}

function connectionParts(
  app: FastifyInstance,
  { graph, callers, subscriptionLimiter }: ChannelTransportOptions,
): ConnectionParts {
  const { edgeMaker } = app;
  return {
    graph,
    callers,
    prepared: prepareChannels(graph),
    runs: createSharedRuns<Buffer>(),
    limiter: subscriptionLimiter,
    context: edgeMaker.parts,
    costBudgetOf: (principal, ip) => costBudgetOf(edgeMaker, { principal, ip }),
    placed: (ip, work) => edgeMaker.admission.placed(networkOf(ip), work),
  };
}

/** The facts about the request that opened a socket; the request itself would take more memory than everything else. */
type Caller = Pick<Peer, 'ip' | 'requestId' | 'userAgent'>;

function callerOf({ ip, id, headers }: FastifyRequest): Caller {
  return { ip, requestId: id, userAgent: headers['user-agent'] };
}

interface Served {
  readonly socket: WebSocket;
  readonly stream: Duplex;
  readonly caller: Caller;
  readonly parts: ConnectionParts;
  readonly rounds: Rounds;
  readonly held: Peer['held'];
  readonly options: ChannelTransportOptions;
}

function serve(app: FastifyInstance, served: Served): void {
  const { socket, stream, caller, parts, rounds, held, options } = served;
  const { limiter, rateLimits } = app.edgeMaker;
  const { log, clock } = parts.context;
  const bounded = boundSocket(socket, {
    stream,
    budget: options.budget,
    ...(options.bounds === undefined ? {} : { bounds: options.bounds }),
    pointsOf: (bytes) => pointsOfBytes(operationBucket, bytes, rateLimits.graphql),
    charge: async (points) =>
      (await limiter.take(bucketOf(operationBucket, rateLimits, peer.principal, caller.ip), points)).allowed,
    onMessage: (data, isBinary) => {
      if (isBinary) bounded.close(unsupportedData, 'Send text messages');
      else connection.receive(data);
    },
  });
  const peer: Peer = {
    ...caller,
    held,
    send: bounded.send,
    close: bounded.close,
    principal: anonymous(caller.ip),
    failed: (error) => {
      const { code, reason } = closeFor(error, log, caller.requestId);
      bounded.close(code, reason);
    },
  };
  const connection = new Connection(parts, peer);
  rounds.keep({
    socket,
    onPing: () => void bounded.send(plainFrame('heartbeat', { timestamp: clock.now().toISOString() })),
    recheck: () => {
      connection.recheck().catch((error: unknown) => {
        // The tokens cannot be checked now; the next check may succeed.
        log.warn({ err: error, requestId: caller.requestId }, 'The tokens of a socket could not be checked');
      });
    },
  });
  socket.on('error', (error) => {
    // A frame that breaks the protocol: `ws` closes with the code for it.
    log.info({ err: error, requestId: caller.requestId }, 'A socket failed');
  });
  socket.once('close', () => connection.end());
}
