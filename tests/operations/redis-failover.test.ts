import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openInstances, type Instances } from '../hostile/instances-kit.js';
import { openClusterRedis, openSentinelRedis, type ManyRedis } from '../kit/redis-ha.js';
import { ownRedisMissing } from '../kit/redis.js';
import { build } from '../start/program.js';

if (ownRedisMissing !== undefined) console.warn(`Skipped: failover of Redis (${ownRedisMissing})`);
const withRedis = ownRedisMissing === undefined ? describe.each : describe.skip.each;

withRedis([
  { name: 'Sentinel over TLS, as a user of the ACL', open: openSentinelRedis },
  { name: 'a cluster', open: openClusterRedis },
])('two instances with $name', ({ open }) => {
  let redis: ManyRedis;
  let instances: Instances;
  beforeAll(async () => {
    await build();
    redis = await open();
    instances = await openInstances(redis.url, redis.env);
  });
  afterAll(async () => {
    await instances.close();
    await redis.close();
  });

  test('share events; while the server in charge is killed and a worker starts, they answer and deliver everything, and the same readers go on', async () => {
    const readers = await instances.openReaders();
    await instances.heardByBoth(readers);
    const failing = redis.failOver();
    const worker = instances.start({ ROLE: 'worker' });
    await Promise.all([instances.askAll(), instances.deliverAll(), failing, worker.ready]);
    for (const { heard } of readers) heard.clear();
    await instances.heardByBoth(readers);
    for (const reader of readers) reader.close();
    expect(instances.programs.map(({ output }) => /READONLY|CROSSSLOT|NOPERM/.exec(output())?.[0])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
