import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallOrigin, Principal } from '../../../shared/kernel/context.js';
import { charge } from '../limits/charge.js';
import type { Bucket } from '../limits/limiter.js';
import {
  bucketOf,
  challengeOf,
  credentialOf,
  pathOf,
  presents,
  publicBucket,
  refusalOf,
  suits,
  unreadIn,
  type Credential,
  type CredentialRule,
} from '../route-policy.js';

/** Identifies the caller. An invalid credential is charged to the bucket of its network. @throws {ApiError} UNAUTHORIZED or INVALID_ACCESS_TOKEN */
export async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
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

/** Identifies the caller again during a long response; not for signed requests. @throws {ApiError} UNAUTHORIZED, INVALID_ACCESS_TOKEN when no longer valid */
export async function identifyAgain(request: FastifyRequest): Promise<Principal> {
  const { rules, principal: known } = request.edge;
  const { credential: rule } = rules;
  if (rule === 'none') return known;
  const credential = credentialIn(rule, request);
  const principal = credential && (await request.server.edgeMaker.callers.authenticate(credential, originOf(request)));
  if (principal !== undefined && suits(rule, principal)) return principal;
  throw refusalOf(rule, credential);
}

/** Returns the bucket of a request without a route: below `/developer` the bucket of a valid key, which is not checked before a redirect to HTTPS. */
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

function originOf({ ip, id: requestId }: FastifyRequest): CallOrigin {
  return { ip, requestId };
}

/** The name of the cookie. Browsers accept the prefix only with `Secure`, with `Path=/`, and from the host itself. */
export const cookieName = '__Host-lastro';

/** The name of the cookie that recognizes a browser in which somebody has logged in before. It authenticates nobody. */
export const deviceCookieName = '__Host-lastro-device';

/** Credential rules under which a route accepts the session cookie of a browser. */
const rules: ReadonlySet<CredentialRule> = new Set(['browser', 'session', 'optional', 'trader']);

/** Headers of any other credential: beside one of them the cookie does not count, whether a page sent both or not. */
const otherCredentials = ['authorization', 'x-api-key', 'x-client-id', 'x-signature'];

type SiteRequest = Pick<FastifyRequest, 'headers' | 'hostname' | 'server'>;

/** Whether a page of this site sent it: by `Sec-Fetch-Site`, else by `Origin`, which a WebSocket must have in any case. */
export function isSameOrigin({ headers, hostname, server }: SiteRequest): boolean {
  const site = headers['sec-fetch-site'];
  const isOwn = headers.origin === server.edgeMaker.sites.originOf(hostname);
  if (headers.upgrade !== undefined) return isOwn && (site === undefined || site === 'same-origin');
  return site === undefined ? isOwn : site === 'same-origin';
}

/** Returns the cookie of a browser's session; undefined when the request has none, or several, or did not come from a page of this site. */
export function cookieOf(request: SiteRequest): string | undefined {
  if (otherCredentials.some((name) => request.headers[name] !== undefined)) return undefined;
  const value = cookieNamed(request, cookieName);
  return value !== undefined && isSameOrigin(request) ? value : undefined;
}

/** Returns the value of a cookie that the request has once. */
export function cookieNamed({ headers }: Pick<FastifyRequest, 'headers'>, wanted: string): string | undefined {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name, ...value] = pair.trim().split('=');
    return name === wanted ? [value.join('=')] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}

/** Returns the credential of a request, from the headers that the rule reads or from its cookie; undefined when there is none. */
export function credentialIn(rule: CredentialRule, request: FastifyRequest): Credential | undefined {
  const named = credentialOf(rule, request.headers);
  if (named !== undefined || !rules.has(rule)) return named;
  const cookie = cookieOf(request);
  if (cookie === undefined) return undefined;
  const ofOperators = request.server.edgeMaker.sites.isOperators(request.hostname);
  return ofOperators === undefined ? { cookie } : { cookie, ofOperators };
}

export function presentsAny(rule: CredentialRule, request: FastifyRequest): boolean {
  return presents(rule, request.headers) || credentialIn(rule, request) !== undefined;
}
