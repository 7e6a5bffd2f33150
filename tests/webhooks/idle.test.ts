import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { countQueries } from '../kit/count-queries.js';
import { openWebhooks } from './kit.js';

const kit = await openWebhooks();
afterAll(() => kit.close());

test('an engine that has nothing to send and no replay to go on with looks each second, and not again and again', async () => {
  await kit.openEngine();
  const asked = await countQueries(kit.database.dataSource, () => setTimeout(1_500));
  // Two looks of one statement each; one that does not rest makes hundreds.
  expect(asked).toBeLessThan(12);
});
