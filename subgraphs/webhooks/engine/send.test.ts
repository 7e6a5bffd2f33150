import { afterEach, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type Socket, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createSocket } from 'node:dgram';
import { systemClock } from '../../../shared/kernel/clock.js';
import { openReceiver, type Reply, type Receiver } from '../../../tests/webhooks/receiver.js';
import { createSender, type SenderOptions } from './send.js';
import { isLoopback, isPrivateName, mayReach, NoAddress, nameServers } from './address.js';

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

describe('resolve', () => {
  test.each(['localhost', 'LOCALHOST.', 'hooks.localhost', 'a.b.localhost.'])(
    'a name of this machine has its addresses without anyone being asked: %s',
    async (name) => {
      expect(await nameServers()(name)).toEqual(['127.0.0.1', '::1']);
    },
  );

  // `.invalid` is never assigned (RFC 6761 §6.4); the other names only begin or end like a name of this machine.
  test.each(['receiver.invalid', 'localhost.invalid', 'notlocalhost.invalid'])(
    'a name without an address is refused, whether name servers say so or cannot be reached: %s',
    async (name) => {
      const asked = nameServers()(name);
      await expect(asked).rejects.toBeInstanceOf(NoAddress);
      await expect(asked).rejects.toMatchObject({ code: 'ENOTFOUND', message: `${name} has no address` });
    },
  );

  const cleanups: (() => void)[] = [];
  afterEach(() => {
    for (const cleanup of cleanups.splice(0)) cleanup();
  });

  /** Record types (RFC 1035 §3.2.2, RFC 3596). */
  const types = { a: 1, aaaa: 28 } as const;

  /** Opens a name server on loopback: `records` contains the data of the one record of each type. Without it the server never responds. */
  async function openNameServer(records?: Readonly<Partial<Record<number, Buffer>>>) {
    const asked: number[] = [];
    const server = createSocket('udp4');
    server.on('message', (query, { port, address }) => {
      // The question ends with the type and the class, and may be followed by an OPT record.
      const end = query.indexOf(0, 12) + 5;
      const type = query.readUInt16BE(end - 4);
      asked.push(type);
      if (records === undefined) return;
      const data = records[type];
      const header = Buffer.from(query.subarray(0, 12));
      header.writeUInt16BE(0x8180, 2);
      header.writeUInt16BE(data === undefined ? 0 : 1, 6);
      header.writeUInt16BE(0, 10);
      const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data?.length ?? 0, ...(data ?? [])]);
      server.send([header, query.subarray(12, end), data === undefined ? Buffer.alloc(0) : record], port, address);
    });
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
    cleanups.push(() => server.close());
    const { port }: AddressInfo = server.address();
    return { resolve: nameServers([`127.0.0.1:${port}`]), asked };
  }

  test('a name has its addresses of both families, and those of one when it has no other', async () => {
    const [four, six] = [Buffer.from([203, 0, 113, 7]), Buffer.from('20010db8000000000000000000000007', 'hex')];
    const both = await openNameServer({ [types.a]: four, [types.aaaa]: six });
    expect(await both.resolve('both.example')).toEqual(['203.0.113.7', '2001:db8::7']);
    const newer = await openNameServer({ [types.aaaa]: six });
    expect(await newer.resolve('newer.example')).toEqual(['2001:db8::7']);
    const neither = await openNameServer({});
    await expect(neither.resolve('neither.example')).rejects.toBeInstanceOf(NoAddress);
  });

  test('a name server that is silent is asked twice, and then the name has no address', async () => {
    const { resolve, asked } = await openNameServer();
    await expect(resolve('silent.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(asked.sort((one, other) => one - other)).toEqual([types.a, types.a, types.aaaa, types.aaaa]);
  });
});

const reaches = (address: string, protocol = 'https:', allowInsecure = false) =>
  mayReach(address, protocol, { allowInsecure });

describe('an address', () => {
  test.each([
    ['loopback', '::1'],
    ['unspecified', '::'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['link-local, ending like a public address', 'fe80::808:808'],
    ['unique local, ending like a public address', 'fd00::808:808'],
    ['IPv4-mapped, dotted', '::ffff:127.0.0.1'],
    ['IPv4-mapped, hexadecimal', '::ffff:7f00:1'],
    ['IPv4-mapped, in full', '0:0:0:0:0:ffff:a9fe:a9fe'],
    ['IPv4-compatible', '::10.0.0.1'],
    ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
    ['NAT64 of metadata', '64:ff9b::a9fe:a9fe'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['discard', '100::1'],
    ['no address', 'localhost'],
    ['no address', ''],
  ])('that is not public is out of reach: %s %s', (_kind, address) => {
    expect(reaches(address)).toBe(false);
  });

  test.each([
    ['0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
    ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
    ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
    ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
    ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
    ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
    ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
    ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
    ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
    ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
    ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
    ['224.0.0.0', '255.255.255.255', '223.255.255.255', null],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
    ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::', null],
  ])(
    'of a forbidden network is out of reach from its first to its last, %s to %s, and its neighbours are not',
    (first, last, before, after) => {
      expect([first, last].map((address) => reaches(address))).toEqual([false, false]);
      const neighbours = [before, after].filter((address) => address !== null);
      expect(neighbours.map((address) => reaches(address))).toEqual(neighbours.map(() => true));
    },
  );

  test.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2606:4700::7f00:1',
    '2606:4700:1:2:3:4:7f00:1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('that is public is in reach by https, and never by http: %s', (address) => {
    expect(reaches(address)).toBe(true);
    expect(reaches(address, 'http:')).toBe(false);
    expect(reaches(address, 'http:', true)).toBe(false);
  });

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('of this machine is in reach for development only: %s', (own) => {
    expect(reaches(own, 'http:', true)).toBe(true);
    expect(reaches(own, 'https:', true)).toBe(true);
    expect(reaches(own, 'https:', false)).toBe(false);
  });

  test('that is private stays out of reach in development too', () => {
    for (const own of ['10.0.0.1', '169.254.169.254', 'fd00::1']) expect(reaches(own, 'https:', true)).toBe(false);
  });

  test('of this machine is known by its names', () => {
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', '127.1.2.3', '[::1]']) {
      expect([host, isLoopback(host)]).toEqual([host, true]);
    }
    for (const host of ['localhost.example', '128.0.0.1', '[::2]', '10.0.0.1']) expect(isLoopback(host)).toBe(false);
  });

  test('that is a name is private where it can lead nowhere else', () => {
    for (const host of [
      'metadata.google.internal',
      'METADATA.GOOG',
      'instance-data',
      'db.local',
      'x.home.arpa.',
      'metadata',
    ]) {
      expect([host, isPrivateName(host)]).toEqual([host, true]);
    }
    for (const host of ['hooks.example.com', 'internal.example.com', 'notmetadata.goog', 'local.example']) {
      expect([host, isPrivateName(host)]).toEqual([host, false]);
    }
  });
});
