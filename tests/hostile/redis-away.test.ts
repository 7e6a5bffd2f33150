import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openOwnRedis, ownRedisMissing, type OwnRedis } from '../kit/redis.js';
import { build } from '../start/program.js';
import { openInstances, type Instances } from './instances-kit.js';

if (ownRedisMissing !== undefined) console.warn(`Skipped: Redis is away (${ownRedisMissing})`);
const withRedis = ownRedisMissing === undefined ? describe : describe.skip;

withRedis('two instances whose Redis is away', () => {
  let redis: OwnRedis;
  let instances: Instances;

  beforeAll(async () => {
    await build();
    redis = await openOwnRedis();
    await redis.kill();
    instances = await openInstances(redis.url);
  });
  afterAll(async () => {
    await instances.close();
    await redis.close();
  });

  test('start, answer and deliver everything without it; readers that came meanwhile receive both once it is there', async () => {
    await instances.askAll();
    await instances.deliverAll();
    const readers = await instances.openReaders();
    redis = await openOwnRedis(redis.port);
    await instances.heardByBoth(readers);
    for (const reader of readers) reader.close();
  });

  test('answer and deliver everything while it is frozen, and after it was killed; the same readers receive events again when it is back', async () => {
    const readers = await instances.openReaders();
    await instances.heardByBoth(readers);
    redis.freeze();
    await Promise.all([instances.askAll(), instances.deliverAll()]);
    redis.wake();
    for (const { heard } of readers) heard.clear();
    await instances.heardByBoth(readers);

    await redis.kill();
    await Promise.all([instances.askAll(), instances.deliverAll()]);
    redis = await openOwnRedis(redis.port);
    for (const { heard } of readers) heard.clear();
    await instances.heardByBoth(readers);
    for (const reader of readers) reader.close();
  });

  test('end in good order while it is frozen', async () => {
    redis.freeze();
    for (const { child } of instances.programs) child.kill('SIGTERM');
    for (const { ended } of instances.programs) expect(await ended).toEqual({ code: 0, signal: null });
  });
});
