import type { FastifyRequest } from 'fastify';
import type { CallOrigin, Principal } from '../../shared/context.js';
import type { EdgeOptions } from './options.js';
import type { Bucket } from './limiter.js';
import { pathOf } from './paths.js';
import { bucketOf, credentialOf, publicBucket, refusalOf, suits } from './route-policy.js';

/** Returns the origin of a request for the audit log. */
export function originOf({ ip, id: requestId }: FastifyRequest): CallOrigin {
  return { ip, requestId };
}

/**
 * Identifies the caller of a request again, during a response that takes long. Not for signed requests: a signature is valid only once.
 * @throws {ApiError} UNAUTHORIZED or INVALID_ACCESS_TOKEN when the credential is no longer valid
 */
export async function identifyAgain(request: FastifyRequest): Promise<Principal> {
  const { rules, principal: known } = request.edge;
  const { credential: rule } = rules;
  if (rule === 'none') return known;
  const credential = credentialOf(rule, request.headers);
  const principal = credential && (await request.server.edgeMaker.callers.authenticate(credential, originOf(request)));
  if (principal !== undefined && suits(rule, principal)) return principal;
  throw refusalOf(rule, credential);
}

/**
 * Returns the bucket of a request that reaches no route: below `/developer` that of a valid key, as on the paths there. The key of a request
 * that is redirected to HTTPS is not checked.
 */
export async function strayBucket(
  request: FastifyRequest,
  { config, callers }: EdgeOptions,
  redirect: boolean,
): Promise<Bucket> {
  const rule = 'developerKey';
  const asked = !redirect && request.is404 && pathOf(request).startsWith('/developer/');
  const credential = asked ? credentialOf(rule, request.headers) : undefined;
  const principal = credential === undefined ? undefined : await callers.authenticate(credential, originOf(request));
  const good = principal !== undefined && suits(rule, principal);
  return good
    ? bucketOf('apiKey', config.rateLimits, principal, request.ip)
    : publicBucket(config.rateLimits, request.ip);
}
