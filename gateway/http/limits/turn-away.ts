import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../shared/kernel/errors.js';
import { charge } from './charge.js';
import { answerPreflight, isPreflight } from '../reply/headers.js';
import { strayBucket } from '../identify/identify.js';
import { methodRefused, type PathMethods } from '../paths.js';
import { isElsewhere } from '../sites.js';
import { secureAddress } from '../transport.js';

export interface TurnAwayParts {
  readonly publicUrl: string;
  readonly pathMethods: (request: FastifyRequest) => PathMethods;
}

/** State of a request that reaches no route. */
export interface Stray {
  readonly isDraining: boolean;
  /** Whether the request came by plain HTTP, and has to be sent again by HTTPS. */
  readonly redirect: boolean;
}

/**
 * Responds to a request that reaches no route: a redirect to HTTPS, from the operators' site to a page of the public one, or a preflight.
 * @throws {ApiError} in any other case
 */
export async function turnAway(
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl, pathMethods }: TurnAwayParts,
  { isDraining, redirect }: Stray,
): Promise<FastifyReply> {
  await charge(request, reply, await strayBucket(request, redirect));
  if (isDraining) throw new ApiError('UNAVAILABLE', { retryAfterSeconds: 1 });
  const unmet = unmetRequirement(request.raw);
  if (unmet !== undefined) throw unmet;
  if (redirect) {
    const { tlsPort, sites } = request.server.edgeMaker;
    return reply.redirect(secureAddress(sites.urlOf(request.hostname), tlsPort, request.host, request.url), 301);
  }
  if (isElsewhere(request)) return leaveOperators(request, reply, publicUrl);
  const known = pathMethods(request);
  if (known.methods.length === 0) throw new ApiError('NOT_FOUND', { message: 'This path does not exist' });
  if (isPreflight(request)) return answerPreflight(reply, known.methods);
  reply.header('allow', known.methods.join(', '));
  throw methodRefused(request.method, known);
}

/** Sends a reader on: from the start of the operators' site to the panel, and from any other page to the public site. Nothing else exists there. */
function leaveOperators(request: FastifyRequest, reply: FastifyReply, publicUrl: string): FastifyReply {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new ApiError('NOT_FOUND', { message: 'This path does not exist' });
  return reply.redirect(request.url === '/' ? '/painel' : publicUrl + request.url, 302);
}

/** A name or an address, with or without a port: nothing that proxies could read in two ways. */
const hostForm = /^(\[[\da-f:.]+\]|[\w.~%-]*)(:\d{0,5})?$/i;

/**
 * Checks the requirements of HTTP/1.1 itself that Node would refuse without a body, or not at all: BAD_REQUEST without `Host`, with several, or
 * with one that is none (RFC 9112 §3.2), EXPECTATION_FAILED for an expectation other than `100-continue` (RFC 9110 §10.1.1).
 */
export function unmetRequirement(request: IncomingMessage): ApiError | undefined {
  const wrong = wrongHost(request);
  if (wrong !== undefined) return new ApiError('BAD_REQUEST', { details: [{ path: 'Host', message: wrong }] });
  const { expect } = request.headers;
  if (request.httpVersion !== '1.1' || expect === undefined || /^100-continue$/i.test(expect)) return undefined;
  return new ApiError('EXPECTATION_FAILED');
}

function wrongHost({ headers: { host }, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (host === undefined) return httpVersion === '1.1' ? 'is missing' : undefined;
  if (!hostForm.test(host)) return 'must be a name or an address, with or without a port';
  // Node keeps the first of several.
  const lines = rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host');
  return lines.length > 1 ? `must be given once, not ${lines.length} times` : undefined;
}
