import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { quietLog } from '../tests/kit/context.js';
import { openTestRedis, redisMissing, type TestRedis } from '../tests/kit/redis.js';
import { createRedisBus } from './bus-redis.js';
import { createLocalBus, mapStream, streamOf, type Bus } from './bus.js';
import { openRedis } from './redis.js';

function promises(open: () => Promise<Bus>) {
  test('a reader gets, in order, every event published after its stream resolved', async () => {
    const bus = await open();
    const stream = await streamOf(bus, 'prices');
    for (const price of [1, 2, 3]) await bus.publish('prices', { price });
    for (const price of [1, 2, 3]) expect((await stream.next()).value).toEqual({ price });
    await stream.return?.();
    await bus.close();
  });

  test('ending a stream that waits for an event returns at once', async () => {
    const bus = await open();
    const stream = await streamOf(bus, 'prices');
    const waiting = stream.next();
    await stream.return?.();
    expect((await waiting).done).toBe(true);
    expect((await stream.next()).done).toBe(true);
    await bus.close();
  });

  test('a reader that falls behind the bound gets an error instead of a gap', async () => {
    const bus = await open();
    const stream = await streamOf(bus, 'prices', 2);
    for (const price of [1, 2, 3]) await bus.publish('prices', { price });
    // The third event crosses the bound; over Redis it arrives a moment later.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await stream.next()).value).toEqual({ price: 1 });
    expect((await stream.next()).value).toEqual({ price: 2 });
    await expect(stream.next()).rejects.toThrow(/fell more than 2 events behind/);
    await bus.close();
  });
}

describe('the bus in one process', () => {
  promises(() => Promise.resolve(createLocalBus()));

  test('a mapped stream leaves out what maps to undefined', async () => {
    const bus = createLocalBus();
    const even = mapStream(await streamOf(bus, 'numbers'), (n) =>
      typeof n === 'number' && n % 2 === 0 ? n : undefined,
    );
    for (const n of [1, 2, 3, 4]) await bus.publish('numbers', n);
    expect((await even.next()).value).toBe(2);
    expect((await even.next()).value).toBe(4);
    await even.return?.();
  });
});

const overRedis = redisMissing === undefined ? describe : describe.skip;
if (redisMissing !== undefined) console.warn(`Skipped: the bus over Redis (${redisMissing})`);

overRedis('the bus over Redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await openTestRedis();
  });
  afterAll(() => redis.close());

  promises(async () => {
    const publisher = openRedis(redis.url, quietLog, 'publisher');
    const subscriber = openRedis(redis.url, quietLog, 'subscriber');
    await new Promise((resolve) => publisher.once('ready', resolve));
    return createRedisBus(publisher, subscriber);
  });

  test('closes although Redis is away', async () => {
    const own = await openTestRedis();
    const publisher = openRedis(own.url, quietLog, 'publisher');
    const subscriber = openRedis(own.url, quietLog, 'subscriber');
    await new Promise((resolve) => publisher.once('ready', resolve));
    const bus = createRedisBus(publisher, subscriber);
    const stream = await streamOf(bus, 'prices');
    const lost = new Promise((resolve) => subscriber.once('close', resolve));
    await own.kill();
    if (process.env['REDIS_URL'] === undefined) await lost;
    await stream.return?.();
    await bus.close();
  });
});
