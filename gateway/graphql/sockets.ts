import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CloseCode, handleProtocols } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Logger } from '../../shared/log.js';
import { pointsOfBytes } from '../edge/points.js';
import { bucketOf, credentialOf, type Callers } from '../edge/route-policy.js';
import { boundSocket, type SocketBounds } from './bounded-socket.js';
import { boundHeldMessages } from './held-messages.js';
import { operationBucket } from './cost-budget.js';
import type { ConnectionLimiter } from './connection-limiter.js';
import { createSendBudget, type SendBudget } from './send-budget.js';
import { maxMessageBytes, readMessage } from './socket-messages.js';
import { protocolServer, recheck, type OperationOptions, type Peer } from './socket-operations.js';
import { closeFor, createSocketUpgrades } from './socket-upgrades.js';

export interface SocketOptions extends OperationOptions {
  readonly connectionLimiter: ConnectionLimiter;
  /** Shared with other transports; a budget of its own when not given. */
  readonly budget?: SendBudget;
  readonly timing?: Partial<SocketTiming>;
  /** For tests: smaller bounds. */
  readonly bounds?: Partial<SocketBounds>;
}

export interface SocketTiming {
  /** How often the peer is pinged; one that has not answered by the next time is let go. */
  readonly keepAliveMs: number;
  /** How long a revoked or expired credential can keep a socket on which nothing is begun. */
  readonly recheckMs: number;
}

const usual: SocketTiming = { keepAliveMs: 30_000, recheckMs: 10_000 };

export interface Sockets {
  /** Makes the request's connection a graphql-ws socket. */
  accept(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Tells every client to go, and waits for them for a while. */
  close(): Promise<void>;
}

/** Operations over WebSocket, in the graphql-transport-ws protocol. */
export function createSockets(app: FastifyInstance, options: SocketOptions): Sockets {
  const timing = { ...usual, ...options.timing };
  const upgrades = createSocketUpgrades({
    connectionLimiter: options.connectionLimiter,
    maxMessageBytes,
    handleProtocols,
  });
  const server = protocolServer(app, options);
  const { log } = app.edgeMaker.parts;
  const { budget = createSendBudget() } = options;
  const newHeld = boundHeldMessages();

  const serve = (socket: WebSocket, request: FastifyRequest) => {
    const failed = (error: unknown) => {
      const { code, reason } = closeFor(error, log, request.id);
      bounded.close(code, reason);
    };
    let receive: (text: string) => Promise<void> = () => Promise.resolve();
    const bounded = boundSocket(socket, {
      stream: request.raw.socket,
      budget,
      ...(options.bounds === undefined ? {} : { bounds: options.bounds }),
      pointsOf: (bytes) => pointsOfBytes(operationBucket, bytes, app.edgeMaker.limits.graphql),
      charge: (points) => charge(app, peer, points),
      onMessage: (data) => {
        const text = readMessage(data);
        if (text === undefined) bounded.close(CloseCode.BadRequest, 'Invalid message received');
        else peer.held.hold(text.length, receive(text).catch(failed));
      },
    });
    const peer: Peer = {
      request,
      held: newHeld(),
      close: bounded.close,
      principal: request.edge.principal,
      credential: credentialOf('optional', request.headers),
    };
    const stopWatching = watch(peer, socket, { callers: options.callers, log, timing });
    const { send, close } = bounded;
    const onMessage = (listener: typeof receive) => {
      receive = listener;
    };
    const closed = server.opened({ protocol: socket.protocol, send, close, onMessage }, peer);
    socket.on('error', (error) => {
      // A frame that breaks the protocol: `ws` closes with the code for it.
      log.info({ err: error, requestId: request.id }, 'A GraphQL socket failed');
    });
    socket.once('close', (code) => {
      stopWatching();
      closed(code).catch((error: unknown) => {
        log.error({ err: error, requestId: request.id }, 'A GraphQL socket could not be cleared away');
      });
    });
  };

  return {
    accept: async (request, reply) => {
      serve(await upgrades.take(request, reply), request);
    },
    close: () => upgrades.close(),
  };
}

/** Spends points of a peer's rate limit; false when they are not there. */
async function charge(app: FastifyInstance, { principal, request }: Peer, points: number): Promise<boolean> {
  const { limiter, limits } = app.edgeMaker;
  return (await limiter.take(bucketOf(operationBucket, limits, principal, request.ip), points)).allowed;
}

/** Pings the peer, and looks again whether its credential is still good. */
function watch(
  peer: Peer,
  socket: WebSocket,
  { callers, log, timing }: { callers: Callers; log: Logger; timing: SocketTiming },
): () => void {
  let alive = true;
  socket.on('pong', () => {
    alive = true;
  });
  const pings = setInterval(() => {
    // While it is slow nothing of it is read, its pong neither; how long that may take is bounded elsewhere.
    if (socket.isPaused) return;
    if (!alive) {
      socket.terminate();
      return;
    }
    alive = false;
    socket.ping();
  }, timing.keepAliveMs);
  const checks = setInterval(() => {
    recheck(peer, callers).catch((error: unknown) => {
      // Nobody can tell now; the next time somebody may.
      log.warn({ err: error, requestId: peer.request.id }, 'The credential of a socket could not be checked');
    });
  }, timing.recheckMs);
  return () => {
    clearInterval(pings);
    clearInterval(checks);
  };
}
