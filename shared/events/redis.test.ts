import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openOwnRedis, ownRedisMissing, type OwnRedis } from '../../tests/kit/redis.js';
import { until } from '../../tests/kit/until.js';
import { createLog } from '../kernel/log.js';
import { openRedis, redisConnected, type RedisConnection } from './redis.js';

if (ownRedisMissing !== undefined) console.warn(`Skipped: the metric of connections to Redis (${ownRedisMissing})`);

const valuesOf = async (connections: readonly RedisConnection[]) =>
  (await redisConnected(connections).get()).values.map(({ value }) => value);

test('A process without Redis shows no value for it', async () => {
  expect(await valuesOf([])).toEqual([]);
});

(ownRedisMissing === undefined ? describe : describe.skip)('redis_connected', () => {
  let redis: OwnRedis;
  let connections: RedisConnection[];
  beforeAll(async () => {
    redis = await openOwnRedis();
    const log = createLog('silent');
    connections = ['one', 'other'].map((name) => openRedis(redis.url, log, { name, silenceMs: 1_000 }));
  });
  afterAll(async () => {
    for (const connection of connections) connection.disconnect();
    await redis.close();
  });
  const becomes = (wanted: number) =>
    until(`redis_connected to be ${wanted}`, async () => (await valuesOf(connections))[0] === wanted);

  test('is 1 while every connection can be used, 0 while one cannot, and 1 again when Redis is back', async () => {
    await becomes(1);
    connections[1]?.disconnect();
    await becomes(0);
    await connections[1]?.connect();
    await becomes(1);
    await redis.kill();
    await becomes(0);
    redis = await openOwnRedis(redis.port);
    await becomes(1);
  });
});
