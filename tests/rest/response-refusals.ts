import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { hasBody, type Route } from '../../rest/route.js';
import { addOriginator } from '../../subgraphs/credit-assignment/originators/originators.acts.js';
import { newPair, pemOf, signedHeaders } from '../credit-assignment/signing-kit.js';
import { newTrader, tradingCallerOf } from '../trading/kit.js';
import type { Fields, Headers, ResponseKit, Sent } from './response-kit.js';

/* What each route refuses, so that every error of it is held against the text. */

/** Callers who may not do what others of their kind may. */
export type Limited = Awaited<ReturnType<typeof openLimited>>;

export async function openLimited({ caller, platform }: ResponseKit) {
  const email = 'sem-confirmar@example.com';
  const password = 'ponte-velha-1965';
  await caller.post('/v1/emissoes/auth/register', { name: 'Rui', email, password, company: 'Casa' });
  const { body } = await caller.post('/v1/emissoes/auth/login', { email, password });
  const session = await caller.member('escopos@example.com');
  const keyWith = async (scope: string): Promise<Headers> => {
    const text = 'mutation ($s: [String!]!) { createDeveloperKey(name: "k", scopes: $s) { key } }';
    const reply = await caller.graphql(text, { s: [scope] }, session);
    return {
      'x-api-key': (reply.body as { data: { createDeveloperKey: { key: string } } }).data.createDeveloperKey.key,
    };
  };
  const trading = tradingCallerOf(platform);
  const { context } = platform.infrastructure;
  const withdrawer = await trading.session(await newTrader(context, { scopes: ['withdraw'] }));
  return {
    /** A session of an account whose e-mail is not confirmed. */
    unconfirmed: { authorization: `Bearer ${(body as { accessToken: string }).accessToken}` },
    /** A developer's key and an access token without any scope that a route asks for. */
    scopeless: { developerKey: await keyWith('contracts:read'), trader: { ...withdrawer.headers } },
    /** An access token of a company with one request a minute. */
    slow: { ...(await trading.session(await newTrader(context, { rateLimit: 1 }))).headers },
  };
}

/** The path of a route, of things that are not there, with the query that it needs. */
export function targetOf(route: Route, query: Readonly<Record<string, string>> = route.example.query ?? {}): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => (/id$/i.test(name) ? randomUUID() : unknownOf(name)));
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

const unknownOf = (name: string) => (name === 'address' ? `0x${'12'.repeat(20)}` : 'nenhum');

/** Credentials that are none. */
export const strangers: readonly Headers[] = [{}, { 'x-api-key': 'svcpub_x.y', authorization: 'Bearer x' }];

/** Requests of a route that are refused, or of which nobody knows: each is sent as its good caller, unless it says otherwise. */
export function refusedRequests(route: Route, { unconfirmed, scopeless }: Limited): [target: string, sent: Sent][] {
  const good = { as: route.credential };
  const example: Fields = { ...route.example.body };
  const target = targetOf(route);
  const found: [string, Sent][] = [
    [target.replace(/nenhum|[0-9a-f]{8}-[0-9a-f-]{27}/, '%00'), good],
    [target.replace(/nenhum|[0-9a-f]{8}-[0-9a-f-]{27}/, 'x'.repeat(2_000)), good],
  ].filter(([one]) => one !== target) as [string, Sent][];
  if (!hasBody(route)) {
    found.push(
      [targetOf(route, { limit: 'x', page: '0', nextToken: 'x', after: 'x', from: 'x', separator: 'x' }), good],
      [`${targetOf(route, {})}?limit=1&limit=2&symbol=NONE&currency=X`, good],
      [targetOf(route, { from: '2026-02-02', to: '2026-02-01', month: '2020-01', patrimonyId: randomUUID() }), good],
    );
  }
  if (route.credential !== 'none') {
    found.push(...strangers.map((as): [string, Sent] => [target, { as }]));
  }
  if (route.credential === 'session')
    found.push([target, hasBody(route) ? { as: unconfirmed, body: example } : { as: unconfirmed }]);
  if (route.credential === 'developerKey' || route.credential === 'trader') {
    found.push([target, { as: scopeless[route.credential] }]);
  }
  if (route.credential === 'trader') {
    for (const headers of [{ 'x-profile-id': randomUUID() }, { 'x-profile-id': 'x' }, { 'x-synthetic': 'x' }]) {
      found.push([target, { ...good, headers, ...(hasBody(route) ? { body: example } : {}) }]);
    }
  }
  if (hasBody(route)) found.push(...refusedBodies(target, good));
  if (route.method === 'DELETE') {
    found.push(
      [target, { ...good, body: '{' }],
      [target, { ...good, body: 'x', headers: { 'content-type': 'text/plain' } }],
    );
  }
  // Last: a session ends by it.
  found.push([target, hasBody(route) ? { ...good, body: example } : good]);
  return found;
}

function refusedBodies(target: string, good: Sent): [string, Sent][] {
  const key = { 'x-idempotency-key': randomUUID() };
  return [
    [target, { ...good, body: '{' }],
    [target, { ...good, body: '[]' }],
    [target, { ...good, body: {}, headers: { 'x-idempotency-key': 'é' } }],
    [target, { ...good, body: 'x', headers: { 'content-type': 'text/plain' } }],
    [target, { ...good, body: {}, headers: { 'content-encoding': 'br' } }],
    [target, { ...good, body: {}, headers: key }],
    [target, { ...good, body: { one: 1 }, headers: key }],
  ];
}

/** The response to a body that is announced and too long: nothing of it is sent. */
export function announceTooMuch({ platform, signer }: ResponseKit, route: Route, headers: Headers): Promise<Fields> {
  const { hostname, port } = new URL(platform.url);
  const target = targetOf(route);
  const own = route.credential === 'signature' ? signedHeaders(signer, target, { method: route.method }) : headers;
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      hostname,
      port,
      method: route.method,
      path: target,
      headers: { ...own, 'content-type': 'application/json', 'content-length': (route.bodyLimit ?? 1_048_576) + 1 },
    });
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        sent.destroy();
        resolve({ target, status: response.statusCode, body: JSON.parse(text) as unknown });
      });
    });
    sent.flushHeaders();
  });
}

/** A client of credit assignment with one request a minute. */
export async function slowSigner({ platform }: ResponseKit) {
  const { privateKey, publicKey } = newPair();
  const request = { name: 'Lento', publicKey: pemOf(publicKey), rateLimit: 1, accountId: null };
  return { clientId: (await addOriginator(platform.infrastructure.context, request)).id, key: privateKey };
}
