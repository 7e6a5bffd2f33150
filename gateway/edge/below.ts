import { ServerResponse, STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Fault } from '../../shared/errors.js';
import { newId } from '../../shared/ids.js';
import type { EdgeOptions } from './edge.js';
import { envelope, faultOf, malformed } from './envelope.js';
import { baseHeaders, standingHeaders } from './headers.js';
import { publicBucket } from './rules.js';

/** Who asked, as far as is known of a request that no hook will see. */
interface Source {
  readonly id: string;
  readonly ip: string;
  readonly secure: boolean;
}

interface Dressed {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

/** An error in the form of the house; it spends from the public bucket of the network that it came from. */
async function dress(fault: Fault, { id, ip, secure }: Source, options: EdgeOptions): Promise<Dressed> {
  const standing = await options.limiter.take(publicBucket(options.config.rateLimits, ip));
  const body = JSON.stringify(envelope(fault, id));
  const headers = {
    ...baseHeaders(id, secure),
    ...standingHeaders(standing),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  };
  return { headers, body };
}

/** An address that cannot be decoded never reaches a route or a hook, so its answer is dressed here. */
export async function answerUnreadable(
  error: unknown,
  request: { readonly id: string; readonly ip: string },
  response: ServerResponse,
  options: EdgeOptions,
): Promise<void> {
  const fault = faultOf(error);
  const { headers, body } = await dress(fault, { id: request.id, ip: request.ip, secure: false }, options);
  response.writeHead(fault.status, headers);
  response.end(body);
}

/** What Node's parser found wrong; undefined for faults of the connection, which leave nobody to answer. */
function parserFault(code: string): Fault | undefined {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Fault('REQUEST_TIMEOUT');
    case 'HPE_HEADER_OVERFLOW':
      return new Fault('HEADERS_TOO_LARGE');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Fault('PAYLOAD_TOO_LARGE', { message: 'The extensions of a chunk are too long' });
    default:
      return code.startsWith('HPE_') ? malformed('The request is not valid HTTP/1.1') : undefined;
  }
}

/** Whether an answer is on its way on the connection: another one in the middle of it would be read as its body. */
function hasBegun(socket: Socket): boolean {
  return '_httpMessage' in socket && socket._httpMessage instanceof ServerResponse && socket._httpMessage.headersSent;
}

/** How long a caller may go on sending after its answer: closing at once could take the answer from it (RFC 9112 §9.6). */
const lingerMs = 1_000;

/**
 * Answers what Node's parser refuses, on the bare connection, and closes it. The parser refuses every further packet
 * too, so a connection is answered once.
 */
export function answerParser(options: EdgeOptions): (error: Error & { code?: string }, socket: Socket) => void {
  const answered = new WeakSet<Socket>();
  const answer = async (fault: Fault, socket: Socket): Promise<void> => {
    const source = { id: newId(), ip: socket.remoteAddress ?? '', secure: socket instanceof TLSSocket };
    const { headers, body } = await dress(fault, source, options);
    if (!socket.writable || hasBegun(socket)) {
      socket.destroy();
      return;
    }
    const date = options.parts.clock.now().toUTCString();
    const fields = Object.entries({ ...headers, date, connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const line = `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status] ?? 'Error'}`;
    socket.end([line, ...fields, '', body].join('\r\n'));
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
  return (error, socket) => {
    if (answered.has(socket)) return;
    answered.add(socket);
    const fault = parserFault(error.code ?? '');
    if (fault === undefined || !socket.writable) socket.destroy();
    else void answer(fault, socket);
  };
}

/**
 * What HTTP/1.1 itself asks of a request, and Node would refuse without a body: BAD_REQUEST without `Host` (RFC 9112
 * §3.2), EXPECTATION_FAILED for an expectation other than `100-continue` (RFC 9110 §10.1.1).
 */
export function unmetBy(request: IncomingMessage): Fault | undefined {
  if (request.httpVersion !== '1.1') return undefined;
  const { host, expect } = request.headers;
  if (host === undefined) return new Fault('BAD_REQUEST', { details: [{ path: 'Host', message: 'is missing' }] });
  if (expect === undefined || /^100-continue$/i.test(expect)) return undefined;
  return new Fault('EXPECTATION_FAILED');
}
