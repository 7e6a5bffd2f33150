import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OperationTypeNode, type ExecutionArgs } from 'graphql';
import {
  CloseCode,
  handleProtocols,
  makeServer,
  type Context as Connection,
  type OperationResult,
  type Server,
  type SubscribePayload,
} from 'graphql-ws';
import { WebSocketServer, type WebSocket } from 'ws';
import { createContext, type Context, type Principal } from '../../shared/context.js';
import { Fault } from '../../shared/errors.js';
import { newId } from '../../shared/ids.js';
import type { Logger } from '../../shared/log.js';
import { failure } from '../../shared/subgraph/mask.js';
import { credentialOf, presents, type Callers, type Credential } from '../edge/rules.js';
import type { Graph } from '../graph.js';
import type { Operations } from './operations.js';
import { pay, purseOf } from './purse.js';
import type { Seats } from './seats.js';
import { takeSocket } from './upgrade.js';

export interface SocketOptions {
  readonly graph: Graph;
  readonly operations: Operations;
  readonly callers: Callers;
  /** The text of the document that a message names. */
  textOf(payload: SubscribePayload): string;
  readonly seats: Seats;
  readonly timing?: Partial<SocketTiming>;
}

export interface SocketTiming {
  /** How often the peer is pinged; one that has not answered by the next time is let go. */
  readonly keepAliveMs: number;
  /** How long a revoked or expired credential can keep a socket on which nothing is begun. */
  readonly recheckMs: number;
}

const usual: SocketTiming = { keepAliveMs: 30_000, recheckMs: 10_000 };
/** Operations under way at once on one socket. */
const maxOperations = 100;
const maxMessageBytes = 1_048_576;
const closeDeadlineMs = 3_000;

/** One client's connection, as far as the protocol does not keep it. */
interface Peer {
  readonly socket: WebSocket;
  readonly request: FastifyRequest;
  principal: Principal;
  credential: Credential | undefined;
}

export interface Sockets {
  /** Makes the request's connection a graphql-ws socket. */
  accept(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Tells every client to go, and waits for them for a while. */
  close(): Promise<void>;
}

/** Operations over WebSocket, in the graphql-transport-ws protocol. */
export function createSockets(app: FastifyInstance, options: SocketOptions): Sockets {
  const timing = { ...usual, ...options.timing };
  const upgrades = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, handleProtocols });
  const server = protocolServer(app, options);
  const { log } = app.edgeMaker.parts;
  return {
    accept: async (request, reply) => {
      options.seats.take(request.ip, request.raw.socket);
      const socket = await takeSocket(upgrades, request, reply);
      const credential = credentialOf('optional', request.headers);
      const peer: Peer = { socket, request, principal: request.edge.principal, credential };
      const stopWatching = watch(peer, { callers: options.callers, log, timing });
      const closed = server.opened(
        {
          protocol: socket.protocol,
          send: (text) => sendText(socket, text),
          close: (code, reason) => {
            socket.close(code, reason);
          },
          onMessage: (receive) => {
            socket.on('message', (data: Buffer) => {
              receive(data.toString('utf8')).catch((error: unknown) => {
                log.error({ err: error, requestId: request.id }, 'A message to a GraphQL socket failed');
                socket.close(CloseCode.InternalServerError, 'Internal server error');
              });
            });
          },
        },
        peer,
      );
      socket.on('error', (error) => {
        log.info({ err: error, requestId: request.id }, 'A GraphQL socket failed');
        socket.terminate();
      });
      socket.once('close', (code) => {
        stopWatching();
        closed(code).catch((error: unknown) => {
          log.error({ err: error, requestId: request.id }, 'A GraphQL socket could not be cleared away');
        });
      });
    },
    close: async () => {
      const { clients } = upgrades;
      for (const client of clients) client.close(1001, 'Going away');
      const deadline = Date.now() + closeDeadlineMs;
      while (clients.size > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
      for (const client of clients) client.terminate();
    },
  };
}

function protocolServer(app: FastifyInstance, options: SocketOptions): Server<Peer> {
  const { graph, operations, callers } = options;
  const { edgeMaker } = app;
  const { parts } = edgeMaker;
  const runs = new WeakMap<ExecutionArgs, () => OperationResult>();
  const run = (args: ExecutionArgs): OperationResult => {
    const begun = runs.get(args);
    if (begun === undefined) throw new Error('An operation came without its run');
    return begun();
  };

  /** Measures, pays for and prepares an operation. */
  const begin = async (peer: Peer, payload: SubscribePayload, context: Context): Promise<ExecutionArgs> => {
    const { principal, request } = peer;
    const variables = payload.variables ?? {};
    const purse = purseOf(edgeMaker, { principal, ip: request.ip });
    const document = operations.read(options.textOf(payload));
    const admitted = await operations.admit(document, payload.operationName, purse.spend);
    await pay(admitted, variables, purse);
    const { prepared } = admitted;
    callers.touch(principal);
    const args: ExecutionArgs = { schema: graph.apiSchema, document: prepared.document };
    const subscribes = prepared.operation.operation === OperationTypeNode.SUBSCRIPTION;
    runs.set(args, () =>
      subscribes ? graph.subscribe(prepared, variables, context) : graph.run(prepared, variables, context),
    );
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
        log: parts.log.child({ requestId }),
      });
      try {
        // Counted before anything is awaited, when those that came later are not there yet.
        if (Object.keys(subscriptions).length > maxOperations) {
          throw new Fault('TOO_MANY_REQUESTS', {
            message: `A socket holds at most ${maxOperations} operations at once`,
          });
        }
        if (!(await recheck(peer, callers))) throw new Fault('UNAUTHORIZED');
        return await begin(peer, payload, { ...context, principal: peer.principal });
      } catch (error) {
        return failure(error, context).errors;
      }
    },
    execute: run,
    subscribe: run,
  });
}

/** Takes the credential of the first message, where it brings one, in place of the upgrade's. */
async function identify(
  { extra: peer, connectionParams = {} }: Connection<Record<string, unknown>, Peer>,
  callers: Callers,
): Promise<boolean> {
  const headers = Object.fromEntries(
    Object.entries(connectionParams).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
    ),
  );
  if (!presents('optional', headers)) return true;
  const credential = credentialOf('optional', headers);
  const principal = credential && (await callers.authenticate(credential));
  if (principal === undefined) {
    peer.socket.close(CloseCode.Unauthorized, 'Unauthorized');
    return false;
  }
  Object.assign(peer, { credential, principal });
  return true;
}

/** Pings the peer, and looks again whether its credential is still good. */
function watch(peer: Peer, parts: { callers: Callers; log: Logger; timing: SocketTiming }): () => void {
  const { socket, request } = peer;
  const { keepAliveMs, recheckMs } = parts.timing;
  let alive = true;
  socket.on('pong', () => {
    alive = true;
  });
  const pings = setInterval(() => {
    if (!alive) {
      socket.terminate();
      return;
    }
    alive = false;
    socket.ping();
  }, keepAliveMs);
  const checks = setInterval(() => {
    recheck(peer, parts.callers).catch((error: unknown) => {
      // Nobody can tell now; the next time somebody may.
      parts.log.warn({ err: error, requestId: request.id }, 'The credential of a socket could not be checked');
    });
  }, recheckMs);
  return () => {
    clearInterval(pings);
    clearInterval(checks);
  };
}

/** Looks again at a peer's credential. One whose credential is no longer good is sent away, and the answer is false. */
async function recheck(peer: Peer, callers: Callers): Promise<boolean> {
  if (peer.credential === undefined) return true;
  const principal = await callers.authenticate(peer.credential);
  if (principal === undefined) {
    peer.socket.close(CloseCode.Unauthorized, 'The credential is no longer valid');
    return false;
  }
  peer.principal = principal;
  return true;
}

function sendText(socket: WebSocket, text: string): Promise<void> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve();
  return new Promise((resolve, reject) => {
    socket.send(text, (error) => {
      if (error instanceof Error) reject(error);
      else resolve();
    });
  });
}
