import { afterAll, expect, test } from '@jest/globals';
import { openSite } from './kit.js';

const site = await openSite({ RATE_LIMIT_PAGES: '30', RATE_LIMIT_PUBLIC: '5', TRUST_PROXY: '127.0.0.1' });
afterAll(() => site.platform.close());

test('a page costs ten points when it is made and one while it is kept, whatever else its address says', async () => {
  const addresses = ['/', ...Array.from({ length: 20 }, (_none, at) => `/?x=${at}&lang=`), '/'];
  const statuses: number[] = [];
  for (const address of addresses) statuses.push((await site.get(address)).status);
  expect(statuses).toEqual([...Array.from({ length: 21 }, () => 200), 429]);
  expect((await site.get('/tokenizacao')).headers.get('retry-after')).toMatch(/^\d+$/);
  // Pages and the paths of programs do not spend from each other.
  expect((await site.get('/public/tranches', { accept: 'application/json' })).status).toBe(200);
});

test('a file of many reads costs more than a page, and at most what leaves it within reach of everyone', async () => {
  const statusesFrom = async (address: string, paths: readonly string[]) => {
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await site.get(path, { 'x-forwarded-for': address })).status);
    return statuses;
  };
  // Thousands of assets, a hundred a read.
  const [file, other] = ['/tokenizacao/ativos.csv?status=ACTIVE', '/tokenizacao/ativos.json?status=ACTIVE'];
  expect(await statusesFrom('203.0.113.9', [file, other])).toEqual([200, 429]);
  const pages = ['/tokenizacao/ativos?status=ACTIVE', '/tokenizacao/ativos?status=SETTLED'];
  expect(await statusesFrom('203.0.113.10', pages)).toEqual([200, 200]);
});

test('a large page costs its maker more than a small one, and others no more than any that is kept', async () => {
  const years = (from: string) => `/tokenizacao/series/AURORA-TK1?from=${from}`;
  const status = async (address: string, path: string) => (await site.get(path, { 'x-forwarded-for': address })).status;
  expect(await status('203.0.113.11', years('2024-01-02'))).toBe(200);
  expect(await status('203.0.113.11', years('2024-01-03'))).toBe(429);
  expect(await status('203.0.113.12', years('2024-01-02'))).toBe(200);
  expect(await status('203.0.113.12', years('2024-01-02'))).toBe(200);
  expect(await status('203.0.113.12', '/tokenizacao')).toBe(200);
});
