import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import {
  openOwnRedis,
  openTestRedis,
  ownRedisMissing,
  redisMissing,
  type TestRedis,
} from '../../../tests/kit/redis.js';
import { systemClock } from '../../../shared/kernel/clock.js';
import { fixedClock } from '../../../tests/kit/clock.js';
import { createLog } from '../../../shared/kernel/log.js';
import { quietLog } from '../../../tests/kit/context.js';
import { until } from '../../../tests/kit/until.js';
import { createLimiter, type Bucket, createMemoryCounter } from './limiter.js';
import { createRedisCounter } from './limiter-redis.js';
import { networkOf, trustOf } from '../../../shared/kernel/network.js';

const start = '2026-11-20T15:00:00.250Z';

describe('in memory', () => {
  test('no window ever passes more points than its limit, whatever is asked and whenever', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b'),
      cost: fc.integer({ min: 0, max: 7 }),
      afterMs: fc.integer({ min: 0, max: 20_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (steps, limit) => {
        const clock = fixedClock(start);
        const counter = createMemoryCounter(clock);
        const windows = new Map<string, { endsAt: number; passed: number }>();
        for (const { key, cost, afterMs } of steps) {
          clock.advance(afterMs);
          const now = clock.now().getTime();
          const spent = counter.spend({ key, limit }, cost);
          if (spent instanceof Promise || cost === 0 || !spent.allowed) continue;
          const running = windows.get(key);
          const window = running !== undefined && running.endsAt > now ? running : { endsAt: now + 60_000, passed: 0 };
          window.passed += cost;
          windows.set(key, window);
          expect(window.passed).toBeLessThanOrEqual(limit);
          expect(spent.used).toBe(window.passed);
          expect(spent.remainingMs).toBe(window.endsAt - now);
        }
      }),
    );
  });

  test('nobody waits longer than a window when the clock steps back', () => {
    const clock = fixedClock(start);
    const counter = createMemoryCounter(clock);
    const bucket = { key: 'a', limit: 1 };
    expect(counter.spend(bucket, 1)).toMatchObject({ allowed: true });
    clock.advance(-600_000);
    expect(counter.spend(bucket, 1)).toMatchObject({ allowed: true, remainingMs: 60_000 });
    expect(counter.spend(bucket, 1)).toMatchObject({ allowed: false, remainingMs: 60_000 });
  });

  test('what is given back can be spent again, in the window that was charged and in no other', async () => {
    const clock = fixedClock(start);
    const limiter = createLimiter(createMemoryCounter(clock), clock);
    const bucket = { key: 'a', limit: 10 };
    const charged = await limiter.take(bucket, 9);
    expect(await limiter.take(bucket, 2)).toMatchObject({ allowed: false });
    clock.advance(10_000);
    expect(await limiter.correct(bucket, -5, charged)).toMatchObject({ remaining: 6, resetsAt: charged.resetsAt });
    expect(await limiter.take(bucket, 6)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limiter.correct(bucket, 3, charged)).toMatchObject({ remaining: 0 });
    expect(await limiter.correct(bucket, -20, charged)).toMatchObject({ remaining: 10 });
    clock.advance(60_000);
    const next = await limiter.take(bucket, 4);
    expect(await limiter.correct(bucket, -4, charged)).toBe(charged);
    expect(await limiter.take(bucket, 0)).toEqual(next);
  });

  test('what it remembers is bounded, and what has ended leaves', () => {
    const clock = fixedClock(start);
    const counter = createMemoryCounter(clock);
    for (let index = 0; index < 101_500; index++) void counter.spend({ key: `k${index}`, limit: 5 }, 1);
    expect(counter.size).toBeGreaterThan(98_000);
    expect(counter.size).toBeLessThanOrEqual(100_000);
    clock.advance(60_000);
    void counter.spend({ key: 'new', limit: 5 }, 1);
    expect(counter.size).toBe(1);
  });

  test('the end of the window is given in whole Unix seconds, rounded up', async () => {
    const clock = fixedClock(start);
    const limiter = createLimiter(createMemoryCounter(clock), clock);
    const bucket = { key: 'a', limit: 1 };
    expect(await limiter.take(bucket)).toEqual({
      limit: 1,
      remaining: 0,
      resetsAt: Date.parse('2026-11-20T15:01:01Z') / 1000,
      waitSeconds: 60,
      allowed: true,
    });
    clock.advance(59_900);
    expect(await limiter.take(bucket)).toMatchObject({ allowed: false, waitSeconds: 1 });
    clock.advance(100);
    expect(await limiter.take(bucket)).toMatchObject({ allowed: true });
  });
});

if (redisMissing !== undefined) console.warn(`Limits over Redis are not tested: ${redisMissing}.`);

(redisMissing === undefined ? describe : describe.skip)('over Redis', () => {
  let server: TestRedis;
  const clients: Redis[] = [];
  const connect = async (url = server.url) => {
    const client = new Redis(url, { maxRetriesPerRequest: 1, retryStrategy: () => 50, disconnectTimeout: 100 });
    client.on('error', () => undefined);
    clients.push(client);
    await client.ping();
    return client;
  };
  const instance = (client: Redis) =>
    createLimiter(createRedisCounter(client, createMemoryCounter(systemClock), quietLog), systemClock);

  beforeAll(async () => {
    server = await openTestRedis();
  });
  afterAll(async () => {
    for (const client of clients) client.disconnect();
    await server.close();
  });

  test('two instances together pass exactly the limit', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    const counting = (client: Redis) =>
      createLimiter(createRedisCounter(client, createMemoryCounter(systemClock), log), systemClock);
    const [left, right] = [counting(await connect()), counting(await connect())];
    const spend = async (bucket: Bucket) => {
      const take = (_: unknown, index: number) => (index % 2 === 0 ? left : right).take(bucket);
      const standings = await Promise.all(Array.from({ length: 40 }, take));
      return { standings, now: await left.take(bucket, 0), beyond: await right.take(bucket) };
    };
    let turn = 0;
    // On a busy machine Redis may take longer than a request waits for it; each instance then counts on its own for a second.
    const spent = await until('ten points that Redis counted', async () => {
      const all = await spend({ key: `shared-${process.pid}-${(turn += 1)}`, limit: 10 });
      return lines.splice(0).length === 0 && all;
    });
    expect(spent.standings.filter((standing) => standing.allowed)).toHaveLength(10);
    expect(spent.now).toMatchObject({ limit: 10, remaining: 0, allowed: true });
    expect(spent.beyond.waitSeconds).toBeGreaterThan(50);
  });

  test('what one instance gives back another one can spend, in the window that was charged', async () => {
    const [left, right] = [instance(await connect()), instance(await connect())];
    const bucket = { key: `corrected-${process.pid}`, limit: 10 };
    const charged = await left.take(bucket, 10);
    expect(await right.take(bucket)).toMatchObject({ allowed: false });
    await Promise.all(Array.from({ length: 6 }, () => left.correct(bucket, -1, charged)));
    expect(await right.take(bucket, 6)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await right.correct(bucket, 2, charged)).toMatchObject({ remaining: 0 });
    expect(await left.correct(bucket, -100, charged)).toMatchObject({ remaining: 10 });
    const earlier = { ...charged, resetsAt: charged.resetsAt - 40 };
    expect(await left.correct(bucket, -5, earlier)).toBe(earlier);
    expect((await left.take(bucket, 0)).waitSeconds).toBeGreaterThan(50);
  });

  const testOwn = ownRedisMissing === undefined ? test : test.skip;

  testOwn('a Redis that does not answer is asked by one request a second, and no other waits for it', async () => {
    const own = await openOwnRedis();
    const client = await connect(own.url);
    const limiter = instance(client);
    const bucket = { key: 'frozen', limit: 100 };
    await limiter.take(bucket);
    let asked = 0;
    const send = client.sendCommand.bind(client);
    client.sendCommand = (...given) => {
      asked += 1;
      return send(...given);
    };
    own.freeze();
    const began = performance.now();
    for (let index = 0; index < 20; index++) expect(await limiter.take(bucket)).toMatchObject({ allowed: true });
    const seconds = Math.floor((performance.now() - began) / 1_000);
    client.disconnect();
    await own.close();
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(1 + seconds);
  });

  test('that Redis does not answer, and that it does again, is one line in the log each', async () => {
    const client = await connect();
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    const told = () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    const limiter = createLimiter(createRedisCounter(client, createMemoryCounter(systemClock), log), systemClock);
    const take = () => limiter.take({ key: `log-${process.pid}`, limit: 1e6 });
    for (let index = 0; index < 3; index++) await take();
    expect(told()).toEqual([]);
    client.disconnect();
    for (let index = 0; index < 3; index++) await take();
    const lost = 'rate limits count in memory: Redis does not respond';
    expect(told()).toEqual([lost]);
    expect(lines[0]).toMatch(/"level":40,.*"reason":"Error: .*connection/i);
    await client.connect();
    await until('Redis to count again', async () => {
      await take();
      return told().length > 1;
    });
    for (let index = 0; index < 3; index++) await take();
    expect(told()).toEqual([lost, 'rate limits count in Redis again']);
  });

  test('a command that Redis refuses counts in the instance, and all others go on in Redis', async () => {
    const [client, other] = [await connect(), await connect()];
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    const left = createLimiter(createRedisCounter(client, createMemoryCounter(systemClock), log), systemClock);
    const right = instance(other);
    const [refused, shared] = [`refused-${process.pid}`, `accepted-${process.pid}`].map((key) => ({ key, limit: 5 }));
    if (refused === undefined || shared === undefined) throw new Error('two buckets');
    // A value of another type: the script fails as it does where Redis is full or read-only.
    await other.lpush(`lastro:limit:${refused.key}`, 'x');
    for (let turn = 1; turn <= 3; turn += 1) {
      expect(await left.take(refused)).toMatchObject({ remaining: 5 - turn, allowed: true });
      await left.take(shared);
      expect(await right.take(shared, 0)).toMatchObject({ remaining: 5 - turn });
    }
    const charged = await left.take(refused, 2);
    expect(charged).toMatchObject({ remaining: 0 });
    expect(await left.correct(refused, -2, charged)).toMatchObject({ remaining: 2 });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/WRONGTYPE.*Redis refused the command/);
  });

  test('a lost Redis is no error to the caller: the instance counts on its own', async () => {
    const client = await connect();
    const limiter = instance(client);
    const bucket = { key: `lost-${process.pid}`, limit: 3 };
    expect(await limiter.take(bucket)).toMatchObject({ remaining: 2 });
    await server.kill();
    if (client.status === 'ready' && process.env['REDIS_URL'] !== undefined) return;
    const standings = [];
    for (let index = 0; index < 4; index++) standings.push(await limiter.take(bucket));
    expect(standings.map((standing) => standing.allowed)).toEqual([true, true, true, false]);
  });
});

describe('addresses', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s comes from %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test('an address is of one network in whichever way it is written', () => {
    fc.assert(
      fc.property(fc.ipV6(), (written) => {
        const canonical = new URL(`http://[${written}]/`).hostname.slice(1, -1);
        fc.pre(!canonical.startsWith('::ffff:'));
        expect(networkOf(written)).toBe(networkOf(canonical));
      }),
    );
  });

  test('proxies are trusted by address or block', () => {
    const trusted = trustOf(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.1', '2001:db8::5'].every(trusted)).toBe(true);
    expect(['11.0.0.1', '192.0.2.2', '2001:db9::1', 'unix', ''].some(trusted)).toBe(false);
  });
});
