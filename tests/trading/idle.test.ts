import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { countQueries } from '../kit/count-queries.js';
import { openOrders } from './orders/kit.js';

const kit = await openOrders();
afterAll(() => kit.close());

test('a domain in which nothing is to be done asks a few questions a second', async () => {
  const asked = await countQueries(kit.database.dataSource, () => setTimeout(2_000));
  // Orders and hedges once a second each; custody, the heartbeat and the candles every two to five seconds.
  expect(asked).toBeLessThan(40);
});
