import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { quietLog } from '../../tests/kit/context.js';
import { openOwnRedis, openTestRedis, ownRedisMissing, redisMissing, type TestRedis } from '../../tests/kit/redis.js';
import { createRedisBus } from './bus-redis.js';
import { streamOf } from '../../tests/kit/stream-of.js';
import { mapStream } from '../kernel/async-iterator.js';
import { createLocalBus, type Bus } from './bus.js';

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
    // The third event exceeds the limit; over Redis it arrives a moment later.
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
if (redisMissing !== undefined) console.warn(`Skipped: the bus over Redis (${redisMissing})`);

(redisMissing === undefined ? describe : describe.skip)('the bus over Redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await openTestRedis();
  });
  afterAll(() => redis.close());

  const open = async (): Promise<Bus> => {
    const bus = createRedisBus(redis.url, quietLog);
    await untilShared(bus, redis.url);
    return bus;
  };

  promises(open);

  test("two instances receive each other's messages, each message once and in order", async () => {
    const [one, other] = [await open(), await open()];
    const stream = await streamOf(other, 'prices');
    await one.publishAll([
      { topics: ['prices', 'prices:a'], payload: 1 },
      { topics: ['prices', 'prices:b'], payload: 2 },
    ]);
    await one.publish('prices', 3);
    for (const price of [1, 2, 3]) expect((await stream.next()).value).toBe(price);
    await Promise.all([one.close(), other.close()]);
  });

  test('the last reader of a topic that leaves takes nothing from one who comes at that moment', async () => {
    const bus = await open();
    const leaving = await streamOf(bus, 'prices');
    const coming = streamOf(bus, 'prices');
    await leaving.return?.();
    const stream = await coming;
    const again = await streamOf(bus, 'prices:again');
    await again.return?.();
    const back = await streamOf(bus, 'prices:again');
    await bus.publishAll([{ topics: ['prices', 'prices:again'], payload: 'heard' }]);
    expect((await stream.next()).value).toBe('heard');
    expect((await back.next()).value).toBe('heard');
    await bus.close();
  });
});
if (ownRedisMissing !== undefined) console.warn(`Skipped: the bus while Redis is away (${ownRedisMissing})`);

(ownRedisMissing === undefined ? describe : describe.skip)('the bus while Redis is away', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  const openBus = (url: string): Bus => {
    const bus = createRedisBus(url, quietLog);
    cleanups.push(() => bus.close());
    return bus;
  };
  const openServer = async (port?: number) => {
    const server = await openOwnRedis(port);
    cleanups.push(() => server.close());
    return server;
  };
  afterEach(async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean();
  });

  test('begins to listen, serves the readers of its own instance, and all of them once Redis is there', async () => {
    const server = await openServer();
    await server.kill();
    const [one, other] = [openBus(server.url), openBus(server.url)];
    const stream = await streamOf(one, 'prices');
    await one.publish('prices', 'at home');
    expect((await stream.next()).value).toBe('at home');
    await openServer(server.port);
    expect(await heardFrom(other, one)).toBe(true);
  });

  test('readers that listened before receive events again when a lost Redis has come back', async () => {
    const server = await openServer();
    const [one, other] = [openBus(server.url), openBus(server.url)];
    await untilShared(one, server.url);
    const stream = await streamOf(one, 'prices');
    await server.kill();
    await openServer(server.port);
    const telling = setInterval(() => void other.publish('prices', 'back'), 50);
    expect((await stream.next()).value).toBe('back');
    clearInterval(telling);
  });

  test('a frozen Redis holds nobody up, piles nothing up, and is used again when it wakes', async () => {
    const server = await openServer();
    const [one, other] = [openBus(server.url), openBus(server.url)];
    await untilShared(one, server.url);
    const stream = await streamOf(one, 'prices', 100_000);
    server.freeze();
    const payload = 'x'.repeat(10_000);
    // A gigabyte, if it were stored.
    for (let index = 0; index < 100_000; index += 1) await one.publish('prices', payload);
    const grownMb = process.memoryUsage().external / 1e6;
    expect(grownMb).toBeLessThan(300);
    // Its own readers have received all of it.
    for (let index = 0; index < 100_000; index += 1) expect((await stream.next()).value).toHaveLength(payload.length);
    server.wake();
    expect(await heardFrom(other, one)).toBe(true);
  });

  test('closes at once: it waits for no reply', async () => {
    const server = await openServer();
    const bus = createRedisBus(server.url, quietLog);
    await untilShared(bus, server.url);
    const stream = await streamOf(bus, 'prices');
    server.freeze();
    await bus.publish('prices', 1);
    await stream.return?.();
    // Whatever comes over the network comes after this turn of the event loop.
    expect(await Promise.race([bus.close().then(() => 'closed'), nextTurn('waiting')])).toBe('closed');
    server.wake();
  });
});

/** Resolves once the bus is connected: a message of another connection arrives. */
async function untilShared(bus: Bus, url: string): Promise<void> {
  const outside = new Redis(url);
  await heard(bus, (topic) => outside.publish(topic, '1'));
  // Those that are still under way are answered first.
  await outside.quit();
}

/** Whether a message that one instance publishes eventually reaches a reader of the other. */
function heardFrom(publisher: Bus, reader: Bus): Promise<boolean> {
  return heard(reader, (topic) => publisher.publish(topic, 1));
}

async function heard(reader: Bus, tell: (topic: string) => Promise<unknown>): Promise<boolean> {
  const topic = `connected:${randomUUID()}`;
  const stream = await streamOf(reader, topic);
  // Messages that are published while a connection closes are published again.
  const telling = setInterval(() => void tell(topic).catch(() => undefined), 20);
  const { done } = await stream.next();
  clearInterval(telling);
  await stream.return?.();
  return done !== true;
}
