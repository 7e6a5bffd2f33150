import { afterAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { openTestPlatform } from '../kit/platform.js';

const platform = await openTestPlatform({ DEMO: 'true', RATE_LIMIT_GRAPHQL: '1000000' });
const key = platform.demo().publicApiKey;
afterAll(() => platform.close());

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
