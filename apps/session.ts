import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  cookieName,
  cookieNamed,
  cookieOf,
  deviceCookieName,
  isSameOrigin,
} from '../gateway/http/identify/identify.js';
import { contextOf } from '../gateway/http/identify/context.js';
import type { EdgeRules } from '../gateway/http/route-policy.js';
import type {
  BrowserSessions,
  HeldCookies,
  RenewedSession,
  FactorProof,
  FirstFactor,
} from '../shared/security/browser-session.js';
import { ApiError, type ErrorDetail, errorAt } from '../shared/kernel/errors.js';

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
  const reading: EdgeRules = { credential: 'optional', bucket: 'session', passive: true };
  app.get(path, { config: { edge: reading }, exposeHeadRoute: false }, async (request, reply) => {
    const context = contextOf(request);
    // That a visitor has no session is no error, which browsers would print.
    return context.principal.browser === undefined ? reply.code(204).send() : browserSessions.read(context);
  });
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

/** @throws {ApiError} NOT_FOUND for the log-in of an operator on the public site, and for any other log-in on the operators' site */
function requireSiteOf({ hostname, server }: FastifyRequest, byOperator: boolean): void {
  const ofOperators = server.edgeMaker.sites.isOperators(hostname);
  if (ofOperators !== undefined && ofOperators !== byOperator)
    throw new ApiError('NOT_FOUND', { message: 'There is no such log-in here' });
}

function heldBy(request: FastifyRequest): HeldCookies {
  return { session: cookieOf(request), device: cookieNamed(request, deviceCookieName) };
}

/** The longest lifetime that browsers give a cookie. */
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

const text = (most: number) => z.string().min(1).max(most);
const encoded = (most: number) => text(most).regex(/^[A-Za-z0-9_-]+$/, 'must be Base64url');

/** The JSON of a `PublicKeyCredential` that signs (WebAuthn Level 3 §5.1.3). */
const passkey = z.object({
  id: encoded(1_400),
  rawId: encoded(1_400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: encoded(4_000),
    authenticatorData: encoded(4_000),
    signature: encoded(8_000),
    userHandle: encoded(100)
      .nullish()
      .transform((handle) => handle ?? undefined),
  }),
  clientExtensionResults: z.object({}).default({}),
});

/** The forms of a log-in, each by the fields that only it has. */
const firstFactors = {
  email: z.strictObject({ email: text(254), password: text(1_024) }),
  operatorKey: z.strictObject({ operatorKey: text(200) }),
  apiKey: z.strictObject({ apiKey: text(200), secretKey: text(200) }),
  passkey: z.strictObject({ passkey }),
};

const proofs = {
  password: z.strictObject({ password: text(1_024) }),
  totp: z.strictObject({ totp: z.string().regex(/^\d{6}$/) }),
  recoveryCode: z.strictObject({ recoveryCode: text(40) }),
  passkey: firstFactors.passkey,
};

/** @throws {ApiError} BAD_REQUEST with every error of the body */
function readFirstFactor(body: unknown): FirstFactor {
  if (has(body, 'email') || has(body, 'password')) return parsed(firstFactors.email, body);
  if (has(body, 'operatorKey')) return parsed(firstFactors.operatorKey, body);
  if (has(body, 'apiKey') || has(body, 'secretKey')) return parsed(firstFactors.apiKey, body);
  if (has(body, 'passkey')) return withHandle(parsed(firstFactors.passkey, body));
  throw lacking('email and password, operatorKey, apiKey and secretKey, or passkey');
}

/** @throws {ApiError} BAD_REQUEST with every error of the body */
function readProof(body: unknown): FactorProof {
  if (has(body, 'passkey')) return withHandle(parsed(proofs.passkey, body));
  if (has(body, 'totp')) return parsed(proofs.totp, body);
  if (has(body, 'recoveryCode')) return parsed(proofs.recoveryCode, body);
  if (has(body, 'password')) return parsed(proofs.password, body);
  throw lacking('passkey, totp, recoveryCode or password');
}

function has(body: unknown, name: string): boolean {
  return typeof body === 'object' && body !== null && name in body;
}

function parsed<T>(form: z.ZodType<T>, body: unknown): T {
  const result = form.safeParse(body);
  if (result.success) return result.data;
  throw new ApiError('BAD_REQUEST', { details: result.error.issues.map(detailOf) });
}

function detailOf(issue: z.core.$ZodIssue): ErrorDetail {
  const path = issue.path.join('.');
  if (path === 'totp') return errorAt(path, 'TOTP_FORM');
  if (issue.code === 'too_small') return errorAt(path, 'REQUIRED');
  if (issue.code === 'too_big') return errorAt(path, 'TEXT_TOO_LONG', { max: Number(issue.maximum) });
  return { path, message: issue.message };
}

/** Leaves out the user handle where the authenticator sent none. */
function withHandle({ passkey: { response, ...rest } }: z.output<typeof firstFactors.passkey>) {
  const { userHandle, ...signed } = response;
  return { passkey: { ...rest, response: userHandle === undefined ? signed : { ...signed, userHandle } } };
}

function lacking(forms: string): ApiError {
  return new ApiError('BAD_REQUEST', { details: [{ path: '', message: `must be an object with ${forms}` }] });
}
