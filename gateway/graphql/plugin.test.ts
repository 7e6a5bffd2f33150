import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { buildSchema, getIntrospectionQuery } from 'graphql';
import { createLocalBus } from '../../shared/events/bus.js';
import { systemClock } from '../../shared/kernel/clock.js';
import { Database } from '../../shared/database/database.js';
import { createLog } from '../../shared/kernel/log.js';
import { testPlugin } from '../../tests/graph/kit.js';
import { openTestDatabase, type TestDatabase } from '../../tests/kit/database.js';
import { rateLimitsOf } from '../../tests/kit/rate-limits.js';
import { goodKey, goodSession } from '../../tests/rest/edge-kit.js';

const logged: string[] = [];
const log = createLog('info', { write: (line) => void logged.push(line) });
const { manager } = new Database({ type: 'postgres' });
const parts = { clock: systemClock, log, manager, bus: createLocalBus() };
const app = await testPlugin({ edge: { rateLimits: rateLimitsOf(1e6) }, parts: { parts } });
afterAll(() => app.close());

async function post(payload: object, headers: Record<string, string> = {}, to = app) {
  return to.inject({ method: 'POST', url: '/graphql', headers, payload });
}

async function get(params: Record<string, string>, headers: Record<string, string> = {}) {
  return app.inject({ method: 'GET', url: `/graphql?${new URLSearchParams(params).toString()}`, headers });
}

const preflighted = { 'apollo-require-preflight': 'true' };
const hashed = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: sha256(text) } });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('GraphQL over HTTP', () => {
  test('answers a query by POST and by GET', async () => {
    const posted = await post({ query: 'query ($id: ID!) { book(id: $id) { title rating } }', variables: { id: '1' } });
    expect(posted.statusCode).toBe(200);
    expect(posted.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(posted.json()).toEqual({ data: { book: { title: 'Dom Casmurro', rating: 3 } } });
    expect((await get({ query: '{ echo }' }, preflighted)).json()).toEqual({ data: { echo: '1.50' } });
  });

  test('answers 200 when an operation was run and failed, with the request id in the errors', async () => {
    const response = await post({ query: '{ strictBook(id: "9") { title } }' }, { 'x-request-id': 'mine' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      data: null,
      errors: [
        {
          message: 'No such book',
          locations: [{ line: 1, column: 3 }],
          path: ['strictBook'],
          extensions: { code: 'NOT_FOUND', statusCode: 404, requestId: 'mine' },
        },
      ],
    });
  });

  test('answers to the byte alike whether a document is new or known', async () => {
    const asked: { query: string; variables?: object; headers?: Record<string, string> }[] = [
      { query: 'query ($id: ID!) { book(id: $id) { title rating } }', variables: { id: '1' } },
      { query: '{ strictBook(id: "9") { title } }' },
      { query: 'query ($n: Int!) { books(first: $n) { id } }', variables: { n: 'x' } },
      { query: 'mutation { echoed: note(text: "y") }' },
      { query: 'mutation { note(text: "x") }', headers: { 'x-idempotency-key': 'a b' } },
    ];
    const spent = { 'x-ratelimit-remaining': '', 'x-ratelimit-reset': '', date: '' };
    for (const { headers = {}, ...payload } of asked) {
      const [first, second, otherwise] = [
        await post(payload, { 'x-request-id': 'mine', ...headers }),
        await post(payload, { 'x-request-id': 'mine', ...headers }),
        // Requested in a form that only Apollo Server reads.
        await post({ ...payload, extensions: {} }, { 'x-request-id': 'mine', ...headers }),
      ];
      for (const again of [second, otherwise]) {
        expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body]);
        expect({ ...again.headers, ...spent }).toEqual({ ...first.headers, ...spent });
      }
    }
  });

  test.each([
    ['no JSON object', [], 400],
    ['no document', {}, 400],
    ['a document with a fault', { query: '{ nothing }' }, 400],
    ['no document at all', { query: '{' }, 400],
    ['wrong variables', { query: 'query ($n: Int!) { books(first: $n) { id } }', variables: { n: 'x' } }, 400],
    ['a subscription', { query: 'subscription { bookChanged(id: "1") { what } }' }, 400],
    ['a deferred part', { query: '{ echo ... @defer { books { id } } }' }, 400],
    ['an unknown operation', { query: 'query A { echo }', operationName: 'B' }, 400],
  ])('refuses %s before it runs', async (_what, payload, status) => {
    const response = await post(payload);
    expect(response.statusCode).toBe(status);
    expect(response.json()).not.toHaveProperty('data');
    expect(response.json()).toMatchObject({
      errors: [{ extensions: { code: 'BAD_REQUEST', statusCode: 400, requestId: response.headers['x-request-id'] } }],
    });
  });

  test('takes an empty part of a request for none, however it comes and whether or not its document is known', async () => {
    const document = '{ emptyParts: echo }';
    const empty = { operationName: '', variables: '', extensions: '', documentId: '' };
    for (const statusOf of [
      () => post({ query: document, ...empty }),
      () => get({ ...empty, query: document }, preflighted),
    ])
      for (let turn = 0; turn < 2; turn += 1)
        expect((await statusOf()).json()).toEqual({ data: { emptyParts: '1.50' } });
    const known = { query: '', ...empty, extensions: JSON.stringify(hashed('{ emptyByHash: echo }')) };
    await post({ query: '{ emptyByHash: echo }', extensions: hashed('{ emptyByHash: echo }') });
    for (let turn = 0; turn < 2; turn += 1)
      expect((await get(known)).json()).toEqual({ data: { emptyByHash: '1.50' } });
    expect((await post({ query: '', extensions: hashed('{ emptyByHash: echo }') })).statusCode).toBe(200);
    for (let turn = 0; turn < 2; turn += 1)
      expect((await post({ query: 'query a { echo } query b { echo }', operationName: '' })).statusCode).toBe(400);
  });

  test('refuses a name twice in one object of its JSON, in the body and in the address', async () => {
    const query = 'query ($id: ID!) { book(id: $id) { title } }';
    const posted = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json' },
      payload: `{"query":${JSON.stringify(query)},"variables":{"id":"1","\\u0069d":"2"}}`,
    });
    const got = await get({ query, variables: '{"id":"1","id":"2"}' }, preflighted);
    for (const response of [posted, got]) {
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ errors: [{ extensions: { details: [{ path: 'variables.id' }] } }] });
    }
    const marked = await get({ query, variables: '\uFEFF{"id":"1"}' }, preflighted);
    expect(marked.json()).toEqual({ data: { book: { title: 'Dom Casmurro' } } });
  });

  test('runs nothing whose answer the caller would not take', async () => {
    const bus = createLocalBus();
    let written = 0;
    await bus.listen('book', () => (written += 1));
    const manager = Object.assign(new Database({ type: 'postgres' }).manager, { query: () => Promise.resolve([]) });
    const log = createLog('silent');
    const writing = await testPlugin({ parts: { parts: { clock: systemClock, log, manager, bus } } });
    const note = { query: 'mutation { note(text: "x") }' };
    const session = { authorization: `Bearer ${goodSession}` };
    const taken = async (accept: string) => (await post(note, { ...session, accept }, writing)).statusCode;
    expect([await taken('text/html'), await taken('application/json;q=0'), written]).toEqual([406, 406, 0]);
    expect([await taken('application/graphql-response+json'), await taken('*/*'), written]).toEqual([200, 200, 2]);
    await writing.close();
  });

  test.each([
    ['a mutation by GET', 405, 'METHOD_NOT_ALLOWED', () => get({ query: 'mutation { note(text: "x") }' }, preflighted)],
    ['an answer that nobody takes', 406, 'NOT_ACCEPTABLE', () => post({ query: '{ echo }' }, { accept: 'text/html' })],
    ['a request of another site', 400, 'BAD_REQUEST', () => get({ query: '{ echo }' })],
    [
      'the hash of another text',
      400,
      'BAD_REQUEST',
      () => post({ query: '{ echo }', extensions: hashed('{ broken }') }),
    ],
    ['a version of hashes to come', 400, 'BAD_REQUEST', () => post({ extensions: { persistedQuery: { version: 2 } } })],
    ['variables as text', 400, 'BAD_REQUEST', () => post({ query: '{ echo }', variables: '{}' })],
    ['a batch', 400, 'BAD_REQUEST', () => post([{ query: '{ echo }' }])],
    [
      'a key that is none',
      400,
      'BAD_REQUEST',
      () => post({ query: 'mutation { note(text: "x") }' }, { 'x-idempotency-key': 'a b' }),
    ],
    ['an unknown credential', 401, 'UNAUTHORIZED', () => post({ query: '{ echo }' }, { authorization: 'Bearer none' })],
    ['an unknown credential of a GET', 401, 'UNAUTHORIZED', () => get({ query: '{ echo }' }, { 'x-api-key': 'none' })],
    ['a long body', 413, 'PAYLOAD_TOO_LARGE', () => post({ query: '{ echo }', padding: 'x'.repeat(200_000) })],
    ['a body as a form', 415, 'UNSUPPORTED_MEDIA_TYPE', () => post({}, { 'content-type': 'text/plain' })],
  ])(
    'refuses %s with the status that HTTP says, a request id, and nothing in the log',
    async (_what, status, code, ask) => {
      logged.length = 0;
      const response = await ask();
      expect(response.statusCode).toBe(status);
      expect(response.json()).toMatchObject({
        errors: [{ extensions: { code, statusCode: status, requestId: response.headers['x-request-id'] } }],
      });
      expect(response.json<{ errors: { message: string }[] }>().errors[0]?.message).toMatch(/\S$/);
      expect(logged.filter((line) => !line.includes('"level":30'))).toEqual([]);
    },
  );

  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json, application/graphql-response+json;q=0.9', 'application/json'],
    ['application/graphql-response+json', 'application/graphql-response+json'],
    ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json'],
  ])('refuses a credential in the media type of its other responses: %s', async (accept, type) => {
    const headers = accept === undefined ? {} : { accept };
    const refused = await post({ query: '{ echo }' }, { ...headers, 'x-api-key': 'none' });
    const run = await post({ query: '{ echo }' }, headers);
    expect(refused.headers).toMatchObject({
      'content-type': `${type}; charset=utf-8`,
      'www-authenticate': expect.any(String),
      'x-ratelimit-limit': expect.any(String),
    });
    expect(run.headers['content-type']).toBe(refused.headers['content-type']);
    expect(Object.keys(refused.json())).toEqual(['errors']);
  });

  test('refuses what a limit does not let in as a response of GraphQL, with the seconds to wait', async () => {
    const poor = await testPlugin({ edge: { rateLimits: rateLimitsOf(1) } });
    const echo = { query: '{ echo }' };
    await post(echo, {}, poor);
    const response = await post(echo, {}, poor);
    expect(response.statusCode).toBe(429);
    const seconds = Number(response.headers['retry-after']);
    const extensions = { code: 'TOO_MANY_REQUESTS', statusCode: 429, retryAfterSeconds: seconds };
    expect(response.json()).toMatchObject({ errors: [{ message: expect.stringMatching(/\d/), extensions }] });
    await poor.close();
  });

  test('reports every error of a document at once, each with its place in the text and in the operation', async () => {
    const query = '{ mine: search(filter: { price: { min: "x" }, bindings: [HARD, LOOSE] })\n books { nothing } }';
    for (const ask of [() => post({ query }), () => get({ query }, preflighted)]) {
      const response = await ask();
      const entry = (path: string, text: string, line: number, column: number) => ({
        message: expect.stringContaining(text),
        locations: [{ line, column }],
        extensions: {
          code: 'BAD_REQUEST',
          statusCode: 400,
          details: [{ path, message: expect.stringContaining(text) }],
          requestId: response.headers['x-request-id'],
        },
      });
      expect(response.statusCode).toBe(400);
      expect(response.json()).toEqual({
        errors: [
          entry('mine.filter.price.min', 'Decimal must be a decimal number', 1, 40),
          entry('mine.filter.bindings[1]', '"LOOSE"', 1, 64),
          entry('books.nothing', '"nothing"', 2, 10),
        ],
      });
    }
    const variables = await post({
      query: 'query ($n: Int!,\n $f: BookFilter) { books(first: $n) { id } search(filter: $f) }',
      variables: { n: 'x', f: { bindings: ['HARD', 'LOOSE'], price: { min: 'y' } } },
    });
    expect(variables.statusCode).toBe(400);
    expect(variables.json()).toMatchObject({
      errors: [
        {
          message: expect.stringMatching(/^n: /),
          locations: [{ line: 1, column: 8 }],
          extensions: { details: [{ path: 'n' }] },
        },
        { locations: [{ line: 2, column: 2 }], extensions: { details: [{ path: 'f.bindings[1]' }] } },
        { locations: [{ line: 2, column: 2 }], extensions: { details: [{ path: 'f.price.min' }] } },
      ],
    });
    expect(variables.json<{ errors: unknown[] }>().errors).toHaveLength(3);
    const deep = `{ echo\n books ${'{ others '.repeat(12)} { id } ${'}'.repeat(12)} }`;
    expect((await post({ query: deep })).json()).toMatchObject({ errors: [{ locations: [{ line: 1, column: 1 }] }] });
    expect((await post({ query: '{ echo\n __x: echo }' })).json()).toMatchObject({
      errors: [{ locations: [{ line: 2, column: 2 }] }],
    });
    expect((await post({ query: '{ echo }} ' })).json()).toMatchObject({
      errors: [{ locations: [{ line: 1, column: 9 }] }],
    });
    expect((await post({ query: '# what\nsubscription { bookChanged(id: "1") { what } }' })).json()).toMatchObject({
      errors: [{ locations: [{ line: 2, column: 1 }] }],
    });
    const many = await post({ query: `{ book(${'id: "1" '.repeat(15)}) { id } }` });
    expect(many.json<{ errors: { locations: object[] }[] }>().errors.map(({ locations }) => locations.length)).toEqual([
      10,
    ]);
  });

  test('knows its caller by the headers, and takes one credential', async () => {
    const known = await post({ query: '{ reader }' }, { authorization: `Bearer ${goodSession}` });
    expect(known.json()).toEqual({ data: { reader: 'account-1' } });
    const both = await post({ query: '{ reader }' }, { authorization: `Bearer ${goodSession}`, 'x-api-key': goodKey });
    expect(both.json()).toMatchObject({
      errors: [
        { message: expect.stringContaining('and only X-API-Key is read here'), extensions: { code: 'FORBIDDEN' } },
      ],
    });
  });

  test('remembers a persisted query by its hash', async () => {
    const query = '{ echo(price: "7.00") }';
    const extensions = { persistedQuery: { version: 1, sha256Hash: sha256(query) } };
    const missing = await post({ extensions });
    expect(missing.json()).toMatchObject({
      errors: [
        {
          message: 'PersistedQueryNotFound',
          extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', requestId: missing.headers['x-request-id'] },
        },
      ],
    });
    expect((await post({ query, extensions })).json()).toEqual({ data: { echo: '7.00' } });
    expect((await post({ extensions })).json()).toEqual({ data: { echo: '7.00' } });
  });
});

describe('a read by hash that caches may keep', () => {
  const query = 'query ($id: ID!) { book(id: $id) { title rating } }';
  const extensions = JSON.stringify(hashed(query));
  const read = (headers: Record<string, string> = {}, id = '1') =>
    get({ extensions, variables: JSON.stringify({ id }) }, headers);
  beforeAll(async () => {
    await post({ query, variables: { id: '1' }, extensions: hashed(query) });
  });

  test('has a tag that changes with its text, and 304 for who has it', async () => {
    const first = await read();
    expect(first.json()).toEqual({ data: { book: { title: 'Dom Casmurro', rating: 3 } } });
    expect(first.headers).toMatchObject({
      'cache-control': 'public, max-age=0, must-revalidate',
      etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
      vary: 'Accept, Authorization, X-API-Key, X-Signature, X-Query-Cost, Cookie',
    });
    const tag = String(first.headers.etag);
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const again = await read({ 'if-none-match': known });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', tag]);
      expect(again.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
      expect(again.headers.vary).toContain('Authorization');
    }
    const other = await read({ 'if-none-match': tag }, '2');
    expect(other.statusCode).toBe(200);
    expect(other.headers.etag).not.toBe(tag);
  });

  test('says nothing about its request: a cache would show it to others', async () => {
    const tag = String((await read()).headers.etag);
    for (const headers of [{}, { 'if-none-match': tag }, { accept: 'application/graphql-response+json' }]) {
      const names = Object.keys((await read(headers)).headers);
      expect(names.filter((name) => /^x-(ratelimit|request-id)/.test(name))).toEqual([]);
      expect(names).toContain('etag');
    }
    expect((await read({ 'x-api-key': goodKey })).headers).toMatchObject({ 'x-ratelimit-limit': expect.anything() });
  });

  test('by HEAD has the headers of GET, and no body', async () => {
    const url = `/graphql?${new URLSearchParams({ extensions, variables: '{"id":"1"}' }).toString()}`;
    const got = await read();
    const head = await app.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    for (const name of ['etag', 'cache-control', 'content-type', 'content-length', 'vary'])
      expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
    const known = await app.inject({ method: 'HEAD', url, headers: { 'if-none-match': String(got.headers.etag) } });
    expect(known.statusCode).toBe(304);
  });

  test('has the same bytes and tag, whether or not Apollo Server writes it', async () => {
    // Every other form of `Accept` is read by Apollo Server.
    const [first, second] = [await read({ accept: 'application/json;q=1' }), await read()];
    expect([second.body, second.headers.etag, second.headers['content-type']]).toEqual([
      first.body,
      first.headers.etag,
      first.headers['content-type'],
    ]);
  });

  test.each([
    ['a text in the address', { query }],
    ['a text with its hash', { query, extensions }],
  ])('needs no preflight, but %s does', async (_what, parameters) => {
    expect((await get({ ...parameters, variables: '{"id":"1"}' })).statusCode).toBe(400);
    expect((await get({ ...parameters, variables: '{"id":"1"}' }, preflighted)).statusCode).toBe(200);
  });

  test('is run for nobody, so that nothing in it depends on who asks', async () => {
    const own = '{ asker }';
    await post({ query: own, extensions: hashed(own) });
    const response = await get({ extensions: JSON.stringify(hashed(own)) }, { 'user-agent': 'me' });
    expect(response.json()).toEqual({ data: { asker: 'ANONYMOUS 192.0.2.0 192.0.2.0 -' } });
  });

  test.each<[string, () => ReturnType<typeof read>]>([
    ['with a session', () => read({ authorization: `Bearer ${goodSession}` })],
    ['with a key', () => read({ 'x-api-key': goodKey })],
    ['that asks for its cost', () => read({ 'x-query-cost': 'true' })],
    ['with its text in the address', () => get({ query, variables: '{"id":"1"}' }, preflighted)],
    ['by POST', () => post({ extensions: hashed(query), variables: { id: '1' } })],
    ['that fails', () => get({ extensions, variables: '{}' })],
    ['of an unknown document', () => get({ extensions: JSON.stringify(hashed('{ unknown }')) })],
  ])('is not one %s', async (_what, ask) => {
    const { headers } = await ask();
    expect(headers['cache-control']).toMatch(/no-store|private/);
    expect(headers.etag).toBeUndefined();
  });
});

describe('the limits of a document', () => {
  const bomb = (levels: number) =>
    Array.from(
      { length: levels },
      (_, level) => `fragment F${level} on Book { ...F${level + 1} ...F${level + 1} }`,
    ).join(' ') + ` fragment F${levels} on Book { id }`;
  const wide = `{ books { ${'id '.repeat(1900)} } }`;
  const conflicting = `{ books { ${Array.from({ length: 400 }, (_, n) => `... on Book { x: others(limit: ${n}) { id } }`).join(' ')} } }`;

  test.each([
    ['depth', `{ books ${'{ others '.repeat(12)} { id } ${'}'.repeat(12)} }`, 'levels of fields'],
    ['aliases', `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: echo`).join(' ')} }`, 'aliases'],
    ['directives', `{ echo ${'@include(if: true) '.repeat(51)} }`, 'directives'],
    ['tokens', `{ ${'echo '.repeat(2000)} }`, 'tokens'],
    ['cost', '{ books(first: 100) { others(limit: 100) { others(limit: 10) { place { __typename } } } } }', 'costs'],
    ['fragments that spread fragments', `{ books { ...F0 } } ${bomb(40)}`, 'selections'],
    ['a name of its own for a prototype', '{ __proto__: echo }', 'two underscores'],
    ['a fragment that spreads itself', '{ books { ...A } } fragment A on Book { ...A }', 'Cannot spread fragment'],
  ])('%s', async (_limit, query, message) => {
    const begun = process.cpuUsage();
    const response = await post({ query });
    expect(response.statusCode).toBe(400);
    expect(response.body).toContain(message);
    expect(process.cpuUsage(begun).user).toBeLessThan(10_000_000);
  });

  test.each([
    ['wide', wide],
    ['conflicting', conflicting],
  ])('bound what the worst document within them takes: %s', async (_name, query) => {
    const begun = process.cpuUsage();
    await post({ query });
    expect(process.cpuUsage(begun).user).toBeLessThan(10_000_000);
  });

  test('count the price of an operation against the rate limit', async () => {
    const cheap = { query: '{ echo(price: "11") }' };
    const dear = { query: 'query ($n: Int!) { books(first: $n) { place { __typename } } }', variables: { n: 20 } };
    const left: number[] = [];
    for (const payload of [cheap, cheap, dear, dear]) {
      left.push(Number((await post(payload)).headers['x-ratelimit-remaining']));
    }
    const spent = left.slice(1).map((remaining, at) => Number(left[at]) - remaining);
    // A document costs 50 more when it is new; of the twenty books three came.
    expect(spent).toEqual([1, 50 + 1 + 3, 1 + 3]);
  });

  test('charge a run what it can cost before it begins, and give nothing back where it fails', async () => {
    const limit = 200;
    const small = await testPlugin({ edge: { rateLimits: rateLimitsOf(limit) } });
    const few = 'query ($n: Int = 1) { books(first: $n) { place { __typename } } }';
    const left = async (query: string, variables = {}) => {
      const response = await post({ query, variables }, {}, small);
      return [response.statusCode, Number(response.headers['x-ratelimit-remaining'])];
    };
    const failing = '{ books(first: 50) { place { __typename } } strictBook(id: "9") { title } }';
    expect(await left(failing)).toEqual([200, limit - 50 - (1 + 50 + 1)]);
    expect(await left(few)).toEqual([200, 98 - 50 - (1 + 1)]);
    // Only three books would come, but sixty can.
    expect(await left(few, { n: 60 })).toEqual([429, 46 - 1]);
    expect(await left(few, { n: 40 })).toEqual([200, 45 - (1 + 3)]);
    await small.close();
  });

  test('tell a caller who asks what an operation cost', async () => {
    const query = 'query ($n: Int!) { books(first: $n) { place { __typename } } }';
    const payload = { query, variables: { n: 30 } };
    const told = { 'x-query-cost': 'true' };
    for (const ask of [
      () => post(payload, told),
      () => post({ ...payload, extensions: {} }, told),
      () => get({ query, variables: '{"n": 30}' }, { ...preflighted, ...told }),
    ]) {
      const response = await ask();
      const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset } = response.headers;
      expect(response.json()).toEqual({
        data: { books: expect.any(Array) },
        extensions: {
          cost: {
            requestedQueryCost: 31,
            actualQueryCost: 4,
            throttleStatus: {
              maximumAvailable: 1e6,
              currentlyAvailable: Number(remaining),
              resetsAt: new Date(Number(reset) * 1000).toISOString(),
            },
          },
        },
      });
    }
    expect((await post(payload)).json()).not.toHaveProperty('extensions');
  });

  test('say what to lower', async () => {
    const query = 'query ($n: Int!) { all: books(first: $n) { more: others(limit: 150) { place { __typename } } } }';
    for (const payload of [
      { query, variables: { n: 100 } },
      { query, variables: { n: 100 }, extensions: {} },
    ]) {
      const refused = await post(payload);
      const message = 'The operation costs 15101 points, and the limit is 10000: lower "limit" of all.more (150)';
      expect(refused.statusCode).toBe(400);
      expect(refused.json()).toEqual({
        errors: [
          {
            message,
            extensions: {
              code: 'BAD_REQUEST',
              statusCode: 400,
              details: [{ path: 'all.more', message }],
              requestId: refused.headers['x-request-id'],
            },
          },
        ],
      });
    }
    expect((await post({ query, variables: { n: 66 } })).statusCode).toBe(200);
  });

  test('say so too where too few points are left', async () => {
    const poor = await testPlugin({ edge: { rateLimits: rateLimitsOf(100) } });
    const query = 'query ($n: Int!) { books(first: $n) { place { __typename } } }';
    const refused = await post({ query, variables: { n: 60 } }, {}, poor);
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({
      errors: [
        {
          message: expect.stringMatching(
            /^Too Many Requests: wait \d+ seconds?\. The operation costs 61 points, and 49 of 100 a minute are left: lower "first" of books \(60\)$/,
          ),
          extensions: { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: expect.any(Number) },
        },
      ],
    });
    expect((await post({ query, variables: { n: 48 } }, {}, poor)).statusCode).toBe(200);
    await poor.close();
  });

  test('let introspection through, or not, as configured', async () => {
    expect((await post({ query: getIntrospectionQuery() })).json()).toHaveProperty('data.__schema');
    const closed = await testPlugin({ graphql: { introspection: false } });
    const refused = await post({ query: getIntrospectionQuery() }, {}, closed);
    expect(refused.statusCode).toBe(400);
    expect(refused.body).not.toContain('bestReviews');
    await closed.close();
  });

  test('price introspection by what it selects, however often it was read before', async () => {
    const costOf = async (query: string) => {
      const response = await post({ query }, { 'x-query-cost': 'true' });
      const { extensions } = response.json<{ extensions: { cost: { requestedQueryCost: number } } }>();
      return extensions.cost.requestedQueryCost;
    };
    const whole = getIntrospectionQuery();
    const [all, again, fields, one] = [
      await costOf(whole),
      await costOf(whole),
      await costOf('{ __schema { types { fields { name } } } }'),
      await costOf('{ __schema { queryType { name } } echo }'),
    ];
    expect(again).toBe(all);
    expect(one).toBe(1);
    expect(fields).toBeGreaterThan(one);
    expect(all).toBeGreaterThan(2 * fields);
  });

  test.each([
    ['the schema twice', '{ a: __schema { queryType { name } } b: __schema { queryType { name } } }'],
    [
      'it in a fragment again',
      '{ ...A __schema { queryType { name } } } fragment A on Query { __schema { description } }',
    ],
    ['eleven types', `{ ${Array.from({ length: 11 }, (_, at) => `a${at}: __type(name: "Book") { name }`).join(' ')} }`],
    [
      'all fields thirty times',
      `{ __schema { types { ${Array.from({ length: 30 }, (_, at) => `a${at}: fields { name args { type { kind name ofType { kind name } } } type { kind name } }`).join(' ')} } } }`,
    ],
  ])('refuse introspection of %s', async (_name, query) => {
    for (const response of [await post({ query }), await get({ query }, preflighted)]) {
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({
        errors: [{ message: expect.stringMatching(/__(schema|type)/) as unknown }],
      });
    }
  });

  test('serve the schema that callers see as a text, or not, as configured', async () => {
    const served = await app.inject({ method: 'GET', url: '/schema.graphql' });
    expect([served.statusCode, served.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const schema = buildSchema(served.body);
    expect(schema.getQueryType()?.getFields()).toHaveProperty('books');
    expect(served.body).not.toMatch(/@join__|_entities|_Service/);
    const tag = String(served.headers['etag']);
    const again = await app.inject({ method: 'GET', url: '/schema.graphql', headers: { 'if-none-match': tag } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const closed = await testPlugin({ graphql: { sdl: false } });
    expect((await closed.inject({ method: 'GET', url: '/schema.graphql' })).statusCode).toBe(404);
    await closed.close();
  });

  describe('without introspection', () => {
    let closed: FastifyInstance;
    beforeAll(async () => {
      closed = await testPlugin({ graphql: { introspection: false } });
    });
    afterAll(() => closed.close());

    test.each([
      ['a field', { query: '{ boks { id } }' }],
      ['an argument', { query: '{ books(frist: 1) { id } }' }],
      ['a type', { query: '{ books { ... on Bok { id } } }' }],
      ['a field of another type', { query: '{ books { place { number } } }' }],
      ['a value', { query: '{ search(filter: { bindings: [HRAD] }) }' }],
      ['an input field', { query: '{ search(filter: { txt: "x" }) }' }],
      ['one of many', { query: '{ boks { id } ecko }' }],
      [
        'a value of a variable',
        { query: 'query ($b: [Binding!]!) { search(filter: { bindings: $b }) }', variables: { b: ['HRAD'] } },
      ],
      [
        'a field of a variable',
        { query: 'query ($f: BookFilter) { search(filter: $f) }', variables: { f: { txt: 'x', bindngs: [] } } },
      ],
    ])('a wrong name of %s brings no right one to light', async (_what, payload) => {
      expect((await post(payload)).body).toContain('Did you mean');
      const response = await post(payload, {}, closed);
      expect(response.statusCode).toBe(400);
      expect(response.body).not.toMatch(/Did you mean|\bbooks\b.*\?|first|HARD|Shelf|\btext\b/);
      const { errors } = response.json<{ errors: { extensions: object }[] }>();
      expect(errors.length).toBeGreaterThan(0);
      for (const { extensions } of errors) expect(extensions).toMatchObject({ code: 'BAD_REQUEST', statusCode: 400 });
    });
  });
});

describe('a safelist', () => {
  const folder = mkdtempSync(join(tmpdir(), 'safelist-'));
  const file = join(folder, 'safelist.json');
  const listed = '{ echo(price: "3.00") }';
  let closed: FastifyInstance;
  beforeAll(async () => {
    writeFileSync(file, JSON.stringify({ price: listed, [sha256('{ echo }')]: '{ echo }' }));
    closed = await testPlugin({ graphql: { safelistFile: file } });
  });
  afterAll(async () => {
    await closed.close();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['its name', { documentId: 'price' }],
    ['its hash', { documentId: sha256(listed) }],
    ['the hash of a persisted query', { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(listed) } } }],
    ['its text', { query: listed }],
  ])('runs a document named by %s', async (_how, payload) => {
    expect((await post(payload, {}, closed)).json()).toEqual({ data: { echo: '3.00' } });
    const params = Object.entries(payload).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const url = `/graphql?${new URLSearchParams(params).toString()}`;
    const got = await closed.inject({ method: 'GET', url, headers: preflighted });
    expect(got.json()).toEqual({ data: { echo: '3.00' } });
  });

  test('refuses any other', async () => {
    for (const payload of [{ query: '{ echo(price: "4.00") }' }, { documentId: 'other' }, {}]) {
      expect((await post(payload, {}, closed)).statusCode).toBe(403);
    }
  });

  test('ends the start when the graph cannot run one of its documents', async () => {
    writeFileSync(file, JSON.stringify({ wrong: '{ nothing }' }));
    await expect(testPlugin({ graphql: { safelistFile: file } })).rejects.toThrow('Cannot query field "nothing"');
  });
});

describe('the query editor', () => {
  const browser = { accept: 'text/html,application/xhtml+xml' };

  test('is a small page that loads nothing from elsewhere, and its script and styles once', async () => {
    const response = await app.inject({ method: 'GET', url: '/graphql', headers: browser });
    expect(response.headers['content-type']).toContain('text/html');
    const policy = String(response.headers['content-security-policy']);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^']+';/);
    expect(policy).not.toContain('unsafe');
    expect(response.body).toContain(` nonce="${nonce ?? '?'}"></script>`);
    expect(response.body.length).toBeLessThan(300_000);
    const loaded = [...response.body.matchAll(/(?:<script[^>]* src|rel="stylesheet" href)="([^"]*)"/g)];
    expect(loaded).toHaveLength(2);
    for (const [, url = ''] of loaded) {
      expect(url).toMatch(/^\/assets\/graphiql-/);
      for (const coding of ['br', 'gzip']) {
        const asset = await app.inject({ method: 'GET', url, headers: { 'accept-encoding': coding } });
        expect(asset.statusCode).toBe(200);
        expect(asset.headers).toMatchObject({ 'content-encoding': coding });
        expect(asset.headers['cache-control']).toContain('immutable');
        const plain = coding === 'br' ? brotliDecompressSync(asset.rawPayload) : gunzipSync(asset.rawPayload);
        expect(plain.toString()).toBe((await app.inject({ method: 'GET', url })).body);
      }
    }
  });

  test('is not there in production', async () => {
    const production = await testPlugin({ production: true });
    const response = await production.inject({ method: 'GET', url: '/graphql', headers: browser });
    expect(response.headers['content-type']).not.toContain('text/html');
    await production.close();
  });
});

describe('a mutation with an idempotency key', () => {
  let database: TestDatabase;
  let writing: FastifyInstance;
  beforeAll(async () => {
    database = await openTestDatabase();
    const { manager } = database.dataSource;
    writing = await testPlugin({
      parts: { parts: { clock: systemClock, log: createLog('silent'), manager, bus: createLocalBus() } },
    });
  });
  afterAll(async () => {
    await writing.close();
    await database.close();
  });

  test('runs once, says so the second time, and conflicts with another', async () => {
    const headers = { authorization: `Bearer ${goodSession}`, 'x-idempotency-key': 'k-1' };
    const query = 'mutation ($text: String!) { note(text: $text) }';
    const first = await post({ query, variables: { text: 'one' } }, headers, writing);
    const second = await post({ query, variables: { text: 'one' } }, headers, writing);
    const other = await post({ query, variables: { text: 'two' } }, headers, writing);
    expect(first.json()).toEqual({ data: { note: 'one' } });
    expect(first.headers['x-idempotent-replayed']).toBeUndefined();
    expect(second.json()).toEqual({ data: { note: 'one' } });
    expect(second.headers['x-idempotent-replayed']).toBe('true');
    expect(other.statusCode).toBe(409);
    expect(await database.dataSource.query('SELECT key FROM shared.outbox')).toEqual([{ key: 'one' }]);
  });
});
