import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { flat } from '../kit/flat.js';
import type { Page } from '../kit/pages.js';
import { addCredit, addEstate, addInstalment, addSeries } from './series/kit.js';
import { openTokenizationGraph } from './graph.js';

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
const made = [];
for (const letter of ['A', 'B', 'C']) {
  const id = await addEstate(manager, `PAT-${letter}`);
  for (const number of [1, 2]) {
    const tranche = await addSeries(manager, id, `${letter}-${String(number)}`);
    await addInstalment(manager, tranche, 1, '2026-12-01', '100');
    made.push({ estate: id, series: tranche });
  }
  for (const number of [1, 2, 3]) await addCredit(manager, id, `C-${String(number)}`, ['2026-10-01', '2026-12-01']);
}
const [{ estate, series } = { estate: '', series: '' }] = made;
await manager.query(`UPDATE tokenization.patrimonies SET operation_ticker = 'CRI-A' WHERE id = $1`, [estate]);

describe('relations', () => {
  const document = `query ($first: Int!) {
    patrimonies(first: $first) {
      nodes {
        ticker trancheCount assetCount totalIssued
        tranches { ticker patrimony { name } schedule { nodes { dueDate } } unitPrices { nodes { date } } }
        assets(first: 2) { nodes { externalId patrimony { ticker } paymentHistory { nodes { status } } } }
        operation { ticker }
      }
      totalCount
    }
  }`;

  test('cost as many queries for many estates as for one', async () => {
    const one = await graph.countQueries(() => graph.data(document, { first: 1 }));
    const all = await graph.countQueries(() => graph.data(document, { first: 3 }));
    expect(all).toBe(one);
  });

  test('lead from an estate to its series, prices, schedule, assets and operation, and back', async () => {
    const { patrimonies } = await graph.data(document, { first: 1 });
    expect(flat(patrimonies)).toEqual({
      nodes: [
        {
          ticker: 'PAT-A',
          trancheCount: 2,
          assetCount: 3,
          totalIssued: '2000000.00',
          tranches: ['A-1', 'A-2'].map((ticker) => ({
            ticker,
            patrimony: { name: 'Patrimônio PAT-A' },
            schedule: [{ dueDate: '2026-12-01' }],
            unitPrices: [],
          })),
          assets: ['C-1', 'C-2'].map((externalId) => ({
            externalId,
            patrimony: { ticker: 'PAT-A' },
            paymentHistory: [{ status: 'OVERDUE' }, { status: 'PENDING' }],
          })),
          operation: { ticker: 'CRI-A' },
        },
      ],
      totalCount: 3,
    });
  });

  test('show an abatement of an instalment beside what was paid of it, which it is no part of', async () => {
    await manager.query(
      `UPDATE tokenization.asset_installments SET paid_amount = 60, abated_amount = 20 WHERE installment_number = 1 AND asset_id IN (SELECT id FROM tokenization.assets WHERE external_id = 'C-1')`,
    );
    const history = 'paymentHistory(first: 1) { nodes { paidAmount abatedAmount } }';
    expect(
      await graph.data(`{ patrimonies(first: 1) { nodes { assets(first: 1) { nodes { ${history} } } } } }`),
    ).toMatchObject({
      patrimonies: {
        nodes: [
          { assets: { nodes: [{ paymentHistory: { nodes: [{ paidAmount: '40.00', abatedAmount: '20.00' }] } }] } },
        ],
      },
    });
  });

  test('lead from series of operations to those that tokenize them, in as many queries for many as for one', async () => {
    await manager.query(`UPDATE tokenization.tranches SET series_ticker = 'CRI-A-1' WHERE ticker IN ('A-2', 'B-1')`);
    await manager.query(`UPDATE tokenization.tranches SET series_ticker = 'cri-a-2' WHERE ticker = 'A-1'`);
    const entities = `query ($of: [_Any!]!) { _entities(representations: $of) {
      ... on Series { tranches { ticker series { ticker } patrimony { ticker } } } } }`;
    const read = (tickers: readonly string[]) =>
      graph.data(entities, { of: tickers.map((ticker) => ({ __typename: 'Series', ticker })) });
    const link = (ticker: string, series: string, patrimony: string) => ({
      ticker,
      series: { ticker: series },
      patrimony: { ticker: patrimony },
    });
    expect((await read(['cri-A-1', 'CRI-A-2', 'CRI-A-3', 'CRI-A-1']))['_entities']).toEqual([
      { tranches: [link('A-2', 'CRI-A-1', 'PAT-A'), link('B-1', 'CRI-A-1', 'PAT-B')] },
      { tranches: [link('A-1', 'cri-a-2', 'PAT-A')] },
      { tranches: [] },
      { tranches: [link('A-2', 'CRI-A-1', 'PAT-A'), link('B-1', 'CRI-A-1', 'PAT-B')] },
    ]);
    const one = await graph.countQueries(() => read(['CRI-A-1']));
    expect(await graph.countQueries(() => read(['CRI-A-1', 'CRI-A-2', 'CRI-A-3']))).toBe(one);
  });

  test('lead from an operation to its estate, whatever the case of the ticker', async () => {
    const entities = `query ($of: [_Any!]!) { _entities(representations: $of) {
      ... on Operation { patrimony { ticker } } ... on Patrimony { name } ... on Tranche { name } ... on Asset { externalId } } }`;
    const of = [
      { __typename: 'Operation', ticker: 'cri-a' },
      { __typename: 'Operation', ticker: 'CRI-B' },
      { __typename: 'Patrimony', ticker: 'pat-b' },
      { __typename: 'Patrimony', id: estate },
      { __typename: 'Tranche', ticker: 'b-1' },
      { __typename: 'Tranche', id: series },
      { __typename: 'Asset', id: 'none' },
    ];
    expect((await graph.data(entities, { of }))['_entities']).toEqual([
      { patrimony: { ticker: 'PAT-A' } },
      { patrimony: null },
      { name: 'Patrimônio PAT-B' },
      { name: 'Patrimônio PAT-A' },
      { name: 'Série B-1' },
      { name: 'Série A-1' },
      null,
    ]);
  });

  test('one estate, series or asset is found by its names, and none is null', async () => {
    const found = await graph.data(`{
      byTicker: patrimony(ticker: "pat-b") { ticker } bySlug: patrimony(ticker: "PAT-B") { slug } noEstate: patrimony(ticker: "x y") { id }
      tranche(ticker: "b-2") { ticker unitPrice totalValue } none: tranche(ticker: "") { id } asset(id: "1") { id } }`);
    expect(found).toEqual({
      byTicker: { ticker: 'PAT-B' },
      bySlug: { slug: 'pat-b' },
      noEstate: null,
      tranche: { ticker: 'B-2', unitPrice: null, totalValue: null },
      none: null,
      asset: null,
    });
  });
});

test('a series matures on the due date of its last instalment, in one query for many; without a schedule it says nothing', async () => {
  const id = await addEstate(manager, 'PAT-M');
  const [long] = [await addSeries(manager, id, 'M-1'), await addSeries(manager, id, 'M-2')];
  await addInstalment(manager, long, 1, '2031-03-17', '50');
  await addInstalment(manager, long, 2, '2030-03-15', '50');
  const text = `query ($ticker: String!) { patrimony(ticker: $ticker) { tranches { ticker maturityDate } } }`;
  expect(await graph.data(text, { ticker: 'PAT-M' })).toEqual({
    patrimony: {
      tranches: [
        { ticker: 'M-1', maturityDate: '2031-03-17' },
        { ticker: 'M-2', maturityDate: null },
      ],
    },
  });
  const many = '{ tranches(first: 10) { nodes { maturityDate } } }';
  const one = '{ tranches(first: 1) { nodes { maturityDate } } }';
  expect(await graph.countQueries(() => graph.data(many))).toBe(await graph.countQueries(() => graph.data(one)));
  await manager.query('DELETE FROM tokenization.schedule_entries WHERE tranche_id = $1', [long]);
  await manager.query('DELETE FROM tokenization.tranches WHERE patrimony_id = $1', [id]);
  await manager.query('DELETE FROM tokenization.patrimonies WHERE id = $1', [id]);
});

describe('lists by cursor', () => {
  type Listed = Page<{ readonly ticker: string }>;

  test('neither skip nor repeat a series while others are inserted before, between and after', async () => {
    const owner = await addEstate(manager, 'LIST');
    const tickers = Array.from({ length: 25 }, (_, index) => `S${String(index * 4).padStart(3, '0')}`);
    for (const [index, ticker] of tickers.entries()) {
      await addSeries(manager, owner, index % 2 === 0 ? ticker : ticker.toLowerCase());
    }
    const seen: string[] = [];
    let after: string | null = null;
    for (let round = 0; ; round++) {
      const { tranches } = (await graph.data(
        `query ($after: String) { tranches(filter: { patrimonyTicker: "list" }, first: 4, after: $after) {
          nodes { ticker } pageInfo { hasNextPage endCursor } totalCount } }`,
        { after },
      )) as { tranches: Listed };
      seen.push(...tranches.nodes.map(({ ticker }) => ticker.toUpperCase()));
      if (!tranches.pageInfo.hasNextPage) break;
      after = tranches.pageInfo.endCursor;
      await addSeries(manager, owner, `S${String(round).padStart(3, '0')}-before`);
      await addSeries(manager, owner, `${seen.at(-1) ?? ''}-between`);
      await addSeries(manager, owner, `S9${String(round)}-after`);
    }
    expect(seen).toEqual([...new Set(seen)]);
    expect(seen).toEqual(seen.toSorted());
    expect(seen).toEqual(expect.arrayContaining(tickers));
  });

  test('of estates are narrowed by words of ticker, slug or name, without regard to case and accents', async () => {
    await addEstate(manager, 'BUSCA-1');
    await addEstate(manager, 'BUSCA-2');
    await manager.query(`UPDATE tokenization.patrimonies SET name = 'Crédito d''Água, 100%' WHERE ticker = 'BUSCA-2'`);
    const find = async (search: string, after: string | null = null) => {
      const { patrimonies } = (await graph.data(
        `query ($search: String, $after: String) { patrimonies(search: $search, first: 1, after: $after) {
          nodes { ticker } pageInfo { hasNextPage endCursor } totalCount } }`,
        { search, after },
      )) as { patrimonies: Listed };
      return patrimonies;
    };
    const both = await find('busca');
    expect(both).toMatchObject({ nodes: [{ ticker: 'BUSCA-1' }], pageInfo: { hasNextPage: true }, totalCount: 2 });
    expect(await find('busca', both.pageInfo.endCursor)).toMatchObject({ nodes: [{ ticker: 'BUSCA-2' }] });
    for (const search of ['AGUA credito', 'Água', 'd’água', 'busca-2', '  100% busca '])
      expect(await find(search)).toMatchObject({ nodes: [{ ticker: 'BUSCA-2' }], totalCount: 1 });
    expect(await find('busca nada')).toMatchObject({ nodes: [], totalCount: 0 });
    await expect(find('agua', both.pageInfo.endCursor)).rejects.toThrow('BAD_REQUEST');
    for (const wrong of ['%', 'x'.repeat(101), 'a b c d e f g h i j k'])
      await expect(find(wrong)).rejects.toThrow('BAD_REQUEST');
  });
});

describe('the prices of a series', () => {
  const history = async (args: string): Promise<unknown> => {
    const { tranche } = await graph.data(
      `{ tranche(ticker: "A-1") { unitPrices${args} { nodes { date unitPrice nominalValue interestJ version } } } }`,
    );
    return (flat(tranche) as { unitPrices: unknown }).unitPrices;
  };
  const price = (date: string, unitPrice: string, version: number) => ({
    date,
    unitPrice,
    nominalValue: '1000.00000000',
    interestJ: (Number(unitPrice) - 1000).toFixed(8),
    version,
  });

  beforeAll(async () => {
    const rows = [
      ['2026-03-30', 1, '1.5', '2026-03-31T08:00:00Z'],
      ['2026-03-31', 1, '2', '2026-04-01T08:00:00Z'],
      ['2026-03-31', 2, '2.5', '2026-04-05T08:00:00Z'],
      ['2026-04-01', 1, '3', '2026-04-02T08:00:00Z'],
    ] as const;
    for (const [date, version, interest, at] of rows) {
      await graph.dataSource.query(
        `INSERT INTO tokenization.unit_prices (tranche_id, date, version, policy_version, calendar_version, accrual_start, index_start,
           business_days, calendar_days, vne, index_factor, vna, di_product, di_factor, spread_factor, interest_factor, interest_j,
           unit_price, amortization, payment, next_vne, calculated_at)
         VALUES ($1, $2, $3, 1, 1, '2026-03-02', '2026-03-02', 1, 1, 1000, 1, 1000, 1, 1, 1, 1, $4, 1000 + $4::numeric, 0, 0, 1000, $5)`,
        [series, date, version, interest, at],
      );
    }
  });

  test('are the newest version of each day, oldest first', async () => {
    expect(await history('')).toEqual([
      price('2026-03-30', '1001.50000000', 1),
      price('2026-03-31', '1002.50000000', 2),
      price('2026-04-01', '1003.00000000', 1),
    ]);
  });

  test('as of a moment are those that were known then', async () => {
    expect(await history('(asOf: "2026-04-05T07:59:59Z")')).toEqual([
      price('2026-03-30', '1001.50000000', 1),
      price('2026-03-31', '1002.00000000', 1),
      price('2026-04-01', '1003.00000000', 1),
    ]);
    expect(await history('(asOf: "2026-03-31T09:00:00Z")')).toEqual([price('2026-03-30', '1001.50000000', 1)]);
  });

  test('show what a unit is paid with all the decimals that deeds pay with', async () => {
    const day = '2026-03-02';
    await graph.dataSource.query(
      `INSERT INTO tokenization.unit_prices SELECT tranche_id, $2, 1, policy_version, calendar_version, accrual_start, index_start,
         business_days, calendar_days, vne, index_factor, projected, vna, di_product, di_factor, spread_factor, interest_factor, interest_j,
         unit_price, 33.7650361664512500, 68.4911680564512500, next_vne, calculated_at
       FROM tokenization.unit_prices WHERE tranche_id = $1 LIMIT 1`,
      [series, day],
    );
    const { tranche } = await graph.data(
      `{ tranche(ticker: "A-1") { unitPrices(to: "${day}") { nodes { amortization payment } } } }`,
    );
    expect(flat(tranche)).toEqual({ unitPrices: [{ amortization: '33.765036166', payment: '68.491168056' }] });
  });

  test('are cut by period, interval and number', async () => {
    expect(await history('(interval: MONTHLY)')).toEqual([
      price('2026-03-31', '1002.50000000', 2),
      price('2026-04-01', '1003.00000000', 1),
    ]);
    expect(await history('(last: 1, to: "2026-03-31")')).toEqual([price('2026-03-31', '1002.50000000', 2)]);
    expect(await history('(from: "2026-04-01")')).toEqual([price('2026-04-01', '1003.00000000', 1)]);
    await expect(history('(from: "2026-04-01", to: "2026-03-01")')).rejects.toThrow('BAD_REQUEST');
    await expect(history('(last: 1001)')).rejects.toThrow('BAD_REQUEST');
  });
});

test('the summary is kept for five minutes', async () => {
  const summary = async () =>
    (await graph.data(`{ assetSummary(patrimonyId: "${estate}") { totalAssets } }`))['assetSummary'];
  expect(await summary()).toEqual({ totalAssets: 3 });
  await addCredit(manager, estate, 'C-4', ['2026-12-01']);
  graph.clock.advance(299_000);
  expect(await summary()).toEqual({ totalAssets: 3 });
  graph.clock.advance(1_000);
  expect(await summary()).toEqual({ totalAssets: 4 });
});
