import { expect, test } from '@jest/globals';
import type { Operations } from './graph/operations.js';
import { locales } from './locale.js';
import type { PageRequest } from './page.js';
import { statusPages, type Health } from './status.js';

const healthy: Health = { writes: true, shares: true, lateMinutes: 0 };
const pageInfo = { hasNextPage: false };
const data = {
  status: {
    series: { nodes: [{ currentUnitPrice: { date: '2026-11-03' } }, { currentUnitPrice: null }], pageInfo },
    tranches: { nodes: [{ pricedOn: '2026-11-03', stale: false }], pageInfo },
  } satisfies Operations['status']['data'] as unknown,
  statusMarkets: { markets: [{ symbol: 'BTC/BRL', status: 'ACTIVE', isQuoted: true }] } as unknown,
};

/** What `/status.json` says. A document without data does not respond. */
async function works(health: Health, results: Partial<typeof data>): Promise<unknown> {
  const page = statusPages(() => Promise.resolve(health)).find(({ path }) => path === '/status.json');
  const read = (name: keyof typeof data) =>
    name in results ? Promise.resolve(results[name]) : Promise.reject(new Error('down'));
  const request = {
    site: { operations: true },
    locale: locales[1],
    note: <Value>(value: Value) => value,
    read,
    query: {},
  };
  const view = await page?.load(request as unknown as PageRequest<unknown>);
  return JSON.parse(((await view?.()) as { bytes: string }).bytes);
}

test('the service works where all that it is made of responds, without a market too', async () => {
  expect(await works(healthy, data)).toEqual({ works: true });
  expect(await works(healthy, { ...data, statusMarkets: { markets: [] } })).toEqual({ works: true });
});

test('what does not respond, cannot be measured or is late is a problem', async () => {
  const { status, statusMarkets } = data;
  const stale = { series: undefined, tranches: { nodes: [{ pricedOn: '2026-11-03', stale: true }], pageInfo } };
  expect(await works(healthy, { status })).toEqual({ works: false });
  expect(await works(healthy, { statusMarkets })).toEqual({ works: false });
  expect(await works(healthy, { ...data, status: stale })).toEqual({ works: false });
  expect(await works({ ...healthy, lateMinutes: undefined }, data)).toEqual({ works: false });
});
