import { afterAll, expect, test } from '@jest/globals';
import { openSite } from './kit.js';

const site = await openSite({ GRAPHQL_SDL: 'false' });
afterAll(() => site.platform.close());

test('the schema of the graph is not named where it is not published', async () => {
  expect(await site.html('/docs')).not.toContain('/schema.graphql');
});
