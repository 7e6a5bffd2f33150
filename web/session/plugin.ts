import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  cookieName,
  cookieNamed,
  cookieOf,
  deviceCookieName,
  isSameOrigin,
} from '../../gateway/edge/browser-cookie.js';
import { contextOf } from '../../gateway/edge/context.js';
import type { EdgeRules } from '../../gateway/edge/route-policy.js';
import type { BrowserSessions, HeldCookies, RenewedSession } from '../../shared/browser-session.js';
import { ApiError } from '../../shared/errors.js';
import { readFirstFactor, readProof } from './read-body.js';

export interface SessionPluginOptions {
  readonly browserSessions: BrowserSessions;
}

const path = '/web/session';
const bodyLimit = 65_536;

/** Limited by source address, as every path that checks a password or a key. */
const entry: EdgeRules = { credential: 'none', bucket: 'accounts', namesRules: true };
const proving: EdgeRules = { credential: 'browser', bucket: 'accounts', namesRules: true };
const own: EdgeRules = { credential: 'browser', bucket: 'session' };

/** Serves the log-in of browsers. The cookie is set and cleared here and nowhere else, and is in no body. */
export function sessionPlugin(app: FastifyInstance, { browserSessions }: SessionPluginOptions): void {
  app.post(path, { config: { edge: entry }, bodyLimit }, async (request, reply) => {
    requireSameOrigin(request);
    const first = readFirstFactor(request.body);
    requireSiteOf(request, 'operatorKey' in first);
    const renewed = await browserSessions.logIn(contextOf(request), first, heldBy(request));
    return setCookie(request, reply, renewed);
  });
  app.post(`${path}/passkey-request`, { config: { edge: entry }, bodyLimit }, (request) => {
    requireSameOrigin(request);
    requireSiteOf(request, false);
    return browserSessions.passkeyRequest(contextOf(request));
  });
  app.post(`${path}/step-up/passkey-request`, { config: { edge: proving }, bodyLimit }, (request) =>
    browserSessions.passkeyRequest(contextOf(request)),
  );
  app.post(`${path}/step-up`, { config: { edge: proving }, bodyLimit }, async (request, reply) => {
    const proof = readProof(request.body);
    return setCookie(request, reply, await browserSessions.stepUp(contextOf(request), heldBy(request), proof));
  });
  // Reading the session must not prolong it: a page asks when it ends.
  app.get(path, { config: { edge: { ...own, passive: true } }, exposeHeadRoute: false }, (request) =>
    browserSessions.read(contextOf(request)),
  );
  app.delete(path, { config: { edge: own } }, async (request, reply) => {
    await browserSessions.logOut(contextOf(request));
    return reply
      .header('set-cookie', cookieText(cookieName, '', 0))
      .code(204)
      .send();
  });
}

/** @throws {ApiError} FORBIDDEN for a request of another site's page, which could otherwise log a browser in to an account of its own choice */
function requireSameOrigin(request: FastifyRequest): void {
  if (isSameOrigin(request)) return;
  throw new ApiError('FORBIDDEN', {
    message: 'Only pages of this service may use this path: Sec-Fetch-Site must be same-origin, or Origin its address',
  });
}

/** @throws {ApiError} NOT_FOUND for the log-in of an operator on another site than that of operators, and for another log-in there */
function requireSiteOf({ hostname, server }: FastifyRequest, byOperator: boolean): void {
  const ofOperators = server.edgeMaker.sites.isOperators(hostname);
  if (ofOperators !== undefined && ofOperators !== byOperator)
    throw new ApiError('NOT_FOUND', { message: 'There is no such log-in here' });
}

function heldBy(request: FastifyRequest): HeldCookies {
  return { session: cookieOf(request), device: cookieNamed(request, deviceCookieName) };
}

/** As long as browsers keep a cookie at most. */
const deviceSeconds = 400 * 86_400;

function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { cookie, endsAt, device }: RenewedSession,
): FastifyReply {
  const now = contextOf(request).clock.now().getTime();
  const seconds = Math.max(0, Math.floor((endsAt.getTime() - now) / 1000));
  const cookies = [
    cookieText(cookieName, cookie, seconds),
    ...(device === undefined ? [] : [cookieText(deviceCookieName, device, deviceSeconds)]),
  ];
  return reply.header('set-cookie', cookies).code(204).send();
}

function cookieText(name: string, value: string, seconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Strict`;
}
