import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { connect as connectTls } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import type { EdgeOptions } from '../options.js';
import { edgesOfFile, type OpenEdge } from '../../../tests/kit/edges.js';
import { rateLimitsOf } from '../../../tests/kit/rate-limits.js';

const edges = edgesOfFile();

function start(config: Partial<EdgeOptions['config']> = {}): Promise<OpenEdge> {
  return edges.start((app) => {
    app.get('/free', () => ({ ok: true }));
    app.post('/free', (request) => ({ body: request.body ?? null }));
    app.get('/begun', async (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-length': 10 });
      reply.raw.write('half');
      await new Promise((resolve) => reply.raw.once('close', resolve));
    });
  }, config);
}

const say = (port: number, bytes: string | Buffer) => edges.say(port, bytes).ended;

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Parses one whole response; its `content-length` must be the length of its body. */
function read(text: string): Reply {
  const [head = '', body = '', ...more] = text.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  expect(more).toEqual([]);
  const headers = new Headers(
    fields.map((field): [string, string] => [
      field.slice(0, field.indexOf(':')),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) \S/.exec(line)?.[1]),
    headers,
    body: JSON.parse(body) as Reply['body'],
  };
}

/** Checks the parts that every error response has, wherever the error was found. */
function expectDressed({ status, headers, body }: Reply, expected: number): void {
  expect(status).toBe(expected);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-ratelimit-limit')).toBe('1000');
  expect(headers.get('x-ratelimit-remaining')).toBe('999');
  expect(Math.abs(Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000)).toBeLessThanOrEqual(62);
  expect(body).toMatchObject({ statusCode: expected, requestId: headers.get('x-request-id') });
  expect(typeof body['message']).toBe('string');
  expect(typeof body['error']).toBe('string');
  expect(body['requestId']).toMatch(/^[0-9a-f-]{36}$/);
}

const post = 'POST /free HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

const file = (name: string) => fileURLToPath(new URL(`../../../tests/rest/fixtures/${name}`, import.meta.url));
const tls = { certFile: file('localhost.cert.pem'), keyFile: file('localhost.key.pem'), port: 0 };

async function sayTls(app: FastifyInstance, bytes: string): Promise<string> {
  const socket = connectTls({ port: app.edgeMaker.tlsPort ?? 0, host: '127.0.0.1', rejectUnauthorized: false });
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

describe('what the parser refuses', () => {
  test.each([
    ['a request line that is none', 'garbage\r\n\r\n', 400],
    ['an unknown method', 'BREW /free HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a header without a name', 'GET /free HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 400],
    ['two lengths', `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`, 400],
    ['a chunk without a size', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    ['a chunk extension without end', `${post}Transfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}`, 413],
    ['headers without end', `GET /free HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s is answered in the form of the house, and the connection closed', async (_name, bytes, status) => {
    const { port } = await start();
    const answer = read(await say(port, bytes));
    expectDressed(answer, status);
    expect(answer.headers.get('connection')).toBe('close');
    expect(answer.headers.get('strict-transport-security')).toBeNull();
  });

  test('a request that does not arrive in time is answered 408', async () => {
    const { app, port } = await start();
    app.server.once('connection', (socket: Socket) => {
      const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      socket.once('data', () => app.server.emit('clientError', late, socket));
    });
    expectDressed(read(await say(port, 'GET /free HTTP/1.1\r\nHost: x\r\n')), 408);
  });

  test('a request that was answered before its body came gets no second response when that does not come', async () => {
    const { app, port } = await start();
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    const served = new Promise<Socket>((resolve) => app.server.once('connection', resolve));
    const { socket, ended } = edges.say(port, 'POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n');
    socket.once('data', () => {
      void served.then((one) => setTimeout(() => app.server.emit('clientError', late, one), 50));
    });
    expect(read(await ended).status).toBe(404);
  });

  test('many bad packets are answered and counted once', async () => {
    const { port } = await start();
    const { socket, ended } = edges.say(port);
    for (let packet = 0; packet < 5; packet += 1) {
      socket.write('garbage\r\n\r\n');
      await new Promise((resolve) => setImmediate(resolve));
    }
    expectDressed(read(await ended), 400);
    const next = read(await say(port, 'garbage\r\n\r\n'));
    expect(next.headers.get('x-ratelimit-remaining')).toBe('998');
  });

  test('an answer that has begun is cut, not mixed with another', async () => {
    const { port } = await start();
    const { socket, ended } = edges.say(port, 'GET /begun HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.write('garbage\r\n\r\n');
    const text = await ended;
    expect(text).toMatch(/\r\n\r\nhalf$/);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test('the port that terminates TLS answers alike; plain HTTP sent to it gets nothing', async () => {
    const { app } = await start({ tls });
    const answer = read(await sayTls(app, 'garbage\r\n\r\n'));
    expectDressed(answer, 400);
    expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=/);
    expect(read(await sayTls(app, 'GET /free HTTP/1.1\r\nConnection: close\r\n\r\n')).status).toBe(400);
    const odd = 'GET /free HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n';
    expect(read(await sayTls(app, odd)).status).toBe(417);
    const port = app.edgeMaker.tlsPort ?? 0;
    expect(await say(port, 'GET /free HTTP/1.1\r\nHost: x\r\n\r\n')).not.toContain('HTTP/1.1');
  });
});

describe('what no hook sees', () => {
  const undecodable = 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

  test.each([
    ['an address that cannot be decoded', undecodable],
    ['what is no HTTP', 'garbage\r\n\r\n'],
  ])('%s spends from the public bucket, and is told to wait when that is empty', async (_name, bytes) => {
    const { port } = await start({ rateLimits: rateLimitsOf(1, { public: 2 }) });
    expect([read(await say(port, bytes)).status, read(await say(port, bytes)).status]).toEqual([400, 400]);
    const answer = read(await say(port, bytes));
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.body).toMatchObject({ statusCode: 429, error: 'Too Many Requests' });
  });

  test('an address that cannot be decoded keeps browsers on HTTPS when it came by TLS', async () => {
    const { app, port } = await start({ tls });
    const answer = read(await sayTls(app, undecodable));
    expectDressed(answer, 400);
    expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=/);
    expect(read(await say(port, undecodable)).headers.get('strict-transport-security')).toBeNull();
  });

  test('has a log line and a count', async () => {
    const { port, logged } = await start();
    const answer = read(await say(port, 'garbage\r\n\r\n'));
    await say(port, undecodable);
    await say(port, `GET /free HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`);
    const metrics = await say(port, 'GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(metrics).toContain('http_requests_unreadable_total{status="400"} 2');
    expect(metrics).toContain('http_requests_unreadable_total{status="431"} 1');
    expect(logged()).toContain(`"requestId":"${String(answer.body['requestId'])}","status":400,"ip":"127.0.0.1"`);
  });
});

describe('what the HTTP server would answer on its own', () => {
  test('a request without Host is answered 400 and says why; HTTP/1.0 needs none', async () => {
    const { port } = await start();
    const answer = read(await say(port, 'GET /free HTTP/1.1\r\nConnection: close\r\n\r\n'));
    expectDressed(answer, 400);
    expect(answer.body['details']).toEqual([{ path: 'Host', message: 'is missing' }]);
    expect(read(await say(port, 'GET /free HTTP/1.0\r\n\r\n')).body).toEqual({ ok: true });
  });

  test('an expectation other than 100-continue is answered 417; that one is met', async () => {
    const { port } = await start();
    const rest = 'Content-Length: 2\r\nConnection: close\r\n\r\n{}';
    expectDressed(read(await say(port, `${post}Expect: tea\r\n${rest}`)), 417);
    const met = await say(port, `${post}Expect: 100-continue\r\n${rest}`);
    expect(met).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  test('a compressed body is answered 415 and says that bodies come uncompressed', async () => {
    const { port } = await start();
    const ask = (coding: string, body: Buffer) =>
      say(
        port,
        Buffer.concat([
          Buffer.from(
            `${post}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
          ),
          body,
        ]),
      );
    const answer = read(await ask('gzip', gzipSync('{}')));
    expectDressed(answer, 415);
    expect(answer.body['message']).toContain('uncompressed');
    expect(answer.headers.get('accept-encoding')).toBe('identity');
    expect(read(await ask('Identity', Buffer.from('{}'))).body).toEqual({ body: {} });
    expect(read(await ask('gzip', Buffer.alloc(0))).body).toEqual({ body: null });
  });
});
