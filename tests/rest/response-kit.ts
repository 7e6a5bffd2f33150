import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Route } from '../../rest/route.js';
import { callerOf } from '../accounts/http.js';
import { signedHeaders } from '../credit-assignment/signing-kit.js';
import { openTestPlatform } from '../kit/platform.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import type { OpenApi } from './openapi-kit.js';
import { responseChecks, type Response } from './response-record.js';

export type Fields = Record<string, unknown>;
export type Headers = Record<string, string>;
type As = Route['credential'] | 'operator' | Headers;

/** What is sent besides; a body that is a text goes as it is. */
export interface Sent {
  readonly as?: As;
  readonly body?: unknown;
  readonly headers?: Headers;
}

/** The demo house, of which every response is held against the OpenAPI text. */
export type ResponseKit = Awaited<ReturnType<typeof openResponses>>;

export const committedText = JSON.parse(
  readFileSync(new URL('../../rest/openapi.json', import.meta.url), 'utf8'),
) as OpenApi;

const plenty = rateLimitVariables(1_000_000);

/** @param settings variables of the environment besides */
export async function openResponses(settings: Readonly<Record<string, string>> = {}) {
  const environment = { DEMO: 'true', PROCESSING_GRACE: '0', WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_RETRIES: '1h' };
  const platform = await openTestPlatform({ ...environment, ...plenty, ...settings });
  const caller = callerOf(platform);
  const { originator, trading: pair, ...demo } = platform.demo();
  const signer = { clientId: originator.clientId, key: createPrivateKey(originator.privateKeyPem) };
  const { accessToken } = (await caller.post('/v1/auth/login', pair)).body as { accessToken: string };
  const credentials = {
    none: {},
    signature: {},
    session: await caller.member('respostas@example.com'),
    apiKey: { 'x-api-key': demo.publicApiKey },
    developerKey: { 'x-api-key': demo.developerApiKey },
    trader: { authorization: `Bearer ${accessToken}` },
    operator: { 'x-api-key': demo.operatorKey },
  };
  const issuesOf = responseChecks(committedText);
  const issues: string[] = [];
  const statuses = new Set<number>();
  /** Requests with the second in which they were signed. */
  const signedRequests = new Set<string>();

  const headersFor = (method: string, target: string, { as = 'none', body, headers = {} }: Sent): Headers => {
    if (as !== 'signature') return { ...(typeof as === 'string' ? credentials[as] : as), ...headers };
    const content = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    // Each in a second of its own: the same request in the same one is a replay.
    let timestamp = Math.floor(Date.now() / 1_000);
    const request = (second: number) => [second, method, target, content].join(' ');
    while (signedRequests.has(request(timestamp))) timestamp -= 1;
    signedRequests.add(request(timestamp));
    return signedHeaders(signer, target, {
      method,
      timestamp,
      headers,
      ...(content === undefined ? {} : { body: content }),
    });
  };
  const hold = (method: string, target: string, response: Response) => {
    statuses.add(response.status);
    issues.push(...issuesOf(method, target, response));
  };
  const ask = async (method: string, target: string, sent: Sent = {}) => {
    const reply = await caller.send(method, target, sent.body, headersFor(method, target, sent));
    hold(method, target, reply);
    return reply;
  };
  return {
    platform,
    caller,
    /** Of the demo's originator. */
    signer,
    /** The pair of the demo's company. */
    pair,
    logins: demo,
    /** What good callers send, but for the signature. */
    credentials,
    /** Sends a request and records its response. */
    ask,
    /** Records a response that was got otherwise. */
    hold,
    statuses: () => [...statuses],
    /** The same, of which the body is wanted. @throws {Error} where it is refused */
    read: async (method: string, target: string, sent?: Sent) => {
      const { status, body } = await ask(method, target, sent);
      if (status < 300) return (body ?? {}) as Fields;
      throw new Error(`${method} ${target} was answered with ${status}: ${JSON.stringify(body)}`);
    },
    /** Runs an operation on the graph, as the demo's operator. @throws {Error} where it fails */
    operate: async (query: string, variables?: Fields) => {
      const { body } = await caller.graphql(query, variables, credentials.operator);
      const { data, errors } = body as { data?: Fields; errors?: unknown };
      if (errors !== undefined || data === undefined) throw new Error(JSON.stringify(body));
      return data;
    },
    /** What was wrong with the responses since it was last asked. */
    takeIssues: () => [...new Set(issues.splice(0))],
    close: () => platform.close(),
  };
}
