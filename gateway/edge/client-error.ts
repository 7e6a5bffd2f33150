import { ServerResponse, STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../shared/errors.js';
import { newId } from '../../shared/ids.js';
import type { EdgeOptions } from './options.js';
import { envelope, apiErrorOf, malformed } from './envelope.js';
import { overloaded, shedRetrySeconds } from './admission.js';
import { discardBody, isDiscarding } from './discard.js';
import { baseHeaders, requestIdOf, standingHeaders } from './headers.js';
import { excess } from './limiter.js';
import type { Trust } from './network.js';
import { recordClientError } from './access-log.js';
import { publicBucket } from './route-policy.js';
import { isSecure } from './transport.js';

/** Origin of a request that reaches no hook, as far as it is known. */
interface Source {
  readonly id: string;
  readonly ip: string;
  readonly secure: boolean;
}

interface Dressed {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

/** Responds to requests that reach no hook. */
export interface Below {
  /** Responds to an address that cannot be decoded: it never reaches a route. */
  answerUnreadable(error: unknown, request: FastifyRequest, response: ServerResponse): Promise<void>;
  /**
   * Responds on the bare connection to a request that Node's parser refuses, and closes the connection. The parser refuses every further packet
   * too, so a connection gets one such response.
   */
  readonly answerParser: (error: Error & { code?: string }, socket: Socket) => void;
  /** Responds to a request that is shed, with as little work as possible: 503, and no line of its own in the log. */
  readonly answerShed: (request: IncomingMessage, response: ServerResponse, ip: string) => void;
}

export function createBelow(options: EdgeOptions, trusted: Trust): Below {
  const observed = recordClientError({ log: options.parts.log, registry: options.registry });
  const answered = new WeakSet<Socket>();

  /** Builds the error response in the standard envelope. It is charged to the public bucket of the network that the request came from. */
  const dress = async (found: ApiError, { id, ip, secure }: Source): Promise<Dressed> => {
    const standing = await options.limiter.take(publicBucket(options.config.rateLimits, ip));
    const apiError = excess(standing) ?? found;
    const { status, extensions } = apiError;
    observed({ requestId: id, status, ip });
    const body = JSON.stringify(envelope(apiError, id));
    const headers = {
      ...baseHeaders(id, secure),
      ...standingHeaders(standing),
      ...(extensions.retryAfterSeconds === undefined ? {} : { 'retry-after': extensions.retryAfterSeconds }),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    };
    return { status, headers, body };
  };

  const answerBare = async (found: ApiError, socket: Socket): Promise<void> => {
    const source = { id: newId(), ip: socket.remoteAddress ?? '', secure: socket instanceof TLSSocket };
    const { status, headers, body } = await dress(found, source);
    if (!socket.writable || hasBegun(socket)) {
      socket.destroy();
      return;
    }
    const date = options.parts.clock.now().toUTCString();
    const fields = Object.entries({ ...headers, date, connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`;
    socket.end([line, ...fields, '', body].join('\r\n'));
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };

  return {
    answerUnreadable: async (error, { id, ip, raw }, response) => {
      const { status, headers, body } = await dress(apiErrorOf(error), { id, ip, secure: isSecure(raw, trusted) });
      response.writeHead(status, headers);
      response.end(body);
    },
    answerShed: (request, response, ip) => {
      void shedResponse(options, isSecure(request, trusted), ip, requestIdOf(request.headers)).then(
        ({ status, headers, body }) => {
          if (response.destroyed) return;
          const stays = discardBody(request);
          response.writeHead(status, stays ? headers : { ...headers, connection: 'close' }).end(body);
        },
      );
    },
    answerParser: (error, socket) => {
      if (answered.has(socket)) return;
      answered.add(socket);
      const apiError = parserError(error.code ?? '');
      // The request already has its response and takes too long to end, or is not to be read any further: a second response would be one too many.
      if (apiError === undefined || !socket.writable || isDiscarding(socket)) socket.destroy();
      else void answerBare(apiError, socket);
    },
  };
}

async function shedResponse(options: EdgeOptions, secure: boolean, ip: string, id: string): Promise<Dressed> {
  const error = overloaded();
  const standing = await options.limiter.take(publicBucket(options.config.rateLimits, ip), 0);
  const body = JSON.stringify(envelope(error, id));
  const headers = {
    ...baseHeaders(id, secure),
    ...standingHeaders(standing),
    'retry-after': shedRetrySeconds,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  };
  return { status: error.status, headers, body };
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

/** Whether a response is being sent on the connection: another one in the middle of it would be read as its body. */
function hasBegun(socket: Socket): boolean {
  return '_httpMessage' in socket && socket._httpMessage instanceof ServerResponse && socket._httpMessage.headersSent;
}

/** Time for which a caller may continue to send after its response: closing immediately could lose the response (RFC 9112 §9.6). */
const lingerMs = 1_000;

/**
 * Checks the requirements of HTTP/1.1 itself that Node would refuse without a body: BAD_REQUEST without `Host` (RFC 9112
 * §3.2), EXPECTATION_FAILED for an expectation other than `100-continue` (RFC 9110 §10.1.1).
 */
export function unmetBy(request: IncomingMessage): ApiError | undefined {
  if (request.httpVersion !== '1.1') return undefined;
  const { host, expect } = request.headers;
  if (host === undefined) return new ApiError('BAD_REQUEST', { details: [{ path: 'Host', message: 'is missing' }] });
  if (expect === undefined || /^100-continue$/i.test(expect)) return undefined;
  return new ApiError('EXPECTATION_FAILED');
}
