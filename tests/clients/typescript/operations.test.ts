import { afterAll, describe, expect, test } from '@jest/globals';
import { createPublicKey, verify } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { inspect } from 'node:util';
import { LastroNetworkError, createClient, LastroError } from '../../../clients/typescript/src/index.js';
import type { JsonSchema } from '../../../gateway/graph/json-schema/json-schema.js';
import { until } from '../../kit/until.js';
import { call, clientOf, items, openServer, operations, sendJson, vectors, type Documented, type Seen } from './kit.js';

let respond: (seen: Seen) => { status: number; body: unknown } = () => ({ status: 200, body: {} });

const server = await openServer((response, seen) => {
  const isLogin = seen.url.pathname === '/v1/auth/login' && seen.body.toString().includes('svc_trd_test');
  const tokens = { accessToken: 'access', refreshToken: 'refresh', expiresIn: 3600 };
  const { status, body } = isLogin ? { status: 200, body: tokens } : respond(seen);
  sendJson(response, status, body);
});
afterAll(() => server.close());

const sample = ({ type, enum: values }: JsonSchema): unknown => {
  if (values !== undefined) return values[0];
  if (type === 'integer') return 7;
  return type === 'boolean' ? true : 'a/b ã&c';
};

function inputOf({ parameters, requestBody }: Documented): Record<string, unknown> {
  const content = requestBody?.content['application/json'];
  const isWhole = content !== undefined && content.schema.properties === undefined;
  const own = content === undefined ? {} : isWhole ? { body: content.example } : (content.example as object);
  // What a body may hold is a parameter beside bodies of text.
  const inBody = content?.schema.properties ?? {};
  const given = parameters.filter(
    ({ in: place, name = '' }) => place !== 'header' && !name.startsWith('separa') && !(name in inBody),
  );
  return {
    ...Object.fromEntries(
      given.flatMap(({ name, schema }) => (name === undefined ? [] : [[name, sample(schema ?? {})]])),
    ),
    ...(asText(own) as object),
  };
}

/** Decimals that examples show as JSON numbers, as the client takes them. */
function asText(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, inner: unknown) =>
      ['faceValue', 'settledAmount'].includes(name) && typeof inner === 'number' ? inner.toFixed(2) : inner,
    ),
  ) as unknown;
}

const credentials: Readonly<Record<string, (headers: Seen['headers']) => boolean>> = {
  apiKey: (headers) => headers['x-api-key'] === 'svcpub_test.secret',
  developerKey: (headers) => headers['x-api-key'] === 'svc_dev_test',
  session: (headers) => headers.authorization === 'Bearer session-token',
  accessToken: (headers) => headers.authorization === 'Bearer access',
  clientId: (headers) => headers['x-client-id'] === '0190a000-0000-7000-8000-000000000009',
};

describe.each(operations)('$method $path', (operation) => {
  test('is called as the OpenAPI text documents', async () => {
    respond = () => ({ status: 200, body: { data: [] } });
    const input = inputOf(operation);
    await call(clientOf(server.url, { profileId: 'p-1', synthetic: true }), operation.operationId, input);
    const last = server.seen.at(-1);
    if (last === undefined) throw new Error('Nothing was sent');
    const { method, url, headers, body } = last;
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
    expect([method, url.pathname]).toEqual([operation.method, path]);
    const query = operation.parameters.filter(
      ({ in: place, name = '' }) => place === 'query' && !name.startsWith('separa'),
    );
    const own = Object.keys(operation.requestBody?.content['application/json']?.schema.properties ?? {});
    const expected = query
      .filter(({ name = '' }) => !own.includes(name))
      .map(({ name = '' }) => [name, String(input[name])]);
    expect([...url.searchParams]).toEqual(expected);
    const [first] = operation.security;
    const kind = Object.keys(first ?? {})[0];
    if (kind === undefined) {
      expect(Object.keys(headers).filter((name) => /^(authorization|x-(api-key|client-id))$/.test(name))).toEqual([]);
    } else expect(credentials[kind]?.(headers)).toBe(true);
    const takesKey = operation.parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));
    expect(headers['x-idempotency-key'] !== undefined).toBe(takesKey);
    for (const name of ['X-Profile-Id', 'X-Synthetic'])
      expect([name, name.toLowerCase() in headers]).toEqual([
        name,
        operation.parameters.some((one) => one.name === name),
      ]);
    const example = operation.requestBody?.content['application/json']?.example;
    if (example === undefined) expect(body.length).toBe(0);
    else expect(JSON.parse(body.toString())).toEqual(example);
  });
});

test('a list with numbered pages begins with the first, and any other list without a number', async () => {
  const lists = operations.filter(({ method, parameters }) => {
    return method === 'GET' && parameters.some(({ name }) => name === 'page' || name === 'nextToken');
  });
  respond = () => ({ status: 200, body: { items: [], total: 0 } });
  for (const { operationId, parameters } of lists) {
    const operation = operations.find((one) => one.operationId === operationId);
    const path = operation === undefined ? {} : { ...inputOf(operation), page: undefined, nextToken: undefined };
    for await (const item of items(clientOf(server.url), operationId, path)) throw new Error(String(item));
    const isNumbered = parameters.some(({ name }) => name === 'page');
    expect([operationId, server.seen.at(-1)?.url.searchParams.get('page')]).toEqual([
      operationId,
      isNumbered ? '1' : null,
    ]);
  }
});

test('a file says its profile, as the OpenAPI text documents', async () => {
  const files = operations.flatMap(({ operationId, method, path, requestBody }) => {
    const type = Object.keys(requestBody?.content ?? {}).find((one) => one.startsWith('text/plain'));
    return type === undefined ? [] : [{ operationId, method, path, type }];
  });
  respond = () => ({ status: 200, body: {} });
  for (const { path, type } of files) {
    await clientOf(server.url).POST(path as '/tidc/v1/credit-batches', { body: '01REMESSA' });
    const { url, headers, body } = server.seen.at(-1) ?? {};
    expect([url?.pathname, headers?.['content-type'], body?.toString()]).toEqual([path, type, '01REMESSA']);
  }
});

test('a list as CSV is a response to read', async () => {
  const csv = await openServer((response) => response.writeHead(200, { 'content-type': 'text/csv' }).end('date;pu'));
  const path = { ticker: 'A/1' };
  const response = await clientOf(csv.url).file('/public/tranches/{ticker}/unit-prices', {
    params: { path, query: { separator: ',' } },
  });
  expect(await response.text()).toBe('date;pu');
  await csv.close();
  const [{ url, headers } = {}] = csv.seen;
  expect([url?.pathname, url?.search, headers?.accept]).toEqual([
    '/public/tranches/A%2F1/unit-prices',
    '?separator=%2C',
    'text/csv, */*;q=0.5',
  ]);
});

test('a response without a body is undefined', async () => {
  respond = () => ({ status: 204, body: undefined });
  const params = { path: { id: '1' } };
  await expect(clientOf(server.url).DELETE('/v1/emissoes/keys/{id}', { params })).resolves.toBeUndefined();
});

test('a signed request carries a signature over the bytes that are sent', async () => {
  respond = () => ({ status: 200, body: {} });
  const patrimonyId = '0190a000-0000-7000-8000-000000000003';
  const contracts = [
    { externalId: 'São 1', debtorDocument: '52998224725', faceValue: '999999999999.99', dueDate: '2031-01-31' },
  ];
  await clientOf(server.url).POST('/tidc/v1/credit-batches', { body: { patrimonyId, contracts } });
  const file = gzipSync('01REMESSA');
  await clientOf(server.url).POST('/tidc/v1/credit-batches', { params: { query: { patrimonyId } }, body: file });
  const { publicKey } = vectors<{ publicKey: string }>('signatures');
  const [json, text] = server.seen.slice(-2);
  for (const { method, url, headers, body } of [json, text].flatMap((one) => (one === undefined ? [] : [one]))) {
    const signed = Buffer.concat([
      Buffer.from(`${method}\n${url.pathname}${url.search}\n${String(headers['x-timestamp'])}\n`),
      body,
    ]);
    const signature = Buffer.from(String(headers['x-signature']), 'base64');
    expect(verify('RSA-SHA256', signed, createPublicKey(publicKey), signature)).toBe(true);
  }
  expect(json?.body.toString()).toContain('"faceValue":999999999999.99,');
  expect(text?.headers).toMatchObject({ 'content-type': 'text/plain; profile=cnab444', 'content-encoding': 'gzip' });
  expect(gunzipSync(text?.body ?? '').toString()).toBe('01REMESSA');
});

test('a decimal that would not be sent exactly is rejected before anything is sent', async () => {
  const before = server.seen.length;
  for (const faceValue of ['1.234', '1e3', '1,5', '', '12345678901234']) {
    const contracts = [{ externalId: '1', debtorDocument: '52998224725', faceValue, dueDate: '2031-01-31' }];
    const call = clientOf(server.url).POST('/tidc/v1/credit-batches/{id}/contracts', {
      params: { path: { id: '1' } },
      body: { contracts },
    });
    await expect(call).rejects.toThrow(TypeError);
  }
  expect(server.seen.length).toBe(before);
});

test('a part of the path leads to no other path', async () => {
  const before = server.seen.length;
  for (const id of ['', '.', '..']) {
    const call = clientOf(server.url).DELETE('/developer/webhooks/{id}', { params: { path: { id } } });
    await expect(call).rejects.toThrow(TypeError);
  }
  expect(server.seen.length).toBe(before);
});

test('trading calls act for the profile and the wallet that the client or the call names', async () => {
  respond = () => ({ status: 200, body: {} });
  const client = clientOf(server.url, { profileId: 'p-1', synthetic: true });
  const headersOf = async (header: { 'X-Profile-Id'?: string; 'X-Synthetic'?: boolean; 'X-Request-Id'?: string }) => {
    await client.GET('/v1/wallet/fetchBalance', { params: { header } });
    const headers = server.seen.at(-1)?.headers;
    return [headers?.['x-profile-id'], headers?.['x-synthetic'], headers?.['x-request-id']];
  };
  expect(await headersOf({})).toEqual(['p-1', 'true', undefined]);
  expect(await headersOf({ 'X-Profile-Id': 'p-2', 'X-Synthetic': false, 'X-Request-Id': 'r' })).toEqual([
    'p-2',
    'false',
    'r',
  ]);
});

test('a call without its credential names the option, and sends nothing', async () => {
  const before = server.seen.length;
  await expect(createClient({ baseUrl: server.url }).GET('/v1/emissoes/operacoes')).rejects.toThrow(/apiKey/);
  expect(server.seen.length).toBe(before);
});

test('an address with a path or a credential is rejected', () => {
  for (const baseUrl of [
    'http://localhost/v1',
    'http://me:secret@localhost',
    'ftp://localhost',
    'localhost',
    'http://localhost?x',
  ]) {
    expect(() => createClient({ baseUrl })).toThrow(/^Invalid URL|^baseUrl must be/);
  }
});

test('hooks see no secret', async () => {
  respond = () => ({ status: 200, body: { accessToken: 'secret-of-response' } });
  const told: unknown[] = [];
  const hooks = { onRequest: (one: unknown) => told.push(one), onResponse: (one: unknown) => told.push(one) };
  const client = clientOf(server.url, hooks);
  await client.POST('/v1/emissoes/auth/login', { body: { email: 'ana@example.com', password: 'secret-of-body' } });
  await client.GET('/v1/wallet/fetchBalance');
  await client.GET('/v1/emissoes/operacoes');
  await client.GET('/tidc/v1/credit-batches');
  expect(told.length).toBe(10);
  expect(JSON.stringify(told)).not.toMatch(/secret|access|svc|BEGIN|session-token/);
});

test('a redirect is not followed, so that no credential leaves the address', async () => {
  const other = await openServer((response) => {
    sendJson(response, 200, {});
  });
  const moved = await openServer((response) => response.writeHead(307, { location: other.url }).end());
  await expect(clientOf(moved.url).GET('/v1/emissoes/operacoes')).rejects.toMatchObject({ status: 307 });
  expect(other.seen).toEqual([]);
  expect(moved.seen.length).toBe(1);
  await moved.close();
  await other.close();
});

test('a call ends with the reason of its signal, while it waits for a response or for a retry', async () => {
  const silent = await openServer(() => undefined);
  const busy = await openServer((response) => {
    sendJson(response, 503, {}, { 'retry-after': '30' });
  });
  for (const { url, seen } of [silent, busy]) {
    const controller = new AbortController();
    const call = clientOf(url).GET('/public/assets/summary', { signal: controller.signal });
    const outcome = expect(call).rejects.toThrow('enough');
    await until('the request', () => seen.length > 0);
    controller.abort(new Error('enough'));
    await outcome;
  }
  await silent.close();
  await busy.close();
});

test('a response that does not come, or does not end, in time is a network error of its own', async () => {
  const slow = await openServer((response, { url }) => {
    if (url.pathname.endsWith('/summary')) response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  });
  const client = clientOf(slow.url, { timeoutMs: 50, retry: { maxRetries: 1, backoffMs: 1 } });
  const detail = () => client.GET('/public/assets/{id}', { params: { path: { id: '1' } } });
  for (const call of [() => client.GET('/public/assets/summary'), detail]) {
    const error: unknown = await call().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LastroNetworkError);
    expect(error).toMatchObject({ code: 'TIMEOUT', status: undefined });
  }
  expect(slow.seen.length).toBe(4);
  await slow.close();
});

const mebibyte = 1024 * 1024;
const reasonOf = (work: PromiseLike<unknown>) => work.then(undefined, (reason: unknown) => reason);

test.each([200, 500])('a body without an end (status %d) is read up to the limit', async (status) => {
  const server = await openServer((response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
    };
    response.on('drain', more);
    more();
  });
  const error = await reasonOf(clientOf(server.url, { maxResponseBytes: mebibyte }).GET('/public/patrimonies'));
  await server.close();
  expect(error).toBeInstanceOf(LastroError);
  expect(error).toMatchObject({ status, code: 'RESPONSE_TOO_LARGE' });
  expect(server.seen.length).toBe(1);
});

test('a compressed body counts as long as it is decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * mebibyte, ' '));
  const server = await openServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
  });
  const error = await reasonOf(clientOf(server.url, { maxResponseBytes: mebibyte }).GET('/public/patrimonies'));
  await server.close();
  expect(bomb.length).toBeLessThan(mebibyte);
  expect(error).toMatchObject({ status: 200, code: 'RESPONSE_TOO_LARGE' });
});

test('a body that comes byte by byte ends with the time of the attempt', async () => {
  const server = await openServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => {
      clearInterval(timer);
    });
  });
  const options = { timeoutMs: 200, retry: { maxRetries: 0 } };
  const error = await reasonOf(clientOf(server.url, options).GET('/public/patrimonies'));
  await server.close();
  expect(error).toBeInstanceOf(LastroNetworkError);
  expect(error).toMatchObject({ code: 'TIMEOUT' });
});

test.each(['svcpub_a.top secret\n', 'svcpub_a.top\r\nX-Role: secret', 'svcpub_a.top–secret'])(
  'a credential that is no header (%j) is an error of the program, without the credential and without a request',
  async (apiKey) => {
    const server = await openServer((response) => response.end('{}'));
    const error = await reasonOf(clientOf(server.url, { apiKey }).GET('/v1/emissoes/operacoes'));
    await server.close();
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain('x-api-key');
    expect(inspect(error, { depth: 9 })).not.toContain('svcpub');
    expect(server.seen).toEqual([]);
  },
);

test('secrets are in no property of a client, and in no error', async () => {
  const server = await openServer((response) => response.writeHead(500).end('no'));
  const client = clientOf(server.url, { apiKey: 'svcpub_x.hidden', developerKey: 'svc_dev_hidden' });
  const failures = await Promise.all([
    reasonOf(client.GET('/v1/emissoes/operacoes')),
    reasonOf(client.GET('/v1/wallet/fetchBalance')),
    reasonOf(client.GET('/developer/webhooks')),
  ]);
  await server.close();
  expect(inspect([client, ...failures], { depth: 9, showHidden: true })).not.toMatch(
    /hidden|svc_trd_secret_test|BEGIN/,
  );
});
