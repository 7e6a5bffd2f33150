import { afterEach, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { systemClock } from '../../../shared/kernel/clock.js';
import { openReceiver, type Reply, type Receiver } from '../../../tests/webhooks/receiver.js';
import { NoAddress } from './resolve.js';
import { createSender, type SenderOptions } from './send.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function receiverOf(answer?: Reply): Promise<Receiver> {
  const receiver = await openReceiver(answer);
  closers.push(() => receiver.close());
  return receiver;
}

function senderOf(over: Partial<SenderOptions> = {}) {
  const sender = createSender({
    allowInsecure: true,
    clock: systemClock,
    resolve: () => Promise.reject(new Error('no names here')),
    ...over,
  });
  closers.push(() => sender.close());
  return (url: string) => sender.send({ url, headers: {}, body: '{"type":"x"}' });
}

describe('a request to a receiver', () => {
  test('reports status and the first 2 kB of the answer', async () => {
    const receiver = await receiverOf((response) => response.writeHead(201).end(`\0${'é'.repeat(5000)}`));
    const result = await senderOf()(receiver.url);
    expect(result).toMatchObject({ status: 201, durationMs: expect.any(Number) });
    expect(result.response?.startsWith('\u{fffd}é')).toBe(true);
    expect(Buffer.byteLength(result.response ?? '')).toBeLessThanOrEqual(2048 + 4);
  });

  test('follows no redirect', async () => {
    const target = await receiverOf();
    const receiver = await receiverOf((response) => response.writeHead(307, { location: target.url }).end());
    expect(await senderOf()(receiver.url)).toMatchObject({ status: 307 });
    expect(target.received).toEqual([]);
  });

  test('reads no more of an answer than 64 kB, and closes the connection', async () => {
    let closed: Promise<unknown> | undefined;
    const receiver = await receiverOf((response) => {
      closed = once(response, 'close');
      response.on('error', () => undefined).writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
        response.once('drain', pour);
      };
      pour();
    });
    expect(await senderOf()(receiver.url)).toMatchObject({ status: 200, response: 'x'.repeat(2048) });
    await closed;
  });

  test('has 5 seconds in all: a receiver that never ends its answer has failed by then', async () => {
    const drips = await receiverOf((response) => {
      response.writeHead(200).flushHeaders();
      const drip = setInterval(() => response.write('.'), 500);
      response.once('close', () => {
        clearInterval(drip);
      });
    });
    const silent = await receiverOf(() => undefined);
    const results = await Promise.all([senderOf()(drips.url), senderOf()(silent.url)]);
    for (const result of results) {
      expect(result).toEqual({ error: 'No complete response within 5 seconds', durationMs: expect.any(Number) });
    }
  });

  test('takes the longest of several Retry-After', async () => {
    const receiver = await receiverOf((response) => {
      response.socket?.end(
        'HTTP/1.1 503 Busy\r\nRetry-After: 5\r\nRetry-After: 90\r\nRetry-After: 7\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
      );
    });
    expect(await senderOf()(receiver.url)).toMatchObject({ status: 503, retryAfterMs: 90_000 });
  });

  test.each([
    ['HTTP/1.1 100 Continue\r\n\r\n'],
    ['HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n'],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
  ])('passes over interim responses: %j', async (interim) => {
    const receiver = await receiverOf((response) => {
      response.socket?.end(`${interim}HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok`);
    });
    expect(await senderOf()(receiver.url)).toMatchObject({ status: 200, response: 'ok' });
  });

  test('has failed where the receiver switches to a protocol that nobody offered', async () => {
    const receiver = await receiverOf((response) => {
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
    });
    expect(await senderOf()(receiver.url)).toMatchObject({ error: expect.any(String) });
  });

  test.each<[string, Record<string, string>, Buffer, string]>([
    ['in Windows-1252', { 'content-type': 'text/plain; charset=windows-1252' }, Buffer.from([0x80, 0x31]), '€1'],
    ['in its charset', { 'content-type': 'text/plain; charset=ISO-8859-1' }, Buffer.from('êxito', 'latin1'), 'êxito'],
    ['in UTF-16', { 'content-type': 'text/plain; Charset="utf-16le"' }, Buffer.from('êxito', 'utf16le'), 'êxito'],
    [
      'in an unknown charset',
      { 'content-type': 'text/plain; charset=x-odd' },
      Buffer.from('ok'),
      '[charset x-odd is not known] ok',
    ],
    ['with gzip', { 'content-encoding': 'gzip' }, gzipSync('êxito'), 'êxito'],
    ['with deflate', { 'content-encoding': 'deflate' }, deflateSync('êxito'), 'êxito'],
    ['with Brotli', { 'content-encoding': 'BR' }, brotliCompressSync('êxito'), 'êxito'],
    ['with two codings', { 'content-encoding': 'gzip, br' }, brotliCompressSync(gzipSync('êxito')), 'êxito'],
    ['with gzip cut short', { 'content-encoding': 'gzip' }, gzipSync('êxito').subarray(0, -4), 'êxito'],
    [
      'with something unknown',
      { 'content-encoding': 'zstd' },
      Buffer.from('?'),
      '[Content-Encoding zstd is not known]',
    ],
    ['with no gzip at all', { 'content-encoding': 'gzip' }, Buffer.from('plain'), '[The body is not gzip]'],
    ['with a bomb', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(50_000_000, 'x')), 'x'.repeat(2048)],
  ])('shows an answer %s', async (_name, headers, body, shown) => {
    const receiver = await receiverOf((response) => response.writeHead(500, headers).end(body));
    expect(await senderOf()(receiver.url)).toMatchObject({ status: 500, response: shown });
  });

  test('that meets no receiver says why, in words without addresses', async () => {
    const receiver = await openReceiver();
    await receiver.close();
    expect(await senderOf()(receiver.url)).toMatchObject({ error: 'The connection was refused' });
    const name = receiver.url.replace('127.0.0.1', 'nowhere.example').replace('http:', 'https:');
    const unknown = senderOf({ resolve: (host) => Promise.reject(new NoAddress(host)) });
    expect(await unknown(name)).toMatchObject({ error: 'The host name has no address' });
  });

  test('does not trust a certificate that nobody vouches for', async () => {
    const read = (name: string) =>
      readFile(new URL(`../../../tests/rest/fixtures/localhost.${name}.pem`, import.meta.url));
    const tls = { key: String(await read('key')), cert: String(await read('cert')) };
    const receiver = await openReceiver(undefined, { tls });
    closers.push(() => receiver.close());
    const { error } = await senderOf()(receiver.url);
    expect(error).toMatch(/^The TLS certificate was not accepted/);
    expect(receiver.received).toEqual([]);
  });

  test('reads Retry-After in seconds and as a date', async () => {
    const wait = { seconds: '120', date: new Date(Date.now() + 60_000).toUTCString(), odd: 'soon' };
    const asked = async (value: string) => {
      const receiver = await receiverOf((response) => response.writeHead(503, { 'retry-after': value }).end());
      return (await senderOf()(receiver.url)).retryAfterMs;
    };
    expect(await asked(wait.seconds)).toBe(120_000);
    const until = await asked(wait.date);
    expect(until).toBeGreaterThan(50_000);
    expect(until).toBeLessThanOrEqual(60_000);
    expect(await asked(wait.odd)).toBeUndefined();
    expect(await asked('99999999999999999999')).toBe(1e12);
    expect(await asked('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(0);
    expect(await asked('-5')).toBeUndefined();
  });
});

describe('where a request may go', () => {
  const refused = { error: 'The address is not one of the public internet', durationMs: expect.any(Number) };

  /** Opens a bare listener that counts connections. */
  async function listener(): Promise<{ port: number; connections: () => number }> {
    let connections = 0;
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => {
      connections += 1;
      sockets.add(socket.on('error', () => undefined));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('No port');
    return { port: address.port, connections: () => connections };
  }

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '0.0.0.0',
    '１２７.0.0.1',
    '169.254.169.254',
  ])('an address of this machine or network is refused before anything connects, as %s too', async (host) => {
    const { port, connections } = await listener();
    for (const scheme of ['http', 'https']) {
      expect(await senderOf({ allowInsecure: false })(`${scheme}://${host}:${port}/`)).toEqual(refused);
    }
    expect(connections()).toBe(0);
  });

  test('a name is judged by all its addresses, at the moment of connecting', async () => {
    const { port, connections } = await listener();
    for (const addresses of [['127.0.0.1'], ['10.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::ffff:127.0.0.1']]) {
      const send = senderOf({ allowInsecure: false, resolve: () => Promise.resolve(addresses) });
      expect(await send(`https://receiver.example:${port}/`)).toEqual(refused);
    }
    expect(connections()).toBe(0);
  });

  test('the address that was judged is the one that is connected to: the name is asked once', async () => {
    const { port } = await receiverPort();
    let asked = 0;
    const send = senderOf({
      resolve: () => {
        asked += 1;
        return Promise.resolve(asked === 1 ? ['127.0.0.1'] : ['10.0.0.1']);
      },
    });
    expect(await send(`http://rebinding.example:${port}/`)).toMatchObject({ status: 200 });
    expect(asked).toBe(1);
  });

  test('in development loopback is reached, and nothing else without TLS', async () => {
    const { port } = await receiverPort();
    expect(await senderOf()(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 200 });
    expect(await senderOf()('http://10.0.0.1/')).toEqual(refused);
    expect(await senderOf({ resolve: () => Promise.resolve(['93.184.215.14']) })('http://public.example/')).toEqual(
      refused,
    );
  });

  async function receiverPort(): Promise<{ port: string }> {
    return { port: new URL((await receiverOf()).url).port };
  }
});
