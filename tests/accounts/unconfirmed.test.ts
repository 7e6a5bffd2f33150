import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  isListType,
  getNullableType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';
import { createGraph, type Graph } from '../../gateway/graph/graph.js';
import { localDataSource } from '../../gateway/graph/data-source.js';
import { openDomains, type Domains } from '../../bootstrap/subgraphs.js';
import { readSupergraph } from '../../bootstrap/supergraph.js';
import type { Principal } from '../../shared/kernel/context.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { callerOf, password, type Caller } from './http.js';

let platform: TestPlatform;
let caller: Caller;
let domains: Domains;
let graph: Graph;
let session: { readonly authorization: string };
let principal: Principal;

const email = 'waiting@casa.example';

beforeAll(async () => {
  platform = await openTestPlatform({ RATE_LIMIT_ACCOUNTS: '100000', RATE_LIMIT_SESSION: '100000' });
  caller = callerOf(platform);
  domains = await openDomains(platform.infrastructure);
  const sources = Object.fromEntries(
    domains.all.map(({ name, schema }) => [name, localDataSource(schema, platform.infrastructure.keyRing)]),
  );
  graph = await createGraph({ supergraphSdl: await readSupergraph(), sources });
  await caller.post('/v1/emissoes/auth/register', { name: 'Ana', email, password, company: 'Casa' });
  const { body } = await caller.post('/v1/emissoes/auth/login', { email, password });
  const { accessToken } = body as { accessToken: string };
  session = { authorization: `Bearer ${accessToken}` };
  const found = await domains.accounts.authenticator.authenticate({ bearer: accessToken });
  if (found === undefined) throw new Error('The session does not work');
  principal = found;
});
afterAll(async () => {
  await domains.close();
  await platform.close();
});

/** A value that a type takes, as it stands in a document. */
function literal(given: GraphQLInputType): string {
  const type = getNullableType(given);
  if (isListType(type)) return `[${literal(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const needed = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
    return `{${needed.map((field) => `${field.name}: ${literal(field.type)}`).join(', ')}}`;
  }
  const known: Readonly<Record<string, string>> = {
    Int: '1',
    Float: '1',
    Boolean: 'true',
    Date: '"2026-01-01"',
    Month: '"2026-01"',
    DateTime: '"2026-01-01T00:00:00Z"',
    Decimal: '"1"',
    String: '"text"',
  };
  return known[type.name] ?? '"00000000-0000-4000-8000-000000000000"';
}

function documentFor(kind: string, { name, args, type }: GraphQLField<unknown, unknown>): string {
  const needed = args.filter((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined);
  const given = needed.length === 0 ? '' : `(${needed.map((arg) => `${arg.name}: ${literal(arg.type)}`).join(', ')})`;
  const named = getNamedType(type);
  return `${kind} { ${name}${given} ${'getFields' in named || 'getTypes' in named ? '{ __typename }' : ''} }`;
}

const open = new Set(['me', 'logout', 'verifyEmail', 'resendVerification']);

/** The status of the first error of an operation, 200 where there is none. */
async function statusOf(kind: string, text: string): Promise<number> {
  const prepared = graph.prepare(text);
  const context = { ...platform.infrastructure.context, principal, loaders: new Map() };
  const answer = await (kind === 'subscription'
    ? graph.subscribe(prepared, {}, context)
    : graph.run(prepared, {}, context));
  if ('next' in answer) {
    await answer.return?.();
    return 200;
  }
  return Number(answer.errors?.[0]?.extensions['statusCode'] ?? 200);
}

describe('the session of an account whose e-mail is not confirmed', () => {
  test('is refused every root field of the graph but me, logout and what confirms it', async () => {
    const { apiSchema } = graph;
    const roots = {
      query: apiSchema.getQueryType(),
      mutation: apiSchema.getMutationType(),
      subscription: apiSchema.getSubscriptionType(),
    };
    const outcomes: string[] = [];
    let refused = 0;
    for (const [kind, root] of Object.entries(roots)) {
      if (!isObjectType(root)) throw new Error(`The graph has no ${kind}`);
      for (const field of Object.values(root.getFields())) {
        if (open.has(field.name)) continue;
        const status = await statusOf(kind, documentFor(kind, field));
        if (status === 403) refused += 1;
        else outcomes.push(`${kind} ${field.name}: ${status}`);
      }
    }
    expect(outcomes).toEqual([]);
    expect(refused).toBeGreaterThan(60);
  });

  test('gets the reason in a sentence, over HTTP', async () => {
    const { body } = await caller.graphql('{ patrimonies(first: 1) { nodes { id } } }', {}, session);
    expect((body as { errors: object[] }).errors[0]).toMatchObject({
      message: expect.stringContaining('Confirm the e-mail of the account'),
      extensions: { statusCode: 403 },
    });
  });

  test('sees me by REST and by the graph, and nothing else there', async () => {
    expect(await caller.send('GET', '/v1/emissoes/auth/me', undefined, session)).toMatchObject({
      status: 200,
      body: { email },
    });
    expect((await caller.graphql('{ me { email } }', {}, session)).body).toEqual({ data: { me: { email } } });
    for (const [method, path, body] of [
      ['GET', '/v1/emissoes/keys', undefined],
      ['POST', '/v1/emissoes/keys', { name: 'k' }],
      ['DELETE', '/v1/emissoes/keys/00000000-0000-4000-8000-000000000000', undefined],
    ] as const) {
      expect((await caller.send(method, path, body, session)).status).toBe(403);
    }
  });

  test('opens neither operation data nor the endpoint of agents', async () => {
    expect((await caller.send('GET', '/v1/emissoes/operacoes', undefined, session)).status).toBe(401);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const accept = { accept: 'application/json, text/event-stream' };
    expect((await caller.post('/v1/emissoes/mcp', call, { ...session, ...accept })).status).toBe(401);
  });

  test('may be sent beside a public path, which asks nobody who they are', async () => {
    expect((await caller.send('GET', '/public/patrimonies', undefined, session)).status).toBe(200);
  });

  test('does more once the e-mail is confirmed, at once', async () => {
    await caller.post('/v1/emissoes/auth/verify-email', { token: await caller.tokenFor(email) });
    expect((await caller.post('/v1/emissoes/keys', { name: 'k' }, session)).status).toBe(201);
  });
});
