import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CloseCode, handleProtocols, MessageType, parseMessage, type Message } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { credentialIn } from '../http/identify/identify.js';
import { pointsOfBytes } from '../http/limits/charge.js';
import { bucketOf } from '../http/route-policy.js';
import { boundSocket } from './bounded-socket.js';
import { asksForCost, operationBucket } from '../graph/limits/cost-budget.js';
import { type ConnectionLimiter, boundHeldMessages, type SendBudget } from './socket-limits.js';
import { createRounds } from '../graph/limits/rounds.js';
import { protocolServer, recheck, type OperationOptions, type Peer } from './socket-operations.js';
import { closeFor, createSocketUpgrades } from './socket-upgrades.js';
import { jsonShapeError, maxJsonDepth, withoutMark } from '../../shared/kernel/json.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import { jsonOf, withoutEmptyParts } from './request-parts.js';

export interface SocketOptions extends OperationOptions {
  readonly connectionLimiter: ConnectionLimiter;
  readonly budget: SendBudget;
  /** For tests: the interval of pings, in milliseconds. */
  readonly heartbeatMs: number | undefined;
}

export interface Sockets {
  accept(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  close(): Promise<void>;
}

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

async function charge(app: FastifyInstance, { principal, request }: Peer, points: number): Promise<boolean> {
  const { limiter, rateLimits } = app.edgeMaker;
  return (await limiter.take(bucketOf(operationBucket, rateLimits, principal, request.ip), points)).allowed;
}

const maxMessageBytes = 102_400;
/** Maximum size of a message without an operation: a keep-alive, or a first message with a credential. */
const maxKeepAliveCharacters = 1_024;
const maxInitCharacters = 8_192;
const maxIdCharacters = 128;
/** One level more than a request's body, which a message contains. */
const maxMessageDepth = maxJsonDepth + 1;

/** Returns the text of a client's message if it belongs to the protocol and is within the limits; else why it does not. */
function readMessage(data: Buffer): { readonly text: string } | { readonly wrong: string } {
  const sent = data.toString('utf8');
  const error = jsonShapeError(sent, maxMessageDepth);
  if (error !== undefined) return { wrong: `${error.path} ${error.message}`.trim() };
  const text = withoutEmpty(withoutMark(sent));
  const message = parsed(text);
  return message !== undefined && isAllowed(message, text.length) ? { text } : { wrong: 'Invalid message received' };
}

function isAllowed(message: Message, characters: number): boolean {
  switch (message.type) {
    case MessageType.ConnectionInit:
      return characters <= maxInitCharacters;
    case MessageType.Ping:
    case MessageType.Pong:
      return characters <= maxKeepAliveCharacters;
    case MessageType.Subscribe:
    case MessageType.Complete:
      return message.id.length <= maxIdCharacters;
    default:
      // Only the server may send the other types.
      return false;
  }
}

/** Returns a message without the optional parts of its operation that are an empty text; `query` is a text by the protocol, also where an id stands for it. */
function withoutEmpty(text: string): string {
  const message = text.includes('""') ? jsonOf(text) : undefined;
  if (!isRecord(message) || !isRecord(message['payload'])) return text;
  const { payload } = message;
  const query = 'query' in payload ? { query: payload['query'] } : {};
  return JSON.stringify({ ...message, payload: { ...withoutEmptyParts(payload), ...query } });
}

function parsed(text: string): Message | undefined {
  try {
    return parseMessage(text);
  } catch {
    return undefined;
  }
}
