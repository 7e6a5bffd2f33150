import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket, WebSocketServer } from 'ws';
import { ApiError } from '../../shared/kernel/errors.js';
import { isBusy } from '../http/limits/connections.js';

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly response: ServerResponse;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

declare module 'fastify' {
  interface FastifyContextConfig {
    takesSockets?: boolean;
  }
}

/** Routes upgrade requests like any other request, so that the edge's hooks see them. A route that accepts no WebSocket refuses them. */
export function routeUpgrades(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isLost = wantsSocket(request) && request.routeOptions.config.takesSockets !== true;
    done(isLost ? new ApiError('BAD_REQUEST', { message: 'This path accepts no WebSocket' }) : undefined);
  });
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // An earlier request of the connection has no response yet, or has ended the connection. A client must have all responses before it changes the
    // protocol (RFC 9110 §7.8 asks the server to respond in order): the 101 cannot be written between them.
    if (socket.destroyed || isBusy(socket)) socket.destroy();
    else if (request.headers.upgrade?.toLowerCase() === 'websocket') routeUpgrade(app, request, { socket, head });
    else readAgain(app, request, socket, head);
  });
}

function routeUpgrade(
  app: FastifyInstance,
  request: IncomingMessage,
  { socket, head }: Pick<Upgrade, 'socket' | 'head'>,
): void {
  const response = new ServerResponse(request);
  upgrades.set(request, { socket, head, response });
  socket.on('error', () => socket.destroy());
  response.assignSocket(socket as AssignableSocket);
  // A client that gets a response instead of a WebSocket is done.
  response.once('finish', () => {
    if (upgrades.has(request)) socket.end();
  });
  app.edgeMaker.gate.pass(request, response, () => app.routing(request, response));
}

/** Node passes any duplex stream to listeners of upgrades; its types of a response know sockets only. */
type AssignableSocket = Parameters<ServerResponse['assignSocket']>[0];

/** Repeats a request without its offer of a protocol like `h2c`, which is to be ignored (RFC 9110 §7.8): Node's parser has stopped before the body. */
function readAgain(app: FastifyInstance, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method ?? ''} ${request.url ?? ''} HTTP/${request.httpVersion}`];
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2);
    if (!/^(upgrade|http2-settings|connection)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  app.server.emit('connection', socket);
}

export function wantsSocket(request: FastifyRequest): boolean {
  return upgrades.has(request.raw);
}

/** Upgrades the request's connection to a WebSocket. Do not use the reply afterwards. */
export function takeSocket(server: WebSocketServer, request: FastifyRequest, reply: FastifyReply): Promise<WebSocket> {
  const upgrade = upgrades.get(request.raw);
  if (upgrade === undefined) throw new Error('The request does not ask for a WebSocket');
  upgrades.delete(request.raw);
  reply.hijack();
  request.server.edgeMaker.gate.leave(request.raw);
  const { socket, head, response } = upgrade;
  response.detachSocket(socket as AssignableSocket);
  return new Promise((resolve) => server.handleUpgrade(request.raw, socket, head, resolve));
}
