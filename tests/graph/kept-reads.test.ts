import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';

let platform: TestPlatform;
let key: string;

beforeAll(async () => {
  platform = await openTestPlatform({ DEMO: 'true', RATE_LIMIT_GRAPHQL: '1000000' });
  const credentials = await readFile(join(platform.dataDir, 'demo-credentials.json'), 'utf8');
  key = z.object({ publicApiKey: z.string() }).parse(JSON.parse(credentials)).publicApiKey;
});
afterAll(() => platform.close());

const told = z.object({
  data: z.record(z.string(), z.object({ totalCount: z.int() })),
  extensions: z.object({ cost: z.object({ requestedQueryCost: z.int(), actualQueryCost: z.int() }) }),
});

async function ask(query: string, headers: Record<string, string> = {}) {
  return fetch(`${platform.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-query-cost': 'true', ...headers },
    body: JSON.stringify({ query }),
  });
}

describe('a published list', () => {
  test.each(['operations', 'patrimonies', 'tranches'])('%s costs no more than it has', async (list) => {
    const response = await ask(`{ ${list}(first: 100) { totalCount nodes { __typename } } }`, { 'x-api-key': key });
    const { data, extensions } = told.parse(await response.json());
    const total = data[list]?.totalCount ?? 0;
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThan(100);
    expect(extensions.cost).toEqual({ requestedQueryCost: 1 + total, actualQueryCost: 1 + total });
  });

  test('that a caller may not read is not counted for it', async () => {
    const response = await ask('{ operations(first: 100) { totalCount nodes { __typename } } }');
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHORIZED' } }] });
  });
});

test('a public read by hash is kept by caches until its data changes', async () => {
  const query = '{ tranches(first: 3) { nodes { ticker } } }';
  const extensions = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') } };
  const headers = { 'apollo-require-preflight': 'true' };
  await fetch(`${platform.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, extensions }),
  });
  const url = `${platform.url}/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`;
  const first = await fetch(url, { headers });
  expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
  const tag = first.headers.get('etag') ?? '';
  const again = await fetch(url, { headers: { ...headers, 'if-none-match': tag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const own = await fetch(url, { headers: { ...headers, 'x-api-key': key, 'if-none-match': tag } });
  expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await own.json()).toEqual(await first.json());
});
