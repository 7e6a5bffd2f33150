import { afterAll, expect, test } from '@jest/globals';
import type { Page } from '../../../tests/kit/pages.js';
import { openTokenizationGraph } from '../../../tests/tokenization/graph.js';
import { addEstate, addInstalment, addSeries, follows } from '../../../tests/tokenization/series/kit.js';
import { trancheSortFields } from './tranche-list.js';

type Series = Page<{ readonly ticker: string }>;

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
const estate = await addEstate(manager, 'PAT1');
for (const [index, due] of ['2027-03-15', null, '2026-12-15', null, '2027-03-15'].entries()) {
  const linked = index === 3 ? { series_ticker: 'CRIX1' } : {};
  const columns = { ...(index % 2 === 0 ? follows.di : {}), ...linked, invested_amount: String((index * 7) % 3) };
  const series = await addSeries(manager, estate, `S${String(index)}`, columns);
  if (due !== null) await addInstalment(manager, series, 1, due, '100');
}

async function list(variables: Readonly<Record<string, unknown>>): Promise<Series> {
  const { tranches } = await graph.data(
    `query ($filter: TrancheFilter, $sort: TrancheSort, $first: Int, $after: String, $last: Int, $before: String) {
      tranches(filter: $filter, sort: $sort, first: $first, after: $after, last: $last, before: $before) { totalCount nodes { ticker }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    variables,
  );
  return tranches as Series;
}
const tickers = ({ nodes }: Series) => nodes.map(({ ticker }) => ticker);

test.each(trancheSortFields.flatMap((field) => ['ASC', 'DESC'].map((direction) => ({ field, direction }))))(
  'sorted by $field $direction, pages in both directions are the whole list, and cursors hold for that order alone',
  async (sort) => {
    const whole = tickers(await list({ sort }));
    expect(whole.toSorted()).toEqual(['S0', 'S1', 'S2', 'S3', 'S4']);
    const first = await list({ sort, first: 2 });
    const second = await list({ sort, first: 2, after: first.pageInfo.endCursor });
    const third = await list({ sort, first: 2, after: second.pageInfo.endCursor });
    expect([first, second, third].flatMap(tickers)).toEqual(whole);
    expect(third.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const end = await list({ sort, last: 2 });
    const middle = await list({ sort, last: 2, before: end.pageInfo.startCursor });
    const start = await list({ sort, last: 2, before: middle.pageInfo.startCursor });
    expect([start, middle, end].flatMap(tickers)).toEqual(whole);
    expect(start.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    await expect(list({ first: 2, after: first.pageInfo.endCursor, filter: { tickers: ['S1'] } })).rejects.toThrow(
      'BAD_REQUEST',
    );
  },
);

test('series without a value come last in either direction', async () => {
  const sorted = async (direction: string) => tickers(await list({ sort: { field: 'MATURITY_DATE', direction } }));
  const [up, down] = [await sorted('ASC'), await sorted('DESC')];
  expect(up[0]).toBe('S2');
  expect(new Set(up.slice(1, 3))).toEqual(new Set(['S0', 'S4']));
  for (const order of [up, down]) expect(new Set(order.slice(3))).toEqual(new Set(['S1', 'S3']));
  expect(down[2]).toBe('S2');
});

test('filters narrow rows and number alike, together', async () => {
  const found = async (filter: object) => {
    const page = await list({ filter });
    expect(page.totalCount).toBe(page.nodes.length);
    return tickers(page);
  };
  expect(await found({ tickers: ['s1', 'S4', 'none', '\0'] })).toEqual(['S1', 'S4']);
  expect(await found({ tickers: ['?'] })).toEqual([]);
  expect(await found({ tickers: ['S1', 'S4'], indexers: ['CDI'] })).toEqual(['S4']);
  expect(await found({ indexers: ['TR'] })).toEqual([]);
  expect(await found({ maturityFrom: '2027-01-01' })).toEqual(['S0', 'S4']);
  expect(await found({ maturityTo: '2027-01-01', statuses: ['ACTIVE'] })).toEqual(['S2']);
  expect(await found({ volumeFrom: '999999999999' })).toEqual([]);
  expect(await found({ patrimonyTicker: 'pat1', riskClasses: [] })).toHaveLength(5);
  expect(await found({ seriesTicker: 'crix1' })).toEqual(['S3']);
  expect(await found({ seriesTicker: '?' })).toEqual([]);
});

test('ranges that end before they begin are refused, all of them at once', async () => {
  const filter = { maturityFrom: '2027-01-02', maturityTo: '2027-01-01', volumeFrom: '2', volumeTo: '1' };
  await expect(list({ filter })).rejects.toThrow(/filter\.maturityTo.*filter\.volumeTo/s);
});
