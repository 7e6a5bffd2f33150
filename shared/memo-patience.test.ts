import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { testContext } from '../tests/kit/context.js';
import { openTestDatabase } from '../tests/kit/database.js';
import { createTimedCache } from './memo.js';

test('what never ends is waited for by those who ask in its first five seconds, and by nobody later', async () => {
  const cache = createTimedCache<string>({ name: 'test', ttlMs: 60_000, maxSize: 10, sizeOf: () => 1 });
  const database = await openTestDatabase();
  const context = testContext({ manager: database.dataSource.manager });
  let built = 0;
  const never = () => {
    built += 1;
    return new Promise<string>(() => undefined);
  };
  void cache(context, 'key', never);
  void cache(context, 'key', never);
  expect(built).toBe(1);
  await sleep(5_100);
  expect(await cache(context, 'key', () => Promise.resolve('there'))).toBe('there');
  expect(await cache(context, 'key', never)).toBe('there');
  expect(built).toBe(1);
  await database.close();
});
