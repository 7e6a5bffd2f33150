import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CloseCode, handleProtocols } from 'graphql-ws';
import { WebSocketServer, type WebSocket } from 'ws';
import { tellUnavailable } from '../../shared/database/tell-unavailable.js';
import { Fault, faultFrom } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import { pointsOfBytes } from '../edge/points.js';
import { bucketOf, credentialOf, type Callers } from '../edge/rules.js';
import { boundedServerOptions, boundSocket, closeCodes, type SocketBounds } from './bounded-socket.js';
import { boundHeldMessages } from './held-messages.js';
import { operationBucket } from './purse.js';
import type { Seats } from './seats.js';
import { createSendBudget } from './send-budget.js';
import { maxMessageBytes, readMessage } from './socket-messages.js';
import { protocolServer, recheck, type OperationOptions, type Peer } from './socket-operations.js';
import { takeSocket } from './upgrade.js';

export interface SocketOptions extends OperationOptions {
  readonly seats: Seats;
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
const closeDeadlineMs = 3_000;

export interface Sockets {
  /** Makes the request's connection a graphql-ws socket. */
  accept(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Tells every client to go, and waits for them for a while. */
  close(): Promise<void>;
}

/** Operations over WebSocket, in the graphql-transport-ws protocol. */
export function createSockets(app: FastifyInstance, options: SocketOptions): Sockets {
  const timing = { ...usual, ...options.timing };
  const upgrades = new WebSocketServer({
    ...boundedServerOptions,
    noServer: true,
    maxPayload: maxMessageBytes,
    handleProtocols,
  });
  const server = protocolServer(app, options);
  const { log } = app.edgeMaker.parts;
  const budget = createSendBudget();
  const newHeld = boundHeldMessages();

  const serve = (socket: WebSocket, request: FastifyRequest) => {
    const failed = (error: unknown) => {
      const { code, reason } = closeFor(error, log, request.id);
      bounded.close(code, reason);
    };
    let receive: (text: string) => Promise<void> = () => Promise.resolve();
    const bounded = boundSocket(socket, {
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
      demandHttp11(request);
      options.seats.take(request.ip, request.raw.socket);
      serve(await takeSocket(upgrades, request, reply), request);
    },
    close: async () => {
      const { clients } = upgrades;
      for (const client of clients) {
        client.resume();
        client.close(1001, 'Going away');
      }
      const deadline = Date.now() + closeDeadlineMs;
      while (clients.size > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
      for (const client of clients) client.terminate();
    },
  };
}

/** Close code and reason when the handling of a message failed and the client made no mistake. */
function closeFor(error: unknown, log: Logger, requestId: string): { code: number; reason: string } {
  if (tellUnavailable(log, faultFrom(error))) {
    return { code: closeCodes.tryAgainLater, reason: 'The database cannot be reached: try again later' };
  }
  log.error({ err: error, requestId }, 'A message to a GraphQL socket failed');
  return { code: CloseCode.InternalServerError, reason: 'Internal server error' };
}

/** Spends points of a peer's rate limit; false when they are not there. */
async function charge(app: FastifyInstance, { principal, request }: Peer, points: number): Promise<boolean> {
  const { limiter, limits } = app.edgeMaker;
  return (await limiter.take(bucketOf(operationBucket, limits, principal, request.ip), points)).allowed;
}

/** An upgrade is a matter of HTTP/1.1 (RFC 9110 §7.8, RFC 6455 §4.1). @throws {Fault} BAD_REQUEST */
function demandHttp11({ raw }: FastifyRequest): void {
  if (raw.httpVersion === '1.1') return;
  const message = `must be HTTP/1.1 for a WebSocket, and is HTTP/${raw.httpVersion}`;
  throw new Fault('BAD_REQUEST', { details: [{ path: 'HTTP version', message }] });
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
