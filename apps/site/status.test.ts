import { expect, jest, test } from '@jest/globals';
import type { Operations } from './graph/operations.js';
import { type PageRequest, locales } from './page.js';
import { statusPages, type Health } from './status.js';

const healthy: Health = { writes: true, shares: true, lateMinutes: 0 };
const pageInfo = { hasNextPage: false };
const data = {
  status: {
    series: { nodes: [{ ticker: 'A', stale: false, currentUnitPrice: { date: '2026-11-03' } }], pageInfo },
    tranches: { nodes: [{ ticker: 'B', pricedOn: '2026-11-03', stale: false }], pageInfo },
  } satisfies Operations['status']['data'] as unknown,
  statusMarkets: { markets: [{ symbol: 'BTC/BRL', status: 'ACTIVE', isQuoted: true }] } as unknown,
};

/** Reads `/status.json`. A document without data does not respond. */
async function works(health: Health | Promise<Health>, results: Partial<typeof data>): Promise<unknown> {
  const page = statusPages(() => Promise.resolve(health)).find(({ path }) => path === '/status.json');
  const read = (name: keyof typeof data) =>
    name in results ? Promise.resolve(results[name]) : Promise.reject(new Error('down'));
  const request = {
    locale: locales[1],
    note: <Value>(value: Value) => value,
    read,
    query: {},
  };
  const view = await page?.load(request as unknown as PageRequest<unknown>);
  return JSON.parse(((await view?.()) as { bytes: string }).bytes);
}

test('the service works where all that it is made of responds, without a market too', async () => {
  expect(await works(healthy, data)).toEqual({ works: true, limited: false });
  expect(await works(healthy, { ...data, statusMarkets: { markets: [] } })).toEqual({ works: true, limited: false });
});

test('what is late or in part away does not work less for a monitor', async () => {
  const stale = {
    ...(data.status as object),
    series: { nodes: [{ ticker: 'A', stale: true, currentUnitPrice: null }], pageInfo },
  };
  expect(await works(healthy, { ...data, status: stale })).toEqual({ works: true, limited: true });
  expect(await works({ ...healthy, lateMinutes: 2 }, data)).toEqual({ works: true, limited: true });
  expect(await works({ ...healthy, shares: false }, data)).toEqual({ works: true, limited: true });
});

test('what does not respond or cannot be measured does not work', async () => {
  const { status, statusMarkets } = data;
  expect(await works(healthy, { status })).toEqual({ works: false, limited: false });
  expect(await works(healthy, { statusMarkets })).toEqual({ works: false, limited: false });
  expect(await works({ ...healthy, writes: false }, data)).toEqual({ works: false, limited: false });
  expect(await works({ ...healthy, lateMinutes: undefined }, data)).toEqual({ works: false, limited: false });
});

test('what hangs is not waited for', async () => {
  jest.useFakeTimers();
  const never = new Promise<never>(() => undefined);
  const asked = works(never, { status: never, statusMarkets: never });
  await jest.advanceTimersByTimeAsync(3_000);
  jest.useRealTimers();
  expect(await asked).toEqual({ works: false, limited: false });
});
