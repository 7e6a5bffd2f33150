import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { openTestRedis, redisMissing, type TestRedis } from '../kit/redis.js';

if (redisMissing !== undefined) console.warn(`Skipped: who waits for connections of a worker (${redisMissing})`);
const apart = redisMissing === undefined ? describe : describe.skip;

apart('the metrics of a worker', () => {
  let redis: TestRedis;
  let worker: TestPlatform;

  beforeAll(async () => {
    redis = await openTestRedis();
    worker = await openTestPlatform({ ROLE: 'worker', REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await worker.close();
    await redis.close();
  });

  test('do not count their own statements as requests that wait for a connection', async () => {
    const waiting: (string | undefined)[] = [];
    for (let scrape = 0; scrape < 3; scrape++) {
      const text = await (await fetch(`${worker.url}/metrics`)).text();
      waiting.push(/^database_pool_connections\{state="waiting"\} (\d+)$/m.exec(text)?.[1]);
    }
    expect(waiting).toContain('0');
  });
});
