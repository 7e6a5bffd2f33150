import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { Agent, fetch as fetchWith, Pool } from 'undici';
import { edgesOfFile } from '../../tests/kit/edges.js';
import { createTestEdge, goodKey, goodSession, open, slowKey, testCallers } from '../../tests/rest/edge-kit.js';
import { contextOf } from './identify/context.js';
import { spendMore } from './limits/charge.js';
import { createReadiness } from './readiness.js';
import type { Callers } from './route-policy.js';
import { rateLimitsOf } from '../../tests/kit/rate-limits.js';

const { start, say } = edgesOfFile();

const json = { 'content-type': 'application/json' };
const limits = rateLimitsOf(100, { public: 5, accounts: 2, session: 4, apiKey: 6, client: 7 });

function plainRoutes(app: FastifyInstance): void {
  app.get('/free', () => ({ ok: true }));
  app.get('/free/:name', (request) => ({ name: request.params }));
  app.post('/free', (request) => ({ body: request.body ?? null }));
  app.get(
    '/data',
    { config: { edge: { credential: 'apiKey', bucket: 'apiKey' } } },
    (request) => request.edge.principal,
  );
  app.post(
    '/agent',
    { config: { edge: { credential: 'agent', bucket: 'agent' } } },
    (request) => request.edge.principal,
  );
  app.get(
    '/me',
    { config: { edge: { credential: 'session', bucket: 'session' } } },
    (request) => request.edge.principal,
  );
  app.post('/graph', { config: { edge: { credential: 'optional', bucket: 'graphql' } } }, async (request, reply) => {
    await spendMore(request, reply, 59);
    return request.edge.principal;
  });
  app.get('/broken', () => {
    throw Object.assign(new Error('select secret from vault'), { parameters: ['topsecret'], query: 'select 1' });
  });
}

// Where no test changes or counts anything, one server is enough.
const plain = createTestEdge();
plainRoutes(plain.app);
const base = await open(plain.app);
afterAll(() => plain.app.close());
const { logged } = plain;

function signal() {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return {
    given,
    give: () => {
      give();
    },
  };
}

describe('headers', () => {
  test('every response has the limit, what is left of it, when it resets, and the request id', async () => {
    const asked: [string, RequestInit?][] = [
      ['/free'],
      ['/nowhere'],
      ['/free', { method: 'DELETE' }],
      ['/free', { method: 'POST', headers: json, body: '{' }],
      ['/free', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }],
      ['/free', { method: 'POST', headers: json, body: JSON.stringify('x'.repeat(1_100_000)) }],
      ['/data'],
      ['/broken'],
      ['/%zz'],
      [`/free/${'x'.repeat(300)}`],
      ['/healthz'],
      ['/metrics'],
    ];
    const statuses: number[] = [];
    for (const [path, init] of asked) {
      const askedAt = Date.now() / 1000;
      const answer = await fetch(base + path, init);
      statuses.push(answer.status);
      expect(answer.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/);
      expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
      const reset = Number(answer.headers.get('x-ratelimit-reset'));
      // The end of a window of a minute, in whole seconds.
      expect(reset).toBeGreaterThanOrEqual(askedAt);
      expect(reset).toBeLessThanOrEqual(Date.now() / 1000 + 61);
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      const body = await answer.text();
      if (answer.status >= 400) {
        const envelope = JSON.parse(body) as Record<string, unknown>;
        expect(envelope).toMatchObject({ statusCode: answer.status, requestId: answer.headers.get('x-request-id') });
        expect(typeof envelope['message']).toBe('string');
        expect(typeof envelope['error']).toBe('string');
      }
    }
    expect(statuses).toEqual([200, 404, 405, 400, 415, 413, 401, 500, 400, 404, 200, 200]);
  });

  test('a sane request id of the caller is kept, any other is replaced; the log line has it', async () => {
    const kept = await fetch(`${base}/free`, { headers: { 'x-request-id': 'trace-42' } });
    expect(kept.headers.get('x-request-id')).toBe('trace-42');
    const replaced = await fetch(`${base}/free`, { headers: { 'x-request-id': 'a b"c' } });
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(logged()).toContain('"requestId":"trace-42"');
  });

  test('a log line holds no query string and no credential', async () => {
    await fetch(`${base}/data?token=hush`, { headers: { 'x-api-key': goodKey } });
    expect(logged()).toContain('"path":"/data"');
    expect(logged()).not.toMatch(/hush|svcpub/);
  });
});

describe('errors', () => {
  test('an unforeseen error shows nothing, and its log line no query and no parameters', async () => {
    const text = await (await fetch(`${base}/broken`)).text();
    expect(text).not.toMatch(/select|secret|\.ts/);
    expect(logged()).toContain('select secret from vault');
    expect(logged()).not.toContain('topsecret');
  });

  test('a known path with another method answers 405 and names the methods; patterns count', async () => {
    const answer = await fetch(`${base}/free/x`, { method: 'PATCH' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(`${base}/free/x/y`, { method: 'PATCH' })).status).toBe(404);
  });

  test('who would change a thing by a method that its path does not have reads which way there is', async () => {
    const { base } = await start((app) => {
      plainRoutes(app);
      app.get('/batches/:id', () => 'b');
      for (const act of ['submit', 'cancel']) app.post(`/batches/:id/${act}`, () => act);
      app.post('/batches/:id/:part', () => 'p');
      const hidden = { credential: 'none', bucket: 'public', visibleTo: () => false } as const;
      app.post('/batches/:id/secret', { config: { edge: hidden } }, () => 's');
    });
    const message = async (path: string, method: string) =>
      ((await (await fetch(base + path, { method })).json()) as { message: string }).message;
    expect(await message('/batches/7', 'PATCH')).toBe(
      'PATCH is not a method of this path, which has GET, HEAD: its resource is changed by POST /batches/{id}/cancel, POST /batches/{id}/submit',
    );
    expect(await message('/free/x', 'PUT')).toBe('PUT is not a method of this path, which has GET, HEAD');
    expect(await message('/batches/7', 'DELETE')).toBe(
      'The path does not support this method: the header Allow lists its methods',
    );
  });

  test('a body that would set a prototype, that is not UTF-8 or not whole is refused with details', async () => {
    const prototype = 'The body must not have a field "__proto__", nor "prototype" within "constructor"';
    const bodies: [BodyInit, string][] = [
      ['{"__proto__":{"admin":true}}', prototype],
      ['{"a":{"constructor":{"prototype":{}}}}', prototype],
      [Buffer.from([0x22, 0xff, 0x22]), 'The body is not valid UTF-8'],
      ['{"a":', 'The body is not valid JSON'],
      ['{"__proto__":', 'The body is not valid JSON'],
    ];
    for (const [body, message] of bodies) {
      const answer = await fetch(`${base}/free`, { method: 'POST', headers: json, body });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: 'Bad Request', details: [{ path: '', message }] });
    }
  });

  test('a name twice in one object is refused with its path, however it is written and however long the body is', async () => {
    const long = `"x":"${'x'.repeat(70_000)}",`;
    const bodies = [
      ['{"a":1,"a":1}', 'a'],
      ['{"contracts":[{"faceValue":10},{"faceValue":10,"\\u0066aceValue":1000}]}', 'contracts[1].faceValue'],
      [`{${long}"b":{"c":[[{"d":1},{"d":1,"d":2}]]}}`, 'b.c[0][1].d'],
    ];
    for (const [body = '', path] of bodies) {
      const answer = await fetch(`${base}/free`, { method: 'POST', headers: json, body });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ details: [{ path, message: 'is given twice: send it once' }] });
    }
    const apart = await fetch(`${base}/free`, { method: 'POST', headers: json, body: '{"a":{"a":1},"b":[{"a":1}]}' });
    expect(await apart.json()).toEqual({ body: { a: { a: 1 }, b: [{ a: 1 }] } });
  });

  test('a body may begin with one byte order mark', async () => {
    const statusOf = async (body: string) =>
      (await fetch(`${base}/free`, { method: 'POST', headers: json, body })).status;
    expect(await statusOf('\uFEFF{"a":1}')).toBe(200);
    expect(await statusOf('\uFEFF\uFEFF{"a":1}')).toBe(400);
  });

  test('JSON is taken in UTF-8 alone, whatever case its media type is written in', async () => {
    const statusOf = async (type: string) =>
      (await fetch(`${base}/free`, { method: 'POST', headers: { 'content-type': type }, body: '{}' })).status;
    for (const type of [
      'application/json; Charset=UTF-8',
      'Application/JSON;charset="utf-8"',
      'application/json;charset=utf8',
    ])
      expect([type, await statusOf(type)]).toEqual([type, 200]);
    for (const type of ['application/json; charset=utf-16', 'application/json; CHARSET="ISO-8859-1"'])
      expect([type, await statusOf(type)]).toEqual([type, 415]);
  });
});

test.each([
  ['two of them', ['localhost', 'localhost']],
  ['with a comma', ['localhost, example.com']],
  ['with user information', ['user@localhost']],
  ['with a blank', ['local host']],
  ['with a path', ['localhost/x']],
])('a Host that is no name is refused: %s', async (_, hosts) => {
  const head = `GET /free HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}Connection: close\r\n\r\n`;
  expect(await say(Number(new URL(base).port), head).ended).toMatch(/^HTTP\/1.1 400 [^]*"path":"Host"/);
});

describe('credentials', () => {
  test('an empty header is none', async () => {
    const kindOf = async (headers: Record<string, string>) => {
      const answer = await fetch(`${base}/graph`, { method: 'POST', headers });
      return ((await answer.json()) as { kind?: string }).kind;
    };
    const empty = { authorization: '', 'x-api-key': '', 'x-signature': '', 'x-client-id': '' };
    expect(await kindOf(empty)).toBe('ANONYMOUS');
    expect(await kindOf({ ...empty, 'x-api-key': goodKey })).toBe('API_KEY');
    expect(await kindOf({ ...empty, authorization: `Bearer ${goodSession}` })).toBe('SESSION');
  });

  test('each route takes just the credential that it asks for, from just the header that it names', async () => {
    const key = { 'x-api-key': goodKey };
    const bearerKey = { authorization: `Bearer ${goodKey}` };
    const session = { authorization: `Bearer ${goodSession}` };
    const status = async (path: string, headers: Record<string, string>, method = 'GET') =>
      (await fetch(base + path, { headers, method })).status;
    expect([await status('/data', key), await status('/data', bearerKey), await status('/data', session)]).toEqual([
      200, 401, 401,
    ]);
    expect([await status('/me', session), await status('/me', key), await status('/me', bearerKey)]).toEqual([
      200, 401, 401,
    ]);
    expect([
      await status('/agent', key, 'POST'),
      await status('/agent', bearerKey, 'POST'),
      await status('/agent', session, 'POST'),
    ]).toEqual([200, 200, 401]);
    expect([
      await status('/graph', {}, 'POST'),
      await status('/graph', session, 'POST'),
      await status('/graph', { 'x-api-key': 'bad' }, 'POST'),
    ]).toEqual([200, 200, 401]);
  });

  test('a 401 says which credential is wanted', async () => {
    expect((await fetch(`${base}/data`)).headers.get('www-authenticate')).toBe(
      'ApiKey realm="lastro", header="X-API-Key"',
    );
    expect(
      (await fetch(`${base}/me`, { headers: { authorization: 'Bearer x' } })).headers.get('www-authenticate'),
    ).toBe('Bearer realm="lastro", error="invalid_token"');
  });

  test('who sends a key and a session together reads which one was looked at, and is served by one that suits', async () => {
    const ask = async (path: string, key: string, bearer: string, method = 'GET') => {
      const answer = await fetch(base + path, {
        method,
        headers: { 'x-api-key': key, authorization: `Bearer ${bearer}` },
      });
      return [answer.status, ((await answer.json()) as { message?: string }).message];
    };
    const refused = 'Credentials are missing, invalid or expired';
    const needsSession = 'This path needs a session in `Authorization: Bearer`: it is missing, invalid or has ended';
    expect(await ask('/graph', 'bad', goodSession, 'POST')).toEqual([
      401,
      `${refused}. The request has both X-API-Key and Authorization, and only X-API-Key is read here: send one of them`,
    ]);
    expect(await ask('/me', goodKey, 'bad')).toEqual([
      401,
      `${needsSession}. The request has both Authorization and X-API-Key, and only Authorization is read here: send one of them`,
    ]);
    expect((await ask('/data', goodKey, goodSession))[0]).toBe(200);
    expect((await ask('/me', 'bad', goodSession))[0]).toBe(200);
  });

  test("an authentication that cannot be decided is the server's error, not the caller's", async () => {
    const { base } = await start(
      plainRoutes,
      {},
      { callers: { ...testCallers(), authenticate: () => Promise.reject(new Error('no database')) } },
    );
    const answer = await fetch(`${base}/data`, { headers: { 'x-api-key': goodKey } });
    expect(answer.status).toBe(500);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1000');
  });
});

describe('limits', () => {
  const count = async (asks: Promise<Response>[], status: number) =>
    (await Promise.all(asks)).filter((answer) => answer.status === status).length;

  test('of many requests at once exactly as many pass as the limit says; the rest get the time to wait', async () => {
    const { base } = await start(plainRoutes, { rateLimits: limits });
    const asks = Array.from({ length: 20 }, () => fetch(`${base}/data`, { headers: { 'x-api-key': goodKey } }));
    expect(await count(asks, 200)).toBe(6);
    const refused = await fetch(`${base}/data`, { headers: { 'x-api-key': goodKey } });
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(await refused.json()).toMatchObject({
      error: 'Too Many Requests',
      message: `Too Many Requests: wait ${wait} seconds`,
    });
  });

  test('a key has the number that is stored with it, and only what was let in counts as used', async () => {
    const callers = testCallers();
    const { base } = await start(plainRoutes, { rateLimits: limits }, { callers });
    const asks = Array.from({ length: 10 }, () => fetch(`${base}/data`, { headers: { 'x-api-key': slowKey } }));
    expect(await count(asks, 200)).toBe(3);
    expect(callers.touched).toEqual(['key-2', 'key-2', 'key-2']);
    expect((await fetch(`${base}/data`, { headers: { 'x-api-key': goodKey } })).status).toBe(200);
  });

  test('bad credentials and unknown paths spend from the bucket of the network they come from', async () => {
    const { base } = await start(plainRoutes, { rateLimits: limits });
    const asks = ['/data', '/data', '/data', '/nowhere', '/nowhere', '/nowhere', '/data'].map((path) =>
      fetch(base + path, { headers: { 'x-api-key': 'guess' } }),
    );
    expect(await count(asks, 429)).toBe(2);
    expect((await fetch(`${base}/data`, { headers: { 'x-api-key': goodKey } })).status).toBe(200);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
  });

  test('one IPv6 subscriber is one source, whichever address of its /64 it uses', async () => {
    const { base } = await start(plainRoutes, { rateLimits: limits, trustProxy: ['127.0.0.0/8'] });
    const from = (address: string) => fetch(`${base}/free`, { headers: { 'x-forwarded-for': address } });
    const asks = Array.from({ length: 8 }, (_, index) => from(`2001:db8:0:1::${index}`));
    expect(await count(asks, 200)).toBe(5);
    expect((await from('2001:db8:0:2::1')).status).toBe(200);
  });

  test('a weighted request spends what it costs', async () => {
    const { base } = await start(plainRoutes, { rateLimits: limits });
    const first = await fetch(`${base}/graph`, { method: 'POST' });
    expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([200, '40']);
    const second = await fetch(`${base}/graph`, { method: 'POST' });
    expect([second.status, second.headers.get('x-ratelimit-remaining')]).toEqual([429, '39']);
  });
});

describe('the bucket of the graph', () => {
  /** Returns the points that are left after a request that costs 60 of 100; without a key the caller is anonymous. */
  const left = async (base: string, key?: string, from = '192.0.2.1') => {
    const headers = { ...(key === undefined ? {} : { 'x-api-key': key }), 'x-forwarded-for': from };
    const response = await fetch(`${base}/graph`, { method: 'POST', headers });
    return response.status === 200 ? response.headers.get('x-ratelimit-remaining') : response.status;
  };
  const behindProxy = { rateLimits: limits, trustProxy: ['127.0.0.0/8'] };

  test('is of each credential its own, wherever it comes from, and apart from those without one', async () => {
    const { base } = await start(plainRoutes, behindProxy);
    expect([await left(base, goodKey), await left(base, slowKey), await left(base)]).toEqual(['40', '40', '40']);
    expect(await left(base, goodKey, '198.51.100.1')).toBe(429);
    expect(await left(base, slowKey)).toBe(429);
  });

  test('is of each network, for those without a credential', async () => {
    const { base } = await start(plainRoutes, behindProxy);
    expect([await left(base), await left(base, undefined, '198.51.100.1')]).toEqual(['40', '40']);
    expect(await left(base)).toBe(429);
  });

  test('is of a client, whichever of its keys it uses', async () => {
    const client = (id: string, ownerId: string) => ({ kind: 'CLIENT', id, ownerId, scopes: [] }) as const;
    const known = new Map([
      ['one', client('credential-1', 'client-1')],
      ['another', client('credential-2', 'client-1')],
      ['foreign', client('credential-3', 'client-2')],
    ]);
    const authenticate: Callers['authenticate'] = ({ apiKey }) => Promise.resolve(known.get(apiKey ?? ''));
    const { base } = await start(plainRoutes, behindProxy, { callers: { ...testCallers(), authenticate } });
    expect([await left(base, 'one'), await left(base, 'another'), await left(base, 'foreign')]).toEqual([
      '40',
      429,
      '40',
    ]);
  });
});

async function askByTls(address: string, offer: { maxVersion: 'TLSv1.1' | 'TLSv1.2'; ciphers?: string }) {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false, minVersion: 'TLSv1', ...offer } });
  try {
    return (await fetchWith(address, { dispatcher })).status;
  } finally {
    await dispatcher.destroy();
  }
}

describe('transport', () => {
  test('plain HTTP is sent to HTTPS where that is required; the probes answer all the same', async () => {
    const { base } = await start(plainRoutes, { requireHttps: true, publicUrl: 'https://api.example.com' });
    const answer = await fetch(`${base}/free?a=1`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([301, 'https://api.example.com/free?a=1']);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1000');
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
  });

  test('X-Forwarded-Proto counts from a trusted proxy only', async () => {
    const forwarded = { redirect: 'manual', headers: { 'x-forwarded-proto': 'https' } } as const;
    const trusting = await start(plainRoutes, { requireHttps: true, trustProxy: ['127.0.0.1'] });
    const answer = await fetch(`${trusting.base}/free`, forwarded);
    expect([answer.status, answer.headers.get('strict-transport-security')]).toEqual([
      200,
      'max-age=31536000; includeSubDomains',
    ]);
    const wary = await start(plainRoutes, { requireHttps: true });
    expect((await fetch(`${wary.base}/free`, forwarded)).status).toBe(301);
  });

  test('a process that terminates TLS serves there from version 1.2 on, and its plain port only redirects', async () => {
    const file = (name: string) => fileURLToPath(new URL(`../../tests/rest/fixtures/${name}`, import.meta.url));
    const tls = { certFile: file('localhost.cert.pem'), keyFile: file('localhost.key.pem'), port: 0 };
    const { base, app } = await start(plainRoutes, { tls });
    const redirect = await fetch(`${base}/free`, { redirect: 'manual' });
    const address = redirect.headers.get('location') ?? '';
    expect([redirect.status, address]).toEqual([301, `https://127.0.0.1:${app.edgeMaker.tlsPort}/free`]);
    expect(await askByTls(address, { maxVersion: 'TLSv1.2' })).toBe(200);
    await expect(askByTls(address, { maxVersion: 'TLSv1.1' })).rejects.toThrow();
  });

  test('a process whose port of TLS is taken does not open its plain one either', async () => {
    const file = (name: string) => fileURLToPath(new URL(`../../tests/rest/fixtures/${name}`, import.meta.url));
    const taken = createTcpServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const tls = { certFile: file('localhost.cert.pem'), keyFile: file('localhost.key.pem'), port };
    const { app } = createTestEdge({ tls });
    try {
      await expect(open(app)).rejects.toThrow(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
      expect(app.server.listening).toBe(false);
    } finally {
      await app.close();
      taken.close();
    }
  });

  test('TLS 1.2 is spoken with forward secrecy and authenticated encryption only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lastro-tls-'));
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', keyFile, '-out', certFile, '-subj', '/CN=localhost'];
    execFileSync('openssl', ['req', '-x509', ...made], { stdio: 'ignore' });
    const { base } = await start(plainRoutes, { tls: { certFile, keyFile, port: 0 } });
    rmSync(folder, { recursive: true });
    const address = (await fetch(`${base}/free`, { redirect: 'manual' })).headers.get('location') ?? '';
    const ask = (ciphers: string) => askByTls(address, { maxVersion: 'TLSv1.2', ciphers });
    expect(await ask('ECDHE-RSA-AES128-GCM-SHA256')).toBe(200);
    for (const weak of ['ECDHE-RSA-AES128-SHA256', 'AES128-GCM-SHA256', 'AES256-SHA']) {
      await expect(ask(weak)).rejects.toThrow();
    }
  });
});

test('who goes on asking after a hundred refusals waits for the next one, and others do not', async () => {
  const { base } = await start(plainRoutes, { rateLimits: limits });
  const ask = async (headers = {}) =>
    (await fetch(`${base}/${'x-api-key' in headers ? 'data' : 'free'}`, { headers })).status;
  for (let count = 0; count < limits.public; count += 1) expect(await ask()).toBe(200);
  for (let count = 0; count < 100; count += 1) expect(await ask()).toBe(429);
  const answered: number[] = [];
  const held = ask().then((status) => answered.push(status));
  answered.push(await ask({ 'x-api-key': goodKey }));
  await held;
  expect(answered).toEqual([200, 429]);
});

describe('front ends', () => {
  test('an allowed origin may read answers and headers; another may not', async () => {
    const { base } = await start(plainRoutes, { allowedOrigins: ['https://app.example.com'] });
    const good = await fetch(`${base}/nowhere`, { headers: { origin: 'https://app.example.com' } });
    expect(good.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(good.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining');
    expect(good.headers.get('vary')).toBe('Origin');
    const bad = await fetch(`${base}/free`, { headers: { origin: 'https://evil.example.com' } });
    expect(bad.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a preflight request is answered with the methods of the path', async () => {
    const { base } = await start(plainRoutes, { allowedOrigins: ['https://app.example.com'] });
    const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
    const answer = await fetch(`${base}/free`, { method: 'OPTIONS', headers });
    expect([answer.status, answer.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD, POST']);
    expect(answer.headers.get('access-control-allow-headers')?.split(', ')).toContain('Idempotency-Key');
  });
});

describe('idempotency', () => {
  const routes = (app: FastifyInstance): void => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      app.route({
        method,
        url: '/act/:id',
        config: { edge: { credential: 'apiKey', bucket: 'apiKey', idempotent: true } },
        handler: (request) => {
          const { idempotency } = contextOf(request);
          return { ...idempotency, digest: idempotency?.digest.toString('hex') };
        },
      });
    }
  };
  const acting = createTestEdge();
  routes(acting.app);
  let base: string;
  beforeAll(async () => {
    base = await open(acting.app);
  });
  afterAll(() => acting.app.close());
  const ask = (method: string, key: string, body?: string) =>
    fetch(`${base}/act/7?x=1`, {
      method,
      headers: { ...(body === undefined ? {} : json), 'x-api-key': goodKey, 'x-idempotency-key': key },
      ...(body === undefined ? {} : { body }),
    });

  test('the key binds owner, method, path and the bytes of the body', async () => {
    const first = (await (await ask('POST', 'k-1', '{"a":1}')).json()) as Record<string, unknown>;
    expect(first).toMatchObject({ key: 'k-1', owner: 'API_KEY:account-1', operation: 'POST /act/7', replayed: false });
    const other = (await (await ask('POST', 'k-1', '{"a": 1}')).json()) as Record<string, unknown>;
    expect(other['digest']).not.toBe(first['digest']);
  });

  test.each(['a b', 'ü', 'x'.repeat(65), 'a,b', '%'])('%j is refused as a key', async (key) => {
    const answer = await ask('POST', key, '{}');
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ details: [{ path: 'X-Idempotency-Key' }] });
  });

  test('Idempotency-Key means the same, and both together have to agree', async () => {
    const keyed = async (headers: Record<string, string>) => {
      const init = { method: 'POST', headers: { ...json, 'x-api-key': goodKey, ...headers }, body: '{}' };
      return (await (await fetch(`${base}/act/7`, init)).json()) as unknown;
    };
    const own = await keyed({ 'x-idempotency-key': 'k-1' });
    expect(own).toMatchObject({ key: 'k-1' });
    expect(await keyed({ 'idempotency-key': 'k-1' })).toEqual(own);
    expect(await keyed({ 'idempotency-key': 'k-1', 'x-idempotency-key': 'k-1' })).toEqual(own);
    expect(await keyed({ 'idempotency-key': '', 'x-idempotency-key': 'k-1' })).toEqual(own);
    const refused = { statusCode: 400, details: [{ path: 'Idempotency-Key' }] };
    expect(await keyed({ 'idempotency-key': 'k-2', 'x-idempotency-key': 'k-1' })).toMatchObject(refused);
    expect(await keyed({ 'idempotency-key': 'a b' })).toMatchObject(refused);
  });

  test('the header means nothing on GET and DELETE', async () => {
    for (const method of ['GET', 'DELETE']) expect(await (await ask(method, 'a b')).json()).toEqual({});
  });
});

describe('the machine room', () => {
  test('readiness fails with the names of what is missing, and does not wait for what hangs', async () => {
    const checks = {
      database: () => Promise.reject(new Error('password=hush')),
      operations: () => undefined,
      migrations: () => new Promise<void>(() => undefined),
    };
    const failing = await start(plainRoutes, {}, { checks });
    const answer = await fetch(`${failing.base}/readyz`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      details: [
        { path: 'database', message: 'is not ready' },
        { path: 'migrations', message: 'did not respond in time' },
      ],
    });
    expect(await (await fetch(`${base}/readyz`)).json()).toEqual({ status: 'ready' });
  });

  test('readiness is looked up once for all who ask at once, and again only when its answer is a second old', async () => {
    let nowMs = 0;
    const gate = signal();
    let asked = 0;
    let fails = false;
    const database = async () => {
      asked += 1;
      await gate.given;
      if (fails) throw new Error('gone');
    };
    const readiness = createReadiness({ database }, () => nowMs);
    const first = Array.from({ length: 20 }, readiness);
    gate.give();
    for (const errors of await Promise.all(first)) expect(errors).toEqual([]);
    fails = true;
    nowMs += 999;
    expect([await readiness(), asked]).toEqual([[], 1]);
    nowMs += 1;
    expect([await readiness(), asked]).toEqual([[{ path: 'database', message: 'is not ready' }], 2]);
  });

  test('readiness comes back although the clock of the database has stepped back meanwhile', async () => {
    const clock = { ms: 60_000, now: () => new Date(clock.ms) };
    let fails = true;
    const database = () => (fails ? Promise.reject(new Error('gone')) : undefined);
    const { parts } = createTestEdge().app.edgeMaker;
    const { base } = await start(plainRoutes, {}, { checks: { database }, parts: { ...parts, clock } });
    const status = async () => (await fetch(`${base}/readyz`)).status;
    expect(await status()).toBe(503);
    fails = false;
    clock.ms = 0;
    await sleep(1_100);
    expect(await status()).toBe(200);
  });

  test('a check that hangs is not run beside itself', async () => {
    let nowMs = 0;
    let asked = 0;
    const database = () => {
      asked += 1;
      return new Promise<void>(() => undefined);
    };
    const readiness = createReadiness({ database }, () => nowMs);
    expect(await readiness()).toEqual([{ path: 'database', message: 'did not respond in time' }]);
    nowMs += 5_000;
    expect(await readiness()).toHaveLength(1);
    expect(asked).toBe(1);
    nowMs += 30_000;
    void readiness();
    expect(asked).toBe(2);
  });

  describe('metrics for some networks only', () => {
    const ask = (base: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
      fetch(`${base}/metrics`, { ...init, redirect: 'manual', headers });

    test('answer those, and for anyone else are like a path that does not exist', async () => {
      const { base } = await start(plainRoutes, { metricsAllow: ['127.0.0.0/8'], trustProxy: ['127.0.0.1'] });
      expect((await ask(base)).status).toBe(200);
      expect((await ask(base, { 'x-forwarded-for': '127.0.0.9' })).status).toBe(200);
      const stranger = { 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'r' };
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const hidden = await ask(base, stranger, { method });
        const unknown = await fetch(`${base}/nowhere`, { method, headers: stranger });
        expect([hidden.status, hidden.headers.get('allow')]).toEqual([404, null]);
        expect(await hidden.json()).toEqual(await unknown.json());
      }
      expect((await ask(base, stranger)).headers.get('x-ratelimit-remaining')).toBe('993');
    });

    test('are not for those whom a proxy passes on that is not trusted', async () => {
      const { base } = await start(plainRoutes, { metricsAllow: ['127.0.0.0/8'] });
      expect((await ask(base, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(404);
      expect((await ask(base, { forwarded: 'for=203.0.113.9' })).status).toBe(404);
    });

    test('send a stranger to HTTPS as any path does', async () => {
      const { base } = await start(plainRoutes, { metricsAllow: ['192.0.2.1'], requireHttps: true });
      expect((await ask(base)).status).toBe(301);
    });
  });

  test('metrics count answers by route template, never by address', async () => {
    const { base } = await start(plainRoutes);
    for (const path of ['/free/a', '/free/b', '/nowhere/1', '/nowhere/2']) await fetch(base + path);
    const text = await (await fetch(`${base}/metrics`)).text();
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/free/:name",status="200"} 2');
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 2');
    expect(text).not.toContain('/free/a');
  });

  test('closing lets the request under way finish and turns a new one on an open connection away', async () => {
    const gate = signal();
    const arrived = signal();
    const { base, port, app } = await start((instance) => {
      instance.get('/slow', async () => {
        arrived.give();
        await gate.given;
        return { done: true };
      });
    });
    const pool = new Pool(base, { connections: 1, pipelining: 1 });
    const slow = pool.request({ path: '/slow', method: 'GET' });
    await arrived.given;
    const { socket, ended } = say(port);
    await new Promise((resolve) => socket.once('connect', resolve));
    // A half-sent request keeps its connection open across the start of the shutdown.
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n');
    const closing = app.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.write('\r\n');
    const refused = await ended;
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused.toLowerCase()).toContain('connection: close');
    gate.give();
    const answer = await slow;
    expect(await answer.body.json()).toEqual({ done: true });
    expect(answer.headers['connection']).toBe('close');
    await closing;
    await pool.close();
    await expect(fetch(`${base}/slow`)).rejects.toThrow();
  });
});
