import type { FastifyReply, FastifyRequest } from 'fastify';
import { logUnavailable } from '../../../shared/database/log-unavailable.js';
import type { ApiError } from '../../../shared/kernel/errors.js';
import { graphqlErrorOf } from '../../../shared/graphql/mask.js';
import { graphqlResponseType, prefersGraphqlResponse } from './accept.js';
import type { EdgeOptions } from '../options.js';
import { envelope, apiErrorOf } from './envelope.js';
import { standingHeaders } from './headers.js';
import { excess } from '../limits/limiter.js';
import { pointsOfBytes } from '../limits/points.js';
import { challengeOf, publicBucket } from '../route-policy.js';

/** Sends an error in the envelope, or as a response of GraphQL where the route responds in that form. An unexpected error becomes a 500 without details, and a line in the log. */
export async function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: EdgeOptions,
): Promise<FastifyReply> {
  let error = apiErrorOf(thrown);
  const { log } = options.parts;
  // An outage is logged once with its cause; the log line of each request shows only the status.
  if (error.status > 500) logUnavailable(log, error);
  else if (error.status === 500) {
    const err = error.cause ?? error;
    log.error({ requestId: request.id, method: request.method, route: request.edge.route, err }, 'failed');
  }
  if (!reply.hasHeader('x-ratelimit-limit')) {
    const charged = request.edge.unproved && error.status < 500;
    const bucket = publicBucket(options.config.rateLimits, request.ip);
    const points = charged ? pointsOfBytes('public', request.rawBody?.length ?? 0, bucket.limit) : 0;
    const standing = await options.limiter.take(bucket, points);
    reply.headers(standingHeaders(standing));
    if (charged) error = excess(standing) ?? error;
  }
  const wait = error.extensions.retryAfterSeconds;
  if (wait !== undefined) reply.header('retry-after', wait);
  if (error.status === 401 && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', challengeOf(request.edge.rules.credential, false));
  }
  request.edge.errorCode = error.code;
  const body = envelope(error, request.id, request.edge.rules.namesRules);
  const page = options.errorPage?.(request, body);
  if (page !== undefined) return reply.code(error.status).headers(page.headers).send(page.html);
  if (request.edge.rules.respondsInGraphql === true) return sendInGraphql(error, request, reply);
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.code(error.status).send(JSON.stringify(body));
}

/** Sends an error as a response of GraphQL without data, in the media type that the request prefers. */
function sendInGraphql(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const type = prefersGraphqlResponse(request.headers.accept) ? graphqlResponseType : 'application/json';
  const requestId = error.extensions.requestId ?? request.id;
  reply.header('content-type', `${type}; charset=utf-8`);
  return reply.code(error.status).send(JSON.stringify({ errors: [graphqlErrorOf(error, requestId)] }));
}
