import { readFileSync } from 'node:fs';
import { createPublicKey, verify } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LastroError, LastroNetworkError, createClient } from '../../packages/sdk/src/index.js';
import type { JsonSchema } from '../../gateway/json-schema/json-schema.js';
import { until } from '../kit/until.js';
import { clientOf, methodOf, openServer, sendJson, vectors, type Seen, type TestServer } from './kit.js';

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly $ref?: string;
  readonly schema?: JsonSchema;
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example: unknown }>>;
  };
  readonly responses: Readonly<Record<string, unknown>>;
}

const openApi = JSON.parse(readFileSync(new URL('../../rest/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

const documented = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
);
const isForBrowsers = ({ security }: Operation) => security.some((schemes) => 'browserSession' in schemes);
const operations = documented.filter((operation) => !isForBrowsers(operation));
type Placed = (typeof operations)[number];

let server: TestServer;
let respond: (seen: Seen) => { status: number; body: unknown } = () => ({ status: 200, body: {} });
beforeAll(async () => {
  server = await openServer((response, seen) => {
    const isLogin = seen.url.pathname === '/v1/auth/login' && seen.body.toString().includes('svc_trd_test');
    const tokens = { accessToken: 'access', refreshToken: 'refresh', expiresIn: 3600 };
    const { status, body } = isLogin ? { status: 200, body: tokens } : respond(seen);
    sendJson(response, status, body);
  });
});
afterAll(() => server.close());

const sample = ({ type, enum: values }: JsonSchema): unknown => {
  if (values !== undefined) return values[0];
  if (type === 'integer') return 7;
  return type === 'boolean' ? true : 'a/b ã&c';
};

/** Everything that a path documents, with a value. */
function inputOf({ parameters, requestBody }: Placed): Record<string, unknown> {
  const content = requestBody?.content['application/json'];
  const isWhole = content !== undefined && content.schema.properties === undefined;
  const own = content === undefined ? {} : isWhole ? { body: content.example } : (content.example as object);
  const given = parameters.filter(
    ({ in: place, name = '' }) => place !== 'header' && !name.startsWith('separa') && !(name in own),
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

/** The request of an operation: the last one that the server got. */
async function sent(operation: Placed, input: object = inputOf(operation), options: object = {}): Promise<Seen> {
  const isEmpty = Object.keys(inputOf(operation)).length === 0;
  const method = methodOf(clientOf(server.url), operation.operationId);
  await (isEmpty ? method(options) : method(input, options));
  const last = server.seen.at(-1);
  if (last === undefined) throw new Error('Nothing was sent');
  return last;
}

describe.each(operations)('$method $path', (operation) => {
  test('has a method that sends what the OpenAPI text documents', async () => {
    respond = () => ({ status: 200, body: { data: [] } });
    const input = inputOf(operation);
    const { method, url, headers, body } = await sent(operation);
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
    const example = operation.requestBody?.content['application/json']?.example;
    if (example === undefined) expect(body.length).toBe(0);
    else expect(JSON.parse(body.toString())).toEqual(example);
  });

  test('each documented error is a LastroError', async () => {
    const statuses = Object.keys(operation.responses)
      .map(Number)
      .filter((status) => status >= 400);
    expect(statuses).not.toHaveLength(0);
    for (const status of statuses) {
      const envelope = {
        statusCode: status,
        message: `No ${status}`,
        error: 'Error',
        code: 2002,
        requestId: 'r-1',
        details: [{ path: 'a', message: 'b' }],
      };
      respond = () => ({ status, body: envelope });
      const client = clientOf(server.url, { retry: { maxRetries: 0 } });
      const input = inputOf(operation);
      const method = methodOf(client, operation.operationId);
      const error: unknown = await (Object.keys(input).length === 0 ? method() : method(input)).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(LastroError);
      expect(error).toMatchObject({
        status,
        code: 2002,
        message: `No ${status}`,
        requestId: 'r-1',
        details: envelope.details,
      });
    }
  });
});

test('what only the cookie of a browser opens has no method: it could only fail', () => {
  const names = documented.filter(isForBrowsers).map(({ operationId }) => operationId);
  expect(names).toEqual(['createCreditBatchFromFile', 'createSettlementBatchFromFile']);
  const groups = Object.values(clientOf(server.url)) as object[];
  expect(groups.flatMap((group) => Object.keys(group)).filter((name) => names.includes(name))).toEqual([]);
});

test('a response without a body is undefined', async () => {
  respond = () => ({ status: 204, body: undefined });
  await expect(clientOf(server.url).apiKeys.revokeApiKey({ id: '1' })).resolves.toBeUndefined();
});

test('a signed request carries a signature over the bytes that are sent', async () => {
  respond = () => ({ status: 200, body: {} });
  const patrimonyId = '0190a000-0000-7000-8000-000000000003';
  const contracts = [
    { externalId: 'São 1', debtorDocument: '52998224725', faceValue: '999999999999.99', dueDate: '2031-01-31' },
  ];
  await clientOf(server.url).creditAssignment.createCreditBatch({ patrimonyId, contracts });
  const file = gzipSync('01REMESSA');
  await clientOf(server.url).creditAssignment.createCreditBatchFromCnab444({ patrimonyId }, file);
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
  const { creditAssignment } = clientOf(server.url);
  for (const faceValue of ['1.234', '1e3', '1,5', '', '12345678901234']) {
    const contracts = [{ externalId: '1', debtorDocument: '52998224725', faceValue, dueDate: '2031-01-31' }];
    await expect(creditAssignment.addContracts({ id: '1', contracts })).rejects.toThrow(TypeError);
  }
  expect(server.seen.length).toBe(before);
});

test('a part of the path leads to no other path', async () => {
  const before = server.seen.length;
  for (const id of ['', '.', '..']) {
    await expect(clientOf(server.url).developer.deleteWebhook({ id })).rejects.toThrow(TypeError);
  }
  expect(server.seen.length).toBe(before);
});

test('trading calls act for the profile and the wallet that the client or the call names', async () => {
  respond = () => ({ status: 200, body: {} });
  const client = clientOf(server.url, { profileId: 'p-1', synthetic: true });
  const headersOf = async (options: object) => {
    await client.trading.fetchBalance(options);
    const headers = server.seen.at(-1)?.headers;
    return [headers?.['x-profile-id'], headers?.['x-synthetic'], headers?.['x-request-id']];
  };
  expect(await headersOf({})).toEqual(['p-1', 'true', undefined]);
  expect(await headersOf({ profileId: 'p-2', synthetic: false, requestId: 'r' })).toEqual(['p-2', undefined, 'r']);
});

test('a call without its credential names the option, and sends nothing', async () => {
  const before = server.seen.length;
  await expect(createClient({ baseUrl: server.url }).operationData.operationCards()).rejects.toThrow(/apiKey/);
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
  await client.account.login({ email: 'ana@example.com', password: 'secret-of-body' });
  await client.trading.fetchBalance();
  await client.operationData.operationCards();
  await client.creditAssignment.creditBatchList();
  expect(told.length).toBe(10);
  expect(JSON.stringify(told)).not.toMatch(/secret|access|svc|BEGIN|session-token/);
});

test('a redirect is not followed, so that no credential leaves the address', async () => {
  const other = await openServer((response) => {
    sendJson(response, 200, {});
  });
  const moved = await openServer((response) => response.writeHead(307, { location: other.url }).end());
  await expect(clientOf(moved.url).operationData.operationCards()).rejects.toMatchObject({ status: 307 });
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
    const call = clientOf(url).tokenization.assetSummary({}, { signal: controller.signal });
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
  const { tokenization } = clientOf(slow.url, { timeoutMs: 50, retry: { maxRetries: 1, backoffMs: 1 } });
  for (const call of [() => tokenization.assetSummary(), () => tokenization.assetDetail({ id: '1' })]) {
    const error: unknown = await call().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LastroNetworkError);
    expect(error).toMatchObject({ code: 'TIMEOUT', status: undefined });
  }
  expect(slow.seen.length).toBe(4);
  await slow.close();
});
