import {
  createServer as createHttpServer,
  type RequestListener,
  STATUS_CODES,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { createAdmission, overloaded } from './limits/admission.js';
import { boundConnections, isAnswered, isResponding } from './limits/connections.js';
import { edge } from './edge.js';
import type { EdgeOptions } from './options.js';
import { createGate } from './limits/gate.js';
import { requestIdOf, baseHeaders, standingHeaders } from './reply/headers.js';
import { trustOf, type Trust } from '../../shared/kernel/network.js';
import { idleTimeoutMs, serverTimeouts, terminateTls, isSecure } from './transport.js';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ApiError } from '../../shared/kernel/errors.js';
import { newId } from '../../shared/kernel/ids.js';
import { recordClientError } from './reply/access-log.js';
import { mayStayOpen } from './body/body.js';
import { apiErrorOf, envelope, malformed } from './reply/envelope.js';
import { excess, type Standing } from './limits/limiter.js';
import { publicBucket } from './route-policy.js';

/** One megabyte: the largest body of a path that sets no other limit. */
const bodyLimit = 1_048_576;

/** Creates the HTTP application with the edge in front; interfaces register their routes on it. */
export function createServer(options: EdgeOptions): FastifyInstance {
  const { config, registry } = options;
  const trusted = trustOf(config.trustProxy);
  const clientErrors = createClientErrors(options, trusted);
  const admission = createAdmission(config.requests);
  const gate = createGate({ admission, trusted, registry, log: options.parts.log, refuse: clientErrors.shed });
  const connections = boundConnections(config.connections, trusted, registry);
  const listener: RequestListener = (request, response) => {
    gate.pass(request, response, () => app.routing(request, response));
  };
  const app = Fastify({
    bodyLimit,
    trustProxy: config.trustProxy.length === 0 ? false : trusted,
    requestIdHeader: false,
    genReqId: (request) => requestIdOf(request.headers),
    // The edge's own hook sends the 503 in the standard envelope; see `draining` there.
    return503OnClosing: false,
    serverFactory: () => {
      // The edge itself refuses a request without Host, in the standard envelope.
      const server = createHttpServer({ ...serverTimeouts, requireHostHeader: false }, listener);
      server.timeout = idleTimeoutMs;
      connections.watch(server);
      return server;
    },
    clientErrorHandler: clientErrors.unparsable,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => {
      reply.hijack();
      gate.leave(request.raw);
      void clientErrors.badAddress(error, request, reply.raw);
    },
  });
  // Without a listener Node responds 417 with an empty body; the edge knows which expectations it refuses.
  app.server.on('checkExpectation', listener);
  boundHead(app);
  edge(app, options, { trusted, admission, gate, connections });
  if (config.tls !== undefined) terminateTls(app, config.tls, { host: config.host, connections, listener });
  return app;
}

/** Takes Fastify's `Content-Length: 0` off a 304 to HEAD, where it would be the length of the caller's copy (RFC 9110 §8.6). Call it before routes. */
function boundHead(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return;
    route.onSend = [route.onSend ?? []].flat().concat((_request, reply, payload, done) => {
      if (reply.statusCode === 304) reply.removeHeader('content-length');
      done(null, payload);
    });
  });
}

/** Responds with an error to requests that reach no hook of Fastify: in the standard envelope, with the headers of every response. */
interface ClientErrors {
  /** Responds to an address that cannot be decoded: it never reaches a route. */
  badAddress(error: unknown, request: FastifyRequest, response: ServerResponse): Promise<void>;
  /** Responds to a request that Node's parser refuses, and closes the connection: the parser refuses all that follows. */
  readonly unparsable: (error: Error & { code?: string }, socket: Socket) => void;
  /** Responds to a request that is shed, with as little work as possible: 503, and no line of its own in the log. */
  readonly shed: (request: IncomingMessage, response: ServerResponse, ip: string) => void;
}

function createClientErrors(options: EdgeOptions, trusted: Trust): ClientErrors {
  const { limiter, config, parts } = options;
  const record = recordClientError({ log: parts.log, registry: options.registry });
  const refused = new WeakSet<Socket>();

  const standingOf = (ip: string, points: number) => limiter.take(publicBucket(config.rateLimits, ip), points);

  /** Charges the request to the public bucket of its network, and returns its response: the error, or 429 where the bucket is empty. */
  const chargedResponse = async (error: ApiError, source: Source & { readonly ip: string }): Promise<ErrorResponse> => {
    const standing = await standingOf(source.ip, 1);
    const response = responseOf(excess(standing) ?? error, standing, source);
    record({ requestId: source.id, status: response.status, ip: source.ip });
    return response;
  };

  const respondOnSocket = async (error: ApiError, socket: Socket): Promise<void> => {
    const source = { id: newId(), ip: socket.remoteAddress ?? '', secure: socket instanceof TLSSocket };
    const { status, headers, body } = await chargedResponse(error, source);
    // In the middle of another response this one would be read as its body.
    if (!socket.writable || isResponding(socket)) {
      socket.destroy();
      return;
    }
    const all = { ...headers, date: parts.clock.now().toUTCString(), connection: 'close' };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`, ...lines, '', body].join('\r\n'));
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };

  return {
    badAddress: async (error, { id, ip, raw }, response) => {
      const source = { id, ip, secure: isSecure(raw, trusted) };
      const { status, headers, body } = await chargedResponse(apiErrorOf(error), source);
      response.writeHead(status, headers).end(body);
    },
    unparsable: (error, socket) => {
      if (refused.has(socket)) return;
      refused.add(socket);
      const apiError = parserError(error.code ?? '');
      // The error of a request that has its response concerns the rest of its body.
      if (apiError === undefined || !socket.writable || isAnswered(socket)) socket.destroy();
      else void respondOnSocket(apiError, socket);
    },
    shed: (request, response, ip) => {
      const source = { id: requestIdOf(request.headers), secure: isSecure(request, trusted) };
      void standingOf(ip, 0).then((standing) => {
        const { status, headers, body } = responseOf(overloaded(), standing, source);
        if (response.destroyed) return;
        response.writeHead(status, mayStayOpen(request) ? headers : { ...headers, connection: 'close' }).end(body);
      });
    },
  };
}

interface Source {
  readonly id: string;
  readonly secure: boolean;
}

interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

function responseOf(error: ApiError, standing: Standing, { id, secure }: Source): ErrorResponse {
  const { status, extensions } = error;
  const body = JSON.stringify(envelope(error, id));
  const headers = {
    ...baseHeaders(id, secure),
    ...standingHeaders(standing),
    ...(extensions.retryAfterSeconds === undefined ? {} : { 'retry-after': extensions.retryAfterSeconds }),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  };
  return { status, headers, body };
}

/** Returns the error that Node's parser found; undefined for errors of the connection, where nobody is left to receive a response. */
function parserError(code: string): ApiError | undefined {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('REQUEST_TIMEOUT');
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('HEADERS_TOO_LARGE');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('PAYLOAD_TOO_LARGE', { message: 'The extensions of a chunk are too long' });
    default:
      return code.startsWith('HPE_') ? malformed('The request is not valid HTTP/1.1') : undefined;
  }
}

/** Time for which a caller may continue to send after its response: closing immediately could lose the response (RFC 9112 §9.6). */
const lingerMs = 1_000;
