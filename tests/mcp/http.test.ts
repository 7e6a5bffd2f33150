import { beforeEach, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { mcpPlugin } from '../../mcp/plugin.js';
import { createTestEdge, goodKey, goodSession, slowKey } from '../rest/edge-kit.js';
import { bookTools, createLibrary } from './kit.js';

const url = '/v1/emissoes/mcp';
const config = {
  publicUrl: 'https://api.example.com',
  allowedHosts: ['agents.example.org', 'fixed.example.org:8443'],
  allowedOrigins: ['https://panel.example.com'],
  production: false,
};

let app: FastifyInstance;

const { graph } = await createLibrary();

function serverOf(overrides: Partial<typeof config> = {}): FastifyInstance {
  const { app: made } = createTestEdge({ allowedOrigins: config.allowedOrigins });
  mcpPlugin(made, { graph, config: { ...config, ...overrides }, folder: bookTools });
  return made;
}

beforeEach(() => {
  app = serverOf();
});

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const call = (id: number | string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'listar_livros', arguments: {} },
});

function post(payload: unknown, headers: Record<string, string | undefined> = {}, from = app, query = '') {
  const all: Record<string, string | undefined> = {
    host: 'localhost:4000',
    'x-api-key': goodKey,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  return from.inject({
    method: 'POST',
    url: `${url}${query}`,
    payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
  });
}

const envelope = (statusCode: number, message = '') => ({
  statusCode,
  message: expect.stringContaining(message) as unknown,
  error: expect.any(String) as unknown,
  requestId: expect.any(String) as unknown,
});

describe('POST', () => {
  test('answers 201 with JSON, the headers of the house and no session', async () => {
    const response = await post(ping);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '999',
      'x-request-id': expect.any(String) as unknown,
    });
    expect(response.headers).not.toHaveProperty('mcp-session-id');
  });

  test.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a cancellation', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
  ])('answers 202 without a body to %s', async (_name, payload) => {
    const response = await post(payload);
    expect([response.statusCode, response.body]).toEqual([202, '']);
  });

  test('answers an unknown method as JSON-RPC does', async () => {
    const response = await post({ ...ping, method: 'tools/destroy' });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } });
  });

  test.each([
    ['tools/call', undefined, 'params is missing'],
    ['tools/call', {}, 'params.name is missing'],
    ['tools/call', { name: 7, arguments: '{}' }, 'params.name must be a string; params.arguments must be an object'],
    ['tools/call', [], 'params must be an object'],
    ['tools/list', { cursor: 5 }, 'params.cursor must be a string'],
    ['tools/list', { cursor: 'zzz' }, 'cursor is none of this list'],
    ['resources/templates/list', { cursor: 'zzz' }, 'cursor is none of this list'],
    ['resources/read', {}, 'params.uri is missing'],
    ['prompts/get', { name: 5 }, 'params.name must be a string'],
    [
      'prompts/get',
      { name: 'analisar_operacao', arguments: { ticker: 5 } },
      'params.arguments.ticker must be a string',
    ],
    ['completion/complete', {}, 'params.ref is missing; params.argument is missing'],
    ['completion/complete', { ref: { type: 'x' }, argument: { name: 'a', value: 'b' } }, 'params.ref'],
    ['initialize', {}, 'params.protocolVersion is missing; params.capabilities is missing'],
    ['ping', { _meta: 5 }, 'params._meta must be an object'],
  ])('says what is wrong with the parameters of %s: %j', async (method, params, message) => {
    const response = await post({ jsonrpc: '2.0', id: 'a', method, ...(params === undefined ? {} : { params }) });
    expect(response.statusCode).toBe(201);
    const body = response.json<{ error: { message: string } }>();
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      error: { code: -32602, message: expect.stringContaining(message) },
    });
    expect(body.error.message).not.toMatch(/[\n]|"expected"/);
  });

  test.each([
    ['params that are null', { params: null }],
    ['a member that it does not know', { trace: 'x', params: { cursor: null } }],
    ['an empty cursor', { params: { cursor: '' } }],
    ['an id that is a text', { id: 'a-1' }],
  ])('takes %s', async (_name, members) => {
    const response = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list', ...members });
    expect(response.json()).toMatchObject({
      id: 'id' in members ? members.id : 1,
      result: { tools: expect.any(Array) },
    });
  });

  test('takes arguments that are null for none', async () => {
    const response = await post({ ...call(1), params: { name: 'listar_livros', arguments: null } });
    expect(response.json()).toMatchObject({ result: { content: [{ type: 'text' }] } });
  });

  test('negotiates the version of the protocol', async () => {
    const initialize = (protocolVersion: string) =>
      post({
        ...ping,
        method: 'initialize',
        params: { protocolVersion, capabilities: {}, clientInfo: { name: 'agent', version: '1' } },
      });
    expect((await initialize('2025-03-26')).json()).toMatchObject({ result: { protocolVersion: '2025-03-26' } });
    expect((await initialize('2099-01-01')).json()).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  test('refuses a version that it does not speak', async () => {
    const response = await post(ping, { 'mcp-protocol-version': '1999-01-01' });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
  });
});

test('?structured is 400 with another value', async () => {
  const response = await post(ping, {}, app, '?structured=yes');
  expect(response.json()).toMatchObject({
    ...envelope(400),
    details: [{ path: 'structured', message: 'must be true or false' }],
  });
});

test.each([
  ['no JSON', '{"jsonrpc":', -32700],
  ['nothing', '', -32700],
  ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), -32700],
  ['a number', '7', -32600],
  ['a name twice in one object', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"a":2}}', -32600],
  ['no JSON-RPC', { hello: 'world' }, -32600],
  ['an id that is null', { ...ping, id: null }, -32600],
  ['an empty batch', [], -32600],
  ['two requests of one id', [ping, ping], -32600],
  [
    'initialize in a batch',
    [
      ping,
      {
        ...ping,
        id: 2,
        method: 'initialize',
        params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
      },
    ],
    -32600,
  ],
])('a body that is no message (%s) is told in the words of JSON-RPC', async (_name, payload, code) => {
  const response = await post(payload);
  expect(response.statusCode).toBe(400);
  expect(response.json()).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code, message: expect.any(String) as unknown },
  });
});

describe('a batch', () => {
  test('is answered as one, by protocols that have batches', async () => {
    for (const version of [undefined, '2025-03-26']) {
      const response = await post([call('a'), { jsonrpc: '2.0', method: 'notifications/initialized' }, ping], {
        'mcp-protocol-version': version,
      });
      expect(response.statusCode).toBe(201);
      expect(response.json()).toMatchObject([{ id: 'a' }, { id: 1 }]);
    }
  });

  test('has an error for each request whose parameters are wrong, beside the results of the others', async () => {
    const wrong = { ...call('b'), params: {} };
    const responses = (await post([call('a'), wrong, ping])).json<{ id: unknown; error?: { code: number } }[]>();
    const byId = new Map(responses.map(({ id, error }) => [id, error?.code]));
    expect(byId).toEqual(
      new Map<unknown, unknown>([
        ['a', undefined],
        [1, undefined],
        ['b', -32602],
      ]),
    );
    expect((await post([wrong])).json()).toMatchObject([{ id: 'b' }]);
    expect((await post([ping, wrong])).json()).toMatchObject([{ id: 1, result: {} }, { id: 'b' }]);
    expect((await post([{ jsonrpc: '2.0', method: 'notifications/initialized' }, wrong])).json()).toMatchObject([
      { id: 'b' },
    ]);
  });

  test('is refused where the protocol has none', async () => {
    const response = await post([ping], { 'mcp-protocol-version': '2025-06-18' });
    expect([response.statusCode, response.json<{ error: unknown }>().error]).toMatchObject([400, { code: -32600 }]);
  });

  test('spends one point a request', async () => {
    expect(
      (
        await post(
          [call(1), call(2), ping].map((one, id) => ({ ...one, id })),
          { 'x-api-key': slowKey },
        )
      ).headers,
    ).toMatchObject({
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '0',
    });
    expect((await post([call(1), call(2)], { 'x-api-key': slowKey })).statusCode).toBe(429);
  });
});

test('the limit is 429 in the envelope, with Retry-After', async () => {
  for (let used = 0; used < 3; used += 1) expect((await post(ping, { 'x-api-key': slowKey })).statusCode).toBe(201);
  const response = await post(ping, { 'x-api-key': slowKey });
  expect(response.json()).toEqual(envelope(429, 'Too Many Requests'));
  expect(response.headers).toMatchObject({
    'retry-after': expect.stringMatching(/^\d+$/) as unknown,
    'x-ratelimit-limit': '3',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/) as unknown,
  });
});

describe('HTTP', () => {
  test.each([
    ['no credential', {}],
    ['an unknown key', { 'x-api-key': 'svcpub_none.secret' }],
    ['a session, which is not for programs', { authorization: `Bearer ${goodSession}` }],
  ])('401 for %s says which credentials there are', async (_name, headers) => {
    const response = await post(ping, { 'x-api-key': undefined, ...headers });
    expect(response.json()).toEqual(envelope(401));
    expect(response.headers['www-authenticate']).toMatch(/ApiKey.*Bearer/);
  });

  test.each(['text/html', 'text/event-stream', 'application/json;q=0'])('406 when Accept is %s', async (accept) => {
    expect((await post(ping, { accept })).json()).toEqual(envelope(406));
  });

  test.each(['text/plain', 'text/plain; a=application/json', undefined])(
    '415 when Content-Type is %s',
    async (type) => {
      expect((await post(ping, { 'content-type': type })).json()).toEqual(envelope(415));
    },
  );

  test('413 over a mebibyte', async () => {
    const response = await post({ ...ping, params: { _meta: { filler: 'x'.repeat(1_048_577) } } });
    expect(response.json()).toEqual(envelope(413));
  });

  test.each(['GET', 'DELETE', 'PUT'] as const)('%s is 405: there are no streams and no sessions', async (method) => {
    const response = await app.inject({
      method,
      url,
      headers: { host: 'localhost', accept: 'text/event-stream', 'x-api-key': goodKey },
    });
    expect(response.json()).toEqual(envelope(405));
    expect(response.headers['allow']).toBe('POST');
  });
});

describe('a page of another site, whatever name it gave to this machine', () => {
  test.each([
    ['another Host', { host: 'evil.example.net' }],
    ['another Origin', { origin: 'https://evil.example.net' }],
  ])('is refused by %s', async (_name, headers) => {
    expect((await post(ping, headers)).json()).toEqual(envelope(403));
  });

  test('in production a loopback name is nobody', async () => {
    const production = serverOf({ production: true });
    expect((await post(ping, { host: 'localhost:4000' }, production)).statusCode).toBe(403);
    expect((await post(ping, { host: 'api.example.com', origin: 'http://localhost:1' }, production)).statusCode).toBe(
      403,
    );
    expect((await post(ping, { host: 'api.example.com' }, production)).statusCode).toBe(201);
  });
});

test('GET /v1/emissoes/mcp/tools is the catalogue, for everyone', async () => {
  const response = await app.inject({ method: 'GET', url: `${url}/tools`, headers: { host: 'localhost' } });
  expect(response.statusCode).toBe(200);
  const listed = await post({ ...ping, method: 'tools/list' }, {}, app, '?structured=true');
  expect(response.json()).toEqual(listed.json<{ result: unknown }>().result);
});
