import { afterEach, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { restPlugin } from '../../rest/plugin.js';
import type { Route } from '../../rest/route.js';
import type { Context } from '../../shared/kernel/context.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { createTestEdge, goodKey, open } from './edge-kit.js';
import { fakeGraph, plainRoute } from './fake-graph.js';
import { operationTexts } from './operation-texts.js';

const sdl = `
  type Query {
    thing(ticker: String!, page: Int, kind: Kind): Thing
    hidden: String
  }
  type Mutation {
    makeThing(name: String!, email: String!, size: Int): Thing!
    dropThing(id: ID!): Boolean!
    login(email: String!): Thing!
  }
  enum Kind { BIG SMALL }
  type Thing { name: String! page: Int note: String parts: [Part!]! }
  type Part { label: String! }
`;

const text = { description: 'text' };

const routes: readonly Route[] = [
  {
    ...plainRoute,
    path: '/things/:ticker',
    operation: 'thing',
    parameters: {
      ticker: text,
      page: {
        description: 'page',
        schema: { type: 'string', pattern: '^[1-9][0-9]{0,8}$' },
        rule: 'must be a whole number from 1',
      },
      kind: text,
    },
  },
  {
    ...plainRoute,
    method: 'POST',
    path: '/things',
    operation: 'makeThing',
    status: 201,
    parameters: {
      name: { description: 'name', schema: { minLength: 2 }, rule: 'must have 2 characters' },
      email: text,
      size: text,
    },
  },
  {
    ...plainRoute,
    method: 'DELETE',
    path: '/things/:id',
    operation: 'dropThing',
    status: 204,
    parameters: { id: text },
  },
  {
    ...plainRoute,
    method: 'POST',
    path: '/login',
    operation: 'login',
    credential: 'none',
    bucket: 'accounts',
    parameters: { email: text },
  },
];

const opened: FastifyInstance[] = [];

afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

async function start() {
  const seen: { values: unknown; context: Context }[] = [];
  const thing = (values: Readonly<Record<string, unknown>>, context: Context) => {
    seen.push({ values, context });
    const { idempotency } = context;
    if (idempotency !== undefined) idempotency.replayed = seen.length > 1;
    switch (values['ticker'] ?? values['name']) {
      case 'none':
        return null;
      case 'gone':
        throw new ApiError('NOT_FOUND', { message: 'The operation does not exist' });
      case 'broken':
        throw new Error('select secret');
      case 'full':
        throw new ApiError('CONFLICT', { retryAfterSeconds: 1 });
      case 'odd':
        throw new ApiError('UNPROCESSABLE', { details: [{ path: 'name', message: 'is odd' }] });
      default:
        return { name: 'x', page: values['page'] ?? null, note: null, parts: [{ label: 'a' }] };
    }
  };
  const graph = fakeGraph(sdl, {
    thing,
    makeThing: thing,
    login: () => {
      throw new ApiError('UNAUTHORIZED', { message: 'E-mail and password do not belong together' });
    },
    dropThing: () => true,
  });
  const { app, logged } = createTestEdge();
  restPlugin(app, { graph, routes, texts: operationTexts(graph.apiSchema) });
  opened.push(app);
  const base = await open(app);
  const ask = async (path: string, method = 'GET', body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(base + path, {
      method,
      headers: {
        'x-api-key': goodKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const answered = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text: answered,
      json: (answered === '' ? undefined : JSON.parse(answered)) as Record<string, unknown>,
    };
  };
  return { ask, seen, logged: () => logged() };
}

test('a query answers its field alone, with nulls and without type names', async () => {
  const { ask, seen } = await start();
  const answer = await ask('/things/CRI%20%2F1?page=7');
  expect([answer.status, answer.text]).toEqual([200, '{"name":"x","page":7,"note":null,"parts":[{"label":"a"}]}']);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(seen[0]?.values).toEqual({ ticker: 'CRI /1', page: 7 });
  expect(seen[0]?.context.principal).toMatchObject({ kind: 'API_KEY', ownerId: 'account-1' });
});

describe('errors', () => {
  test('of the graph become the envelope with their own status', async () => {
    const { ask } = await start();
    expect(await ask('/things/gone')).toMatchObject({
      status: 404,
      json: { message: 'The operation does not exist', error: 'Not Found' },
    });
    expect(await ask('/things/none')).toMatchObject({ status: 404 });
    const full = await ask('/things/full');
    expect([full.status, full.headers.get('retry-after')]).toEqual([409, '1']);
    expect(await ask('/things', 'POST', { name: 'odd', email: 'e' })).toMatchObject({
      status: 422,
      json: { details: [{ path: 'name', message: 'is odd' }] },
    });
    const login = await ask('/login', 'POST', { email: 'e' });
    expect([login.status, login.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="lastro"']);
  });

  test('of a query name a parameter that is written as a list', async () => {
    const { ask, seen } = await start();
    const message = 'must be given once and without brackets: page=…';
    for (const query of [
      'page[]=7',
      'page[0]=7',
      'page%5B%5D=7',
      'page[a][b]=7',
      'page[]=7&page[]=8',
      'page[]=7&page=x',
    ]) {
      const { status, json } = await ask(`/things/x?${query}`);
      expect([status, json['details']]).toEqual([400, [{ path: 'page', message }]]);
    }
    expect(seen).toEqual([]);
    expect((await ask('/things/x?other[]=7')).status).toBe(200);
  });

  test.each([
    'page=abc',
    'page=0',
    'page=-1',
    'page=1.5',
    'page=',
    'page=1&page=2',
    'page=99999999999',
    'page[x]=1&page=x',
    'page=1e3',
  ])('the query %s names its parameter', async (query) => {
    const { ask } = await start();
    const { status, json } = await ask(`/things/a?${query}`);
    expect(status).toBe(400);
    expect(json['details']).toMatchObject([{ path: 'page' }]);
  });

  test('a parameter that is given twice is an error that says so', async () => {
    const { ask } = await start();
    expect((await ask('/things/a?page=1&page=2&page=3')).json['details']).toEqual([
      { path: 'page', message: 'must be given once, not 3 times' },
    ]);
  });
});

describe('a query that is not percent-encoded UTF-8', () => {
  test('is refused with the name of each parameter, and not taken for a text that nothing matches', async () => {
    const { ask, seen } = await start();
    const { status, json } = await ask('/things/x?kind=%E9&page=%&a=1');
    const message = 'must be percent-encoded UTF-8';
    expect([status, json['details']]).toEqual([400, ['page', 'kind'].map((path) => ({ path, message }))]);
    expect(seen).toEqual([]);
  });

  test('is no error of a parameter that is not known', async () => {
    const { ask } = await start();
    expect((await ask('/things/x?page=7&comp=Com%E9rcio&%E9=1')).status).toBe(200);
  });
});

describe('query parameters that are not known', () => {
  const told = ({ headers }: { headers: Headers }) => headers.get('x-ignored-parameters');

  test('change nothing, and are named in the response, errors included', async () => {
    const { ask, seen } = await start();
    const answer = await ask('/things/x?mes=2026-10&page=7&Page=8&m%C3%AAs');
    expect([answer.status, told(answer)]).toEqual([200, 'mes, Page, m%C3%AAs']);
    expect(seen[0]?.values).toEqual({ ticker: 'x', page: 7 });
    expect(told(await ask('/things/x?page=7&kind=BIG'))).toBeNull();
    expect(told(await ask('/things/x?ticker=y'))).toBe('ticker');
    for (const [path, status] of [
      ['/things/gone?a=1', 404],
      ['/things/broken?a=1', 500],
      ['/things/x?page=0&a=1', 400],
      ['/things/x?page[]=1&a=1', 400],
    ] as const) {
      const refused = await ask(path);
      expect([refused.status, told(refused)]).toEqual([status, 'a']);
    }
    const stranger = await ask('/things/x?a=1', 'GET', undefined, { 'x-api-key': 'bad' });
    expect([stranger.status, told(stranger)]).toEqual([401, 'a']);
    const made = await ask('/things?name=no', 'POST', { name: 'ab', email: 'e' });
    expect([made.status, told(made)]).toEqual([201, 'name']);
    expect(told(await ask('/things/1?a=1', 'DELETE'))).toBe('a');
  });

  test('cannot write another header, end their own name or make the response long', async () => {
    const { ask } = await start();
    const hostile = await ask(
      '/things/x?%0D%0ASet-Cookie:%20a=1&a,b=1&a%2Cb=1&__proto__=1&%ED%A0%80=1&=1&%F0%9F%98%80=1',
    );
    expect(hostile.status).toBe(200);
    expect(hostile.headers.get('set-cookie')).toBeNull();
    expect(told(hostile)).toBe('%0D%0ASet-Cookie%3A%20a, a%2Cb, __proto__, %25ED%25A0%2580, %F0%9F%98%80');
    const long = await ask(`/things/x?${'%C3%A3'.repeat(500)}=1&${'n'.repeat(60)}=1`);
    expect(told(long)).toBe(`${'%C3%A3'.repeat(10)}..., ${'n'.repeat(60)}`);
    const many = Array.from({ length: 1_000 }, (_, index) => `n${String(index)}`);
    const first = told(await ask(`/things/x?${many.join('&')}`));
    expect(first).toBe([...many.slice(0, 20), '...'].join(', '));
  });
});

describe('what is out of reach', () => {
  test('fields of a body that nobody asked for are ignored, and a query string cannot fill a body', async () => {
    const { ask, seen } = await start();
    expect(await ask('/things?email=e', 'POST', { name: 'ab', extra: 1 })).toMatchObject({ status: 400 });
    expect(await ask('/things', 'POST', { name: 'ab', email: 'e', extra: 1 })).toMatchObject({ status: 201 });
    expect(seen.at(-1)?.values).toEqual({ name: 'ab', email: 'e' });
  });

  test("SOFA's webhook and operations without a route have no path", async () => {
    const { ask } = await start();
    for (const path of ['/webhook', '/webhook/1', '/hidden']) {
      expect((await ask(path, 'POST', { url: 'http://127.0.0.1:1', subscription: 'x' })).status).toBe(404);
    }
  });

  test('a table that does not fit the graph stops the start', () => {
    const graph = fakeGraph(sdl, {});
    const [first] = routes;
    if (first === undefined) throw new Error('no route');
    const texts = operationTexts(graph.apiSchema);
    const open = (route: Partial<Route>) => () => {
      restPlugin(createTestEdge().app, { graph, routes: [{ ...first, ...route }], texts });
    };
    expect(open({ operation: 'nothing' })).toThrow('There is no rest/operations/nothing.graphql');
    expect(open({ path: '/things/:tikcer' })).toThrow('no variable tikcer');
    expect(open({ parameters: { ticker: text, page: text } })).toThrow('does not describe kind');
  });
});
