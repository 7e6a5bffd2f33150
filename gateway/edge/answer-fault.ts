import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EdgeOptions } from './edge.js';
import { envelope, faultOf } from './envelope.js';
import { standingHeaders } from './headers.js';
import { excess } from './limiter.js';
import { challengeOf, publicBucket } from './rules.js';

/** Faults become the envelope; what nobody foresaw becomes a 500 that says nothing, and a line in the log. */
export async function answerFault(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: EdgeOptions,
): Promise<FastifyReply> {
  let fault = faultOf(thrown);
  if (fault.status >= 500) {
    const err = fault.cause ?? fault;
    options.parts.log.error(
      { requestId: request.id, method: request.method, route: request.edge.route, err },
      'failed',
    );
  }
  if (!reply.hasHeader('x-ratelimit-limit')) {
    const charged = request.edge.unproved && fault.status < 500;
    const standing = await options.limiter.take(publicBucket(options.config.rateLimits, request.ip), charged ? 1 : 0);
    reply.headers(standingHeaders(standing));
    if (charged) fault = excess(standing) ?? fault;
  }
  const wait = fault.extensions.retryAfterSeconds;
  if (wait !== undefined) reply.header('retry-after', wait);
  if (fault.status === 401 && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', challengeOf(request.edge.rules.credential, false));
  }
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.code(fault.status).send(JSON.stringify(envelope(fault, request.id)));
}
