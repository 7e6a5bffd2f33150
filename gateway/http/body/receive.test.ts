import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { edgesOfFile, type Line } from '../../../tests/kit/edges.js';
import { until } from '../../../tests/kit/until.js';
import { createByteBudget, createBodyBudget } from './receive.js';

const mebibyte = 1_048_576;
const { start: startEdge, say } = edgesOfFile();

function reachableBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

test('a budget of bytes remembers no owner that holds nothing any more', () => {
  const budget = createByteBudget({ all: Infinity, owner: 10 });
  const before = reachableBytes();
  for (let owner = 0; owner < 20_000; owner += 1) {
    const name = Buffer.alloc(5_000, 'x');
    name.writeUInt32BE(owner);
    const text = name.toString('latin1');
    const held = budget.hold(text);
    held.add(5);
    held.release();
  }
  expect(reachableBytes() - before).toBeLessThan(50 * mebibyte);
});

describe('large bodies that are worked on', () => {
  test('hold 12 MiB of one caller; another one has its own', () => {
    const budget = createBodyBudget();
    const release = budget.work('a', 12 * mebibyte);
    const refused = { code: 'UNAVAILABLE', message: expect.stringContaining('of this caller') };
    expect(() => budget.work('a', 1)).toThrow(expect.objectContaining(refused));
    budget.work('b', 12 * mebibyte);
    release();
    budget.work('a', 12 * mebibyte);
  });

  test('hold 24 MiB of all callers, and say when to come again', () => {
    const budget = createBodyBudget();
    budget.work('a', 12 * mebibyte);
    budget.work('b', 12 * mebibyte);
    const refused = {
      code: 'UNAVAILABLE',
      message: expect.stringContaining('of all callers'),
      extensions: expect.objectContaining({ retryAfterSeconds: 2 }) as object,
    };
    expect(() => budget.work('c', 1)).toThrow(expect.objectContaining(refused));
  });

  test('give their room back once, however often they are released; one that was refused holds none', () => {
    const budget = createBodyBudget();
    const release = budget.work('a', 6 * mebibyte);
    budget.work('a', 6 * mebibyte);
    for (let again = 0; again < 3; again += 1) expect(() => budget.work('a', 6 * mebibyte)).toThrow();
    for (let again = 0; again < 3; again += 1) release();
    budget.work('a', 6 * mebibyte);
    expect(() => budget.work('a', 1)).toThrow();
  });
});

test('unpacked bodies hold 64 MiB of one caller, and then there is room for a file of another; 96 MiB of all callers', () => {
  const budget = createBodyBudget();
  const whole = budget.unpack('a');
  whole.reach(64 * mebibyte);
  const thrown = (text: string) => {
    const refused = { code: 'UNAVAILABLE', message: expect.stringContaining(text) };
    return expect.objectContaining(refused);
  };
  const further = budget.unpack('a');
  expect(() => {
    further.reach(1);
  }).toThrow(thrown('of this caller'));
  further.release();
  budget.unpack('b').reach(32 * mebibyte);
  const late = budget.unpack('c');
  expect(() => {
    late.reach(1);
  }).toThrow(thrown('of all callers'));
  late.release();
  whole.release();
  budget.unpack('a').reach(64 * mebibyte);
});

async function start() {
  const options = { bodyLimit: 30 * mebibyte };
  const edge = { credential: 'none', bucket: 'public', trustedBodies: true } as const;
  const { app, base, port } = await startEdge(
    (one) => {
      one.post('/free', options, (request) => ({ bytes: request.rawBody?.length }));
      one.post('/small', (request) => ({ bytes: request.rawBody?.length }));
      one.post('/trusted', { ...options, config: { edge } }, (request) => ({ bytes: request.rawBody?.length }));
    },
    { trustProxy: ['127.0.0.0/8'] },
  );
  return { base, port, budget: app.bodyBudget };
}

/** Begins a request whose announced body is longer than what is sent of it. */
function begin(port: number, from: string, announced: number | 'chunked', path = '/free'): Line {
  const length = announced === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${announced}`;
  return say(
    port,
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
  );
}

function send({ socket }: Line, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    socket.write(Buffer.alloc(bytes, 0x20), () => {
      resolve();
    });
  });
}

async function answered({ socket, heard }: Line): Promise<string> {
  await until('the response or the end of the connection', () => socket.destroyed || /\r\n\r\n.*\}$/s.test(heard()));
  return heard();
}

async function statusOf(base: string, from: string, bytes: number, path = '/free'): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
  const response = await fetch(base + path, { method: 'POST', headers, body: `"${'x'.repeat(bytes - 2)}"` });
  await response.text();
  return response.status;
}

const untilStatus = (wanted: number, ask: () => Promise<number>) =>
  until(`the status ${wanted}`, async () => (await ask()) === wanted);

const [here, there, yonder] = ['192.0.2.1', '198.51.100.1', '203.0.113.1'];

describe('bodies that are not complete', () => {
  test('hold 24 MiB of one network: a further one gets 429, ordinary ones and other networks are let in', async () => {
    const { base, port } = await start();
    // Bodies from another part of the platform count, but are accepted.
    const held = begin(port, here, 25 * mebibyte, '/trusted');
    await send(held, 24.5 * mebibyte);
    await untilStatus(429, () => statusOf(base, here, 20_000));
    const late = begin(port, here, 20_000);
    const heard = await answered(late);
    expect(heard).toMatch(/^HTTP\/1\.1 429 /);
    expect(heard).toMatch(/^retry-after: 2\r$/im);
    expect(heard).toContain('unfinished bodies from this network');
    expect(await statusOf(base, here, 16_000)).toBe(200);
    expect(await statusOf(base, there, 20_000)).toBe(200);
    expect(await statusOf(base, here, 20_000, '/trusted')).toBe(200);
    held.socket.destroy();
    await untilStatus(200, () => statusOf(base, here, 20_000));
  });

  test('without an announced length are refused on their way once their network holds more', async () => {
    const { port } = await start();
    const held = begin(port, here, 'chunked');
    held.socket.write(`${(29 * mebibyte).toString(16)}\r\n`);
    void send(held, 25 * mebibyte);
    expect(await answered(held)).toMatch(/^HTTP\/1\.1 429 /);
  });

  test('hold 48 MiB of all networks: who sends more than that gets 503', async () => {
    const { port } = await start();
    const held = [here, there, yonder].map((from) => begin(port, from, 20 * mebibyte));
    for (const one of held) void send(one, 17 * mebibyte);
    const heard = await Promise.race(held.map(answered));
    expect(heard).toMatch(/^HTTP\/1\.1 503 /);
    expect(heard).toMatch(/^retry-after: 2\r$/im);
  });
});

test('while others hold all the room for work on large bodies a large one gets 503 until they are answered; smaller ones and those of another part of the platform do not', async () => {
  const { base, budget } = await start();
  const releases = ['a', 'b'].map((owner) => budget.work(owner, 12 * mebibyte));
  expect(await statusOf(base, here, 65_537)).toBe(503);
  expect(await statusOf(base, here, 65_536)).toBe(200);
  expect(await statusOf(base, here, 65_537, '/trusted')).toBe(200);
  for (const release of releases) release();
  expect(await statusOf(base, here, 65_537)).toBe(200);
});

describe('the length of a body', () => {
  test('one that is announced beyond the limit of the path is refused before it comes', async () => {
    const { port } = await start();
    expect(await answered(begin(port, here, mebibyte + 1, '/small'))).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('one that is not announced is refused when it passes the limit', async () => {
    const { base, port } = await start();
    expect(await statusOf(base, here, mebibyte, '/small')).toBe(200);
    const late = begin(port, here, 'chunked', '/small');
    late.socket.write(`${(mebibyte + 1).toString(16)}\r\n${' '.repeat(mebibyte + 1)}`);
    expect(await answered(late)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test.each([1, 65_536, 65_537, 3 * mebibyte])('%i bytes are read as they came', async (bytes) => {
    const { base } = await start();
    const body = bytes === 1 ? '1' : `"${'x'.repeat(bytes - 2)}"`;
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${base}/free`, { method: 'POST', headers, body });
    expect(await response.json()).toEqual({ bytes });
  });
});
