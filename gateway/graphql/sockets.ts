import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CloseCode, handleProtocols } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { credentialIn } from '../edge/browser-cookie.js';
import { pointsOfBytes } from '../edge/points.js';
import { bucketOf } from '../edge/route-policy.js';
import { boundSocket } from './bounded-socket.js';
import { boundHeldMessages } from './held-messages.js';
import { asksForCost, operationBucket } from './cost-budget.js';
import type { ConnectionLimiter } from './connection-limiter.js';
import { createRounds } from './rounds.js';
import type { SendBudget } from './send-budget.js';
import { maxMessageBytes, readMessage } from './socket-messages.js';
import { protocolServer, recheck, type OperationOptions, type Peer } from './socket-operations.js';
import { closeFor, createSocketUpgrades } from './socket-upgrades.js';

export interface SocketOptions extends OperationOptions {
  readonly connectionLimiter: ConnectionLimiter;
  readonly budget: SendBudget;
  /** For tests: the interval of pings, in milliseconds. */
  readonly heartbeatMs: number | undefined;
}

export interface Sockets {
  /** Upgrades the request's connection to a graphql-ws socket. */
  accept(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Asks every client to disconnect, and waits for them for a limited time. */
  close(): Promise<void>;
}

/** Serves operations over WebSocket, in the graphql-transport-ws protocol. */
export function createSockets(app: FastifyInstance, options: SocketOptions): Sockets {
  const rounds = createRounds(options.heartbeatMs);
  const upgrades = createSocketUpgrades({
    departure: app.edgeMaker.departure,
    connectionLimiter: options.connectionLimiter,
    maxMessageBytes,
    handleProtocols,
  });
  const server = protocolServer(app, options);
  const { log } = app.edgeMaker.parts;
  const newHeld = boundHeldMessages();

  const serve = (socket: WebSocket, request: FastifyRequest) => {
    const failed = (error: unknown) => {
      const { code, reason } = closeFor(error, log, request.id);
      bounded.close(code, reason);
    };
    let receive: (text: string) => Promise<void> = () => Promise.resolve();
    const bounded = boundSocket(socket, {
      stream: request.raw.socket,
      budget: options.budget,
      pointsOf: (bytes) => pointsOfBytes(operationBucket, bytes, app.edgeMaker.rateLimits.graphql),
      charge: (points) => charge(app, peer, points),
      onMessage: (data) => {
        const message = readMessage(data);
        if ('wrong' in message) bounded.close(CloseCode.BadRequest, message.wrong);
        else peer.held.hold(message.text.length, receive(message.text).catch(failed));
      },
    });
    const peer: Peer = {
      request,
      held: newHeld(),
      close: bounded.close,
      principal: request.edge.principal,
      credential: credentialIn('optional', request),
      reportsCost: asksForCost(request.headers),
    };
    rounds.keep({
      socket,
      recheck: () => {
        recheck(peer, options.callers).catch((error: unknown) => {
          // The credential cannot be checked now; the next check may succeed.
          log.warn({ err: error, requestId: request.id }, 'The credential of a socket could not be checked');
        });
      },
    });
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
      closed(code).catch((error: unknown) =>
        log.error({ err: error, requestId: request.id }, 'A GraphQL socket could not be cleared away'),
      );
    });
  };

  return {
    accept: async (request, reply) => {
      serve(await upgrades.take(request, reply), request);
    },
    close: () => upgrades.close(),
  };
}

/** Spends points of a peer's rate limit; false when there are not enough. */
async function charge(app: FastifyInstance, { principal, request }: Peer, points: number): Promise<boolean> {
  const { limiter, rateLimits } = app.edgeMaker;
  return (await limiter.take(bucketOf(operationBucket, rateLimits, principal, request.ip), points)).allowed;
}
