import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallOrigin, Principal } from '../../../shared/kernel/context.js';
import { credentialIn, presentsAny } from './browser-cookie.js';
import { charge } from '../limits/charge.js';
import type { Bucket } from '../limits/limiter.js';
import { pathOf } from '../paths.js';
import { bucketOf, challengeOf, publicBucket, refusalOf, suits, unreadIn } from '../route-policy.js';

/**
 * Identifies the caller. An invalid credential is charged to the bucket of its network.
 * @throws {ApiError} UNAUTHORIZED or INVALID_ACCESS_TOKEN
 */
export async function identify(request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
  const { callers, rateLimits } = request.server.edgeMaker;
  const { credential: rule } = request.edge.rules;
  const given = presentsAny(rule, request);
  if (rule === 'none' || (rule === 'optional' && !given)) return request.edge.principal;
  const credential = credentialIn(rule, request);
  const principal = credential && (await callers.authenticate(credential, originOf(request)));
  const unread = unreadIn(rule, request.headers);
  if (principal !== undefined && suits(rule, principal)) {
    return unread === undefined ? principal : { ...principal, unread };
  }
  // A browser sends the cookie of a session that has ended with every request: it reads like everyone else.
  if (rule === 'optional' && credential?.cookie !== undefined) return request.edge.principal;
  await charge(request, reply, publicBucket(rateLimits, request.ip));
  reply.header('www-authenticate', challengeOf(rule, given));
  throw refusalOf(rule, credential, unread);
}

/**
 * Identifies the caller of a request again, during a response that takes long. Not for signed requests: a signature is valid only once.
 * @throws {ApiError} UNAUTHORIZED or INVALID_ACCESS_TOKEN when the credential is no longer valid
 */
export async function identifyAgain(request: FastifyRequest): Promise<Principal> {
  const { rules, principal: known } = request.edge;
  const { credential: rule } = rules;
  if (rule === 'none') return known;
  const credential = credentialIn(rule, request);
  const principal = credential && (await request.server.edgeMaker.callers.authenticate(credential, originOf(request)));
  if (principal !== undefined && suits(rule, principal)) return principal;
  throw refusalOf(rule, credential);
}

/**
 * Returns the bucket of a request that reaches no route: below `/developer` that of a valid key, as on the paths there. The key of a request
 * that is redirected to HTTPS is not checked.
 */
export async function strayBucket(request: FastifyRequest, redirect: boolean): Promise<Bucket> {
  const { callers, rateLimits } = request.server.edgeMaker;
  const rule = 'developerKey';
  const asked = !redirect && request.is404 && pathOf(request).startsWith('/developer/');
  const credential = asked ? credentialIn(rule, request) : undefined;
  const principal = credential && (await callers.authenticate(credential, originOf(request)));
  return principal !== undefined && suits(rule, principal)
    ? bucketOf('apiKey', rateLimits, principal, request.ip)
    : publicBucket(rateLimits, request.ip);
}

/** Returns the origin of a request for the audit log. */
function originOf({ ip, id: requestId }: FastifyRequest): CallOrigin {
  return { ip, requestId };
}
