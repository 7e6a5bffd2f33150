import type { FastifyReply, FastifyRequest } from 'fastify';
import { CloseCode } from 'graphql-ws';
import { WebSocketServer, type ServerOptions, type WebSocket } from 'ws';
import { logUnavailable } from '../../shared/database/log-unavailable.js';
import { ApiError, apiErrorFrom } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/log.js';
import type { Departure } from '../http/reply/departure.js';
import { boundedServerOptions, closeCodes } from './bounded-socket.js';
import type { ConnectionLimiter } from './socket-limits.js';
import { takeSocket } from './upgrade.js';

const closeDeadlineMs = 3_000;
/** Close codes of RFC 6455 and its registry. */
const goingAway = 1001;
const serviceRestart = 1012;

export interface SocketUpgradesOptions {
  readonly departure: Departure;
  readonly connectionLimiter: ConnectionLimiter;
  readonly maxMessageBytes: number;
  readonly handleProtocols: NonNullable<ServerOptions['handleProtocols']>;
}

export interface SocketUpgrades {
  /** Upgrades the request's connection to a WebSocket and takes a place for it. @throws {ApiError} BAD_REQUEST, TOO_MANY_REQUESTS, UNAVAILABLE */
  take(request: FastifyRequest, reply: FastifyReply): Promise<WebSocket>;
  close(): Promise<void>;
}

export function createSocketUpgrades({
  departure,
  connectionLimiter,
  maxMessageBytes,
  handleProtocols,
}: SocketUpgradesOptions): SocketUpgrades {
  const server = new WebSocketServer({
    ...boundedServerOptions,
    noServer: true,
    maxPayload: maxMessageBytes,
    handleProtocols,
  });
  departure.during((ms) => {
    const clients = [...server.clients];
    // Evenly, so that those who connect again do not all come at once.
    for (const [index, client] of clients.entries()) {
      setTimeout(
        leave,
        (ms * index) / clients.length,
        client,
        serviceRestart,
        'The service restarts: connect again',
      ).unref();
    }
  });
  return {
    take: (request, reply) => {
      demandHttp11(request);
      connectionLimiter.take(request.ip, request.raw.socket);
      return takeSocket(server, request, reply);
    },
    close: async () => {
      const { clients } = server;
      for (const client of clients) leave(client, goingAway, 'Going away');
      const deadline = Date.now() + closeDeadlineMs;
      while (clients.size > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
      for (const client of clients) client.terminate();
    },
  };
}

/** Closes a socket. A paused socket is resumed first, so that the close reply is read. */
function leave(client: WebSocket, code: number, reason: string): void {
  client.resume();
  client.close(code, reason);
}

/** Returns close code and reason for a failure that the client did not cause. */
export function closeFor(error: unknown, log: Logger, requestId: string): { code: number; reason: string } {
  if (logUnavailable(log, apiErrorFrom(error))) {
    return { code: closeCodes.tryAgainLater, reason: 'The database cannot be reached: try again later' };
  }
  log.error({ err: error, requestId }, 'A message to a socket failed');
  return { code: CloseCode.InternalServerError, reason: 'Internal server error' };
}

/** Requires HTTP/1.1, the only version with upgrades (RFC 9110 §7.8, RFC 6455 §4.1). @throws {ApiError} BAD_REQUEST */
function demandHttp11({ raw }: FastifyRequest): void {
  if (raw.httpVersion === '1.1') return;
  const message = `must be HTTP/1.1 for a WebSocket, and is HTTP/${raw.httpVersion}`;
  throw new ApiError('BAD_REQUEST', { details: [{ path: 'HTTP version', message }] });
}
