import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDemo } from '../../subgraphs/accounts/demo/demo.js';
import { accountsEntities } from '../../subgraphs/accounts/rows.js';
import { testContext, testKeyRing, testMasterKey } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { openOwnRedis, ownRedisMissing, type OwnRedis } from '../kit/redis.js';
import { build, killGroup, startProgram, type Program } from '../start/program.js';
import { announcing, follow, untilHeard, type FollowedOperation, type Follower } from './follow-kit.js';

if (ownRedisMissing !== undefined)
  console.warn(`Skipped: readers through losses of Redis and of instances (${ownRedisMissing})`);
const withRedis = ownRedisMissing === undefined ? describe : describe.skip;

withRedis('readers on two instances', () => {
  let database: TestDatabase;
  let redis: OwnRedis;
  let operation: FollowedOperation;
  let key: string;
  const programs: Program[] = [];
  const readers: Follower[] = [];

  beforeAll(async () => {
    await build();
    database = await openTestDatabase({ template: 'demo', entities: accountsEntities });
    redis = await openOwnRedis();
    const { manager } = database.dataSource;
    key = (await createDemo(testContext({ manager }), testKeyRing, 1000))?.publicApiKey ?? '';
    const [first] = await database.dataSource.query<FollowedOperation[]>(
      'SELECT id, ticker FROM issuances.operations WHERE is_public ORDER BY ticker LIMIT 1',
    );
    if (first === undefined) throw new Error('The demo has no operation');
    operation = first;
    const env = {
      DATABASE_URL: database.url,
      DATABASE_POOL: '6',
      REDIS_URL: redis.url,
      MASTER_KEY: testMasterKey.toString('base64'),
      LOG_LEVEL: 'warn',
    };
    programs.push(startProgram({ env }), startProgram({ env }));
    await Promise.all(programs.map(({ ready }) => ready));
  });
  afterAll(async () => {
    for (const reader of readers) reader.close();
    await Promise.all(programs.map(killGroup));
    await redis.close();
    await database.close();
  });

  test('get every event once and in the order of their publication, while Redis is killed and comes back, and an instance is killed', async () => {
    const [first = '', second = ''] = await Promise.all(programs.map(({ ready }) => ready));
    let isFirstThere = true;
    const { ticker } = operation;
    const moving = await follow({ url: () => (isFirstThere ? first : second), key, ticker });
    const staying = await follow({ url: () => second, key, ticker });
    readers.push(moving, staying);
    const events = announcing(testContext({ manager: database.dataSource.manager }), operation);
    await Promise.all(readers.map((reader) => untilHeard(reader, 'event 10')));
    await redis.kill();
    await sleep(2_000);
    redis = await openOwnRedis(redis.port);
    await sleep(2_000);
    isFirstThere = false;
    const [instance] = programs;
    if (instance !== undefined) await killGroup(instance);
    await sleep(3_000);
    const committed = await events.stop();
    await Promise.all(readers.map((reader) => untilHeard(reader, committed.at(-1))));
    expect(committed.length).toBeGreaterThan(50);
    // Relays of two instances may overtake each other: the order is that in which events were published.
    const published = (
      await database.dataSource.manager.rows<{ reference: string }>(
        `SELECT payload::jsonb->>'reference' AS reference FROM shared.outbox WHERE payload::jsonb->>'reference' = ANY ($1) ORDER BY feed_position`,
        [committed],
      )
    ).map(({ reference }) => reference);
    expect(new Set(published)).toEqual(new Set(committed));
    // The demo announces events of its own.
    const ofOurs = ({ heard }: Follower) => heard.filter((reference) => reference.startsWith('event '));
    expect(ofOurs(moving)).toEqual(published);
    expect(ofOurs(staying)).toEqual(published);
    // Who was on the instance that stayed noticed neither loss.
    expect([moving.ends.length > 0, staying.ends]).toEqual([true, []]);
  });
});
