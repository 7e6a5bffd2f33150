import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fixedClock } from '../../shared/kernel/clock.js';
import type { Manager } from '../../shared/database/manager.js';
import { routes } from '../../rest/routes.js';
import { isPublished, queryParameters } from '../../rest/route.js';
import { newId } from '../../shared/kernel/ids.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { addEstate, addSeries } from '../tokenization/series/kit.js';

let platform: TestPlatform;
let manager: Manager;

beforeAll(async () => {
  platform = await openTestPlatform(
    { RATE_LIMIT_PUBLIC: '100000' },
    { clock: fixedClock('2026-11-20T15:00:00Z'), background: false },
  );
  ({ manager } = platform.infrastructure.dataSource);
  await addSeries(manager, await addEstate(manager, 'Ipe'), 'IPE-1');
});
afterAll(() => platform.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${platform.url}${path}`, { headers });

test('a published list is revalidated without its bytes until its data changes', async () => {
  const path = '/public/tranches?limit=10';
  const first = await get(path);
  expect([first.status, first.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=0, s-maxage=30, stale-while-revalidate=30',
  ]);
  const key = first.headers.get('surrogate-key') ?? '';
  expect(key).toMatch(/^tokenization-\d+-[0-9a-f]{32}-2026-11-20$/);
  const tag = first.headers.get('etag') ?? '';
  for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
    const again = await get(path, { 'if-none-match': known });
    expect([known, again.status, await again.text(), again.headers.get('etag')]).toEqual([known, 304, '', tag]);
  }
  expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);

  await addSeries(manager, await addEstate(manager, 'Aroeira'), 'AROEIRA-1');
  const changed = await get(path, { 'if-none-match': tag });
  expect(changed.status).toBe(200);
  expect(await changed.text()).toContain('AROEIRA-1');
  expect(changed.headers.get('surrogate-key')).not.toBe(key);
});

test('a 304 to HEAD is that to GET, and says no other length than the response has', async () => {
  const tag = (await get('/public/patrimonies')).headers.get('etag') ?? '';
  const [byGet, byHead] = await Promise.all(
    ['GET', 'HEAD'].map((method) =>
      fetch(`${platform.url}/public/patrimonies`, { method, headers: { 'if-none-match': tag } }),
    ),
  );
  const seen = [byGet, byHead].map((response) => [
    response?.status,
    ...['etag', 'cache-control', 'surrogate-key', 'content-length'].map((name) => response?.headers.get(name)),
  ]);
  expect(seen[1]).toEqual(seen[0]);
  expect(seen[0]).toMatchObject([304, tag, expect.any(String), expect.any(String), null]);
});

test('an empty query parameter is 400 wherever the path reads it, but for an empty place in a list, which is none', async () => {
  const empty = routes
    .filter(isPublished)
    .flatMap((route) =>
      [...queryParameters(route)].map((name) => [
        route.path.replace(/:(ticker)/, 'IPE-1').replace(/:id/, newId()),
        name,
      ]),
    );
  expect(empty.length).toBeGreaterThan(15);
  for (const [path = '', name = ''] of empty) {
    for (const query of [`${name}=`, name]) {
      const response = await get(`${path}?${query}`);
      const body = (await response.json()) as { details?: { path: string }[] };
      const expected = name === 'nextToken' ? [200, undefined] : [400, [name]];
      expect([path, query, response.status, body.details?.map((one) => one.path)]).toEqual([path, query, ...expected]);
    }
  }
  expect((await get('/public/tranches?unknown=')).status).toBe(200);
});

test('the response is JSON whatever a caller accepts, but for a list as CSV', async () => {
  for (const accept of ['', '*/*', 'application/*', 'text/html,application/xml', 'text/csv', 'application/json;q=0']) {
    const response = await get('/public/patrimonies', { accept });
    expect([accept, response.status, response.headers.get('content-type')]).toEqual([
      accept,
      200,
      'application/json; charset=utf-8',
    ]);
  }
  expect((await get('/public/tranches', { accept: 'text/csv' })).headers.get('content-type')).toContain('text/csv');
});

test('every response keeps the headers that the contract promises, also one without a body', async () => {
  const tag = (await get('/public/patrimonies')).headers.get('etag') ?? '';
  for (const headers of [{}, { 'if-none-match': tag }]) {
    const response = await get('/public/patrimonies', { ...headers, 'x-request-id': 'mine' });
    expect(response.headers.get('x-request-id')).toBe('mine');
    expect(response.headers.get('x-ratelimit-limit')).toBe('100000');
  }
});

test('the same bytes have the same tag in each coding, and say what they depend on', async () => {
  const [plain, small] = await Promise.all(
    ['identity', 'gzip'].map((coding) => get('/public/tranches?limit=100', { 'accept-encoding': coding })),
  );
  expect(small?.headers.get('etag')).toBe(plain?.headers.get('etag'));
  expect(await small?.json()).toEqual(await plain?.json());
});

test('a search, an error and whatever needs a credential are not kept for others', async () => {
  const search = await get('/public/assets?search=nada');
  expect([search.status, search.headers.has('etag'), search.headers.has('surrogate-key')]).toEqual([200, true, false]);
  const paths = ['/public/tranches/NADA/details', '/public/tranches?limit=0', '/v1/emissoes/auth/me'];
  for (const path of paths) {
    const response = await get(path, { 'if-none-match': '*' });
    expect([path, response.headers.get('cache-control'), response.headers.has('etag')]).toEqual([
      path,
      'no-store',
      false,
    ]);
    expect([path, response.status >= 400]).toEqual([path, true]);
  }
});

test('the OpenAPI text says so of these paths and of no other', async () => {
  const { paths } = (await (await get('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> } | undefined>>;
  };
  for (const route of routes) {
    const described = paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
    expect([route.path, described !== undefined && '304' in described.responses]).toEqual([
      route.path,
      isPublished(route),
    ]);
  }
});
