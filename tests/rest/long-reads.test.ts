import { afterAll, expect, test } from '@jest/globals';
import { restPlugin } from '../../rest/plugin.js';
import type { Route } from '../../rest/route.js';
import { createTestEdge, goodKey, open, slowKey } from './edge-kit.js';
import { fakeGraph, plainRoute } from './fake-graph.js';
import { operationTexts } from './operation-texts.js';

const route: Route = {
  ...plainRoute,
  path: '/batch',
  operation: 'read',
  parameters: { size: { description: 'characters', schema: { type: 'string' } } },
  readsWhole: true,
};
/** Ends the reads that wait, in their order. */
const held: (() => void)[] = [];
let [reading, most] = [0, 0];

const read = async ({ size }: { size?: unknown }) => {
  reading += 1;
  most = Math.max(most, reading);
  if (Number(size) === 0) await new Promise<void>((resolve) => held.push(resolve));
  reading -= 1;
  return { text: 'x'.repeat(Number(size)) };
};
const graph = fakeGraph('type Query { read(size: Int!): Thing } type Thing { text: String! }', { read });
const { app } = createTestEdge();
restPlugin(app, { graph, routes: [route], texts: operationTexts(graph.apiSchema) });
const url = `${await open(app)}/batch`;
afterAll(() => app.close());

const ask = (size: number, key = goodKey) => fetch(`${url}?size=${size}`, { headers: { 'x-api-key': key } });

test('a caller has two reads of whole batches at a time: 32 wait, and a further one is 429', async () => {
  const sent = Array.from({ length: 35 }, () => ask(0));
  const refused = await Promise.race(sent);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  const all = Promise.all(sent);
  const timer = setInterval(() => held.shift()?.(), 1);
  const statuses = (await all).map(({ status }) => status);
  clearInterval(timer);
  expect(statuses.toSorted()).toEqual([...Array.from({ length: 34 }, () => 200), 429]);
  expect(most).toBe(2);
});

test('a response of a whole batch counts as a request for each MiB begun, at most half of the limit', async () => {
  const remaining = async (size: number, key?: string) =>
    Number((await ask(size, key)).headers.get('x-ratelimit-remaining'));
  const before = await remaining(10);
  expect(await remaining(3_200_000)).toBe(before - 4);
  // Its limit is 3.
  expect(await remaining(3_200_000, slowKey)).toBe(2);
});
