import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { add, addOperation, addSeries } from '../../../tests/issuances/fixtures.js';
import { readAll, type Page } from '../../../tests/kit/pages.js';
import { openTestGraph } from '../../../tests/issuances/graph.js';
import { issueStatusOf } from './issue-filter.js';
import { searchText } from './search-text.js';

const graph = await openTestGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
const types = ['CR', 'CRI', 'CRA', 'DEB'];
for (let index = 0; index < 23; index++) {
  const id = await addOperation(manager, `OP${String(index).padStart(2, '0')}`, {
    type: types[index % 4],
    name: index === 5 ? 'Café Solúvel São João' : `Operação ${index % 7}`,
    status: index % 3 === 0 ? 'Encerrada' : 'Em andamento',
    // Many are equal, some are missing: the order has to be total all the same.
    emission_date: index % 5 === 0 ? null : `2025-0${(index % 3) + 1}-01`,
    maturity_date: index % 6 === 0 ? null : `2030-0${(index % 4) + 1}-15`,
    issuer: index === 7 ? 'Securitizadora Ipê Ltda.' : 'Lastro',
  });
  // Half of those without a maturity have series, of which the latest gives it.
  if (index % 12 === 6) continue;
  await addSeries(manager, id, 1, { issued_total: String((index % 4) * 1000), maturity_date: '2029-03-15' });
  await addSeries(manager, id, 2, { issued_total: '0', maturity_date: '2030-03-20' });
}
await addOperation(manager, 'SECRET', { is_public: false, name: 'Café secreto' });

const document = `query ($filter: OperationFilter, $sort: OperationSort, $first: Int, $after: String) {
  operations(filter: $filter, sort: $sort, first: $first, after: $after) {
    totalCount nodes { ticker name emissionDate maturityDate volume } edges { cursor node { id } } pageInfo { hasNextPage endCursor } } }`;

type Operations = Page<{
  readonly ticker: string;
  readonly name: string;
  readonly emissionDate: string | null;
  readonly maturityDate: string | null;
  readonly volume: string;
}>;

async function list(variables: Record<string, unknown> = {}): Promise<Operations> {
  return (await graph.data(document, variables))['operations'] as Operations;
}

async function listAll(variables: Record<string, unknown>, first: number): Promise<string[]> {
  const nodes = await readAll(async (after) => {
    const page = await list({ ...variables, first, after });
    expect(page.nodes.length).toBeLessThanOrEqual(first);
    return page;
  });
  return nodes.map(({ ticker }) => ticker);
}

async function codeOf(variables: Record<string, unknown>): Promise<unknown> {
  const { errors } = await graph.run(document, variables);
  return errors?.[0]?.extensions;
}

describe('the list of operations', () => {
  test('has the latest issues first, 20 of them, when nothing is asked for', async () => {
    const page = await list();
    expect(page.nodes).toHaveLength(20);
    expect(page.totalCount).toBe(23);
    expect(page.nodes[0]?.emissionDate).toBe('2025-03-01');
    expect(page.pageInfo.hasNextPage).toBe(true);
  });

  test.each([
    [{ types: ['CRA', 'DEB'] }, 11],
    [{ statuses: ['ENDED'] }, 8],
    [{ statuses: ['ACTIVE', 'ENDED'] }, 23],
    [{ statuses: ['OTHER'] }, 0],
    [{ statusLabels: ['Encerrada'] }, 8],
    [{ statusLabels: ['encerrada'] }, 0],
    [{ statuses: ['ACTIVE'], statusLabels: ['Encerrada'] }, 0],
    [{ text: 'CAFE soluvel' }, 1],
    [{ text: 'joão são' }, 1],
    [{ text: 'ipe' }, 1],
    [{ text: 'op1' }, 10],
    [{ text: 'secreto' }, 0],
    [{ statusLabels: ['a\u0000'] }, 0],
    [{ maturityFrom: '2030-03-01' }, 11],
    [{ maturityFrom: '2030-03-20', maturityTo: '2030-03-20' }, 2],
    [{ maturityFrom: '2030-03-01', maturityTo: '2030-03-31', types: ['CRA'] }, 4],
    [{ types: [], statuses: [], statusLabels: [], tickers: [], text: null }, 23],
  ])('narrowed by %j has %i', async (filter, count) => {
    const page = await list({ filter, first: 100 });
    expect([page.totalCount, page.nodes.length]).toEqual([count, count]);
  });

  test('page by page neither skips nor repeats, whatever the order and the size', async () => {
    const sort = fc.record({
      field: fc.constantFrom('TICKER', 'NAME', 'EMISSION_DATE', 'MATURITY_DATE', 'VOLUME'),
      direction: fc.constantFrom('ASC', 'DESC'),
    });
    await fc.assert(
      fc.asyncProperty(sort, fc.integer({ min: 1, max: 9 }), async (order, first) => {
        const whole = (await list({ sort: order, first: 100 })).nodes.map(({ ticker }) => ticker);
        expect(new Set(whole).size).toBe(23);
        expect(await listAll({ sort: order }, first)).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });

  test('has the maturity that is given, else the latest of the series', async () => {
    const { nodes } = await list({ sort: { field: 'TICKER' }, first: 100 });
    expect(nodes.map(({ maturityDate }) => maturityDate).slice(0, 8)).toEqual([
      '2030-03-20',
      ...['2030-02-15', '2030-03-15', '2030-04-15', '2030-01-15', '2030-02-15'],
      null,
      '2030-04-15',
    ]);
  });

  test('puts operations without a date last in either direction, and orders the others', async () => {
    for (const direction of ['ASC', 'DESC']) {
      const dates = (await list({ sort: { field: 'MATURITY_DATE', direction }, first: 100 })).nodes.map(
        (node) => node.maturityDate,
      );
      expect(dates.slice(-2)).toEqual([null, null]);
      const known = dates.slice(0, -2).map(String);
      const sorted = known.toSorted();
      expect(known).toEqual(direction === 'ASC' ? sorted : sorted.reverse());
    }
    const volumes = (await list({ sort: { field: 'VOLUME', direction: 'DESC' }, first: 100 })).nodes.map((node) =>
      Number(node.volume),
    );
    expect(volumes).toEqual([...volumes].sort((left, right) => right - left));
  });

  test('orders names as a reader does, accented initials among the plain ones, on every page', async () => {
    const names = ['Abacate', 'Água Clara', 'agua limpa', 'Água Pura', 'Éden', 'eden', 'Éden II', 'Ômega', 'Zênite'];
    const ordered = ['Abacate', 'Água Clara', 'agua limpa', 'Água Pura', 'eden', 'Éden', 'Éden II', 'Ômega', 'Zênite'];
    for (const [index, name] of names.entries()) await addOperation(manager, `N${index}`, { name, status: 'Nomeada' });
    const namesBy = async (direction: string, first: number) => {
      const sort = { field: 'NAME', direction };
      const found = await readAll((after) => list({ filter: { statuses: ['OTHER'] }, sort, first, after }));
      return found.map(({ name }) => name);
    };
    for (const first of [1, 2, 100]) {
      expect(await namesBy('ASC', first)).toEqual(ordered);
      expect(await namesBy('DESC', first)).toEqual(ordered.toReversed());
    }
    await manager.query(`DELETE FROM issuances.operations WHERE status = 'Nomeada'`);
  });

  test('goes on where it was when an operation comes in before that place', async () => {
    const sort = { field: 'TICKER', direction: 'ASC' };
    const first = await list({ sort, first: 10 });
    const id = await addOperation(manager, 'AAA');
    const next = await list({ sort, first: 10, after: first.pageInfo.endCursor });
    expect(next.nodes[0]?.ticker).toBe('OP10');
    await manager.query('DELETE FROM issuances.operations WHERE id = $1', [id]);
  });

  test('any edge can be continued from', async () => {
    const sort = { field: 'TICKER', direction: 'ASC' };
    const page = await list({ sort, first: 10 });
    expect((await list({ sort, first: 1, after: page.edges[3]?.cursor })).nodes[0]?.ticker).toBe('OP04');
  });

  test('refuses a cursor that was altered, made up, or made for another list', async () => {
    const { pageInfo } = await list({ first: 5, filter: { types: ['CRI'] } });
    const cursor = pageInfo.endCursor ?? '';
    const altered = Buffer.from(cursor, 'base64url');
    altered.writeUInt8(altered.readUInt8(20) ^ 1, 20);
    for (const after of [altered.toString('base64url'), 'AAAA', 'não é', cursor.slice(0, -4)]) {
      expect(await codeOf({ first: 5, filter: { types: ['CRI'] }, after })).toMatchObject({
        code: 'BAD_REQUEST',
        details: [{ path: 'after' }],
      });
    }
    expect(await codeOf({ first: 5, filter: { types: ['CRA'] }, after: cursor })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(
      await codeOf({ first: 5, filter: { types: ['CRI'] }, sort: { field: 'NAME' }, after: cursor }),
    ).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await codeOf({ first: 9, filter: { types: ['CRI'] }, after: cursor })).toBeUndefined();
  });

  test.each([
    [{ first: 0 }, 'first'],
    [{ first: 101 }, 'first'],
    [{ filter: { text: 'x'.repeat(201) } }, 'filter.text'],
    [{ filter: { text: '%_' } }, 'filter.text'],
    [{ filter: { maturityFrom: '2030-01-02', maturityTo: '2030-01-01' } }, 'filter.maturityTo'],
  ])('refuses %j', async (variables, path) => {
    expect(await codeOf(variables)).toMatchObject({ code: 'BAD_REQUEST', details: [{ path }] });
  });
});

test('the list of series is narrowed by status and by published label', async () => {
  const operation = await addOperation(manager, 'STATUSES');
  for (const [index, status] of ['Resgatada', 'encerrado', 'Em carência'].entries())
    await addSeries(manager, operation, index + 1, { status, ticker: `ST-${String(index + 1)}` });
  const tickersOf = async (filter: Record<string, unknown>) => {
    const { series } = await graph.data(
      'query ($filter: SeriesFilter) { series(filter: $filter) { totalCount nodes { ticker } } }',
      { filter: { operationTickers: ['STATUSES'], ...filter } },
    );
    const { totalCount, nodes } = series as { totalCount: number; nodes: { ticker: string }[] };
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ ticker }) => ticker);
  };
  expect(await tickersOf({ statuses: ['ENDED'] })).toEqual(['ST-1', 'ST-2']);
  expect(await tickersOf({ statuses: ['OTHER'] })).toEqual(['ST-3']);
  expect(await tickersOf({ statuses: ['CANCELLED'] })).toEqual([]);
  expect(await tickersOf({ statusLabels: ['encerrado'] })).toEqual(['ST-2']);
  expect(await tickersOf({ statuses: [], statusLabels: [] })).toHaveLength(3);
  await manager.query('DELETE FROM issuances.series WHERE operation_id = $1', [operation]);
  await manager.query('DELETE FROM issuances.operations WHERE id = $1', [operation]);
});

describe('one operation', () => {
  test.each([
    ['op03', 'OP03'],
    ['ESTATE-OP03', 'OP03'],
    ['NOPE', undefined],
    ['SECRET', undefined],
    ['estate-secret', undefined],
  ])('is found by ticker or slug, whatever the case: %s', async (ticker, found) => {
    const { operation } = await graph.data('query ($ticker: String!) { operation(ticker: $ticker) { ticker } }', {
      ticker,
    });
    expect(operation).toEqual(found === undefined ? null : { ticker: found });
  });

  test('a ticker comes before a slug of the same text', async () => {
    await addOperation(manager, 'ZZ1', { slug: 'zz2' });
    await addOperation(manager, 'ZZ2', { slug: 'zz1' });
    for (const ticker of ['zz1', 'ZZ2']) {
      const { operation } = await graph.data('query ($ticker: String!) { operation(ticker: $ticker) { ticker } }', {
        ticker,
      });
      expect(operation).toEqual({ ticker: ticker.toUpperCase() });
    }
    await manager.query(`DELETE FROM issuances.operations WHERE ticker IN ('ZZ1', 'ZZ2')`);
  });

  test('is what another subgraph refers to, by id or by ticker; one that is not public is none', async () => {
    const rows = await manager.query<{ id: string; ticker: string }[]>(
      `SELECT id, ticker FROM issuances.operations WHERE ticker IN ('OP01', 'SECRET') ORDER BY ticker`,
    );
    const [open, secret] = rows;
    const representations = [
      { __typename: 'Operation', id: open?.id },
      { __typename: 'Operation', ticker: 'op01' },
      { __typename: 'Operation', id: secret?.id },
      { __typename: 'Operation', ticker: 'SECRET' },
      { __typename: 'Operation', id: 'no uuid' },
    ];
    const ask = () =>
      graph.data(
        'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Operation { ticker } } }',
        {
          representations,
        },
      );
    expect(await ask()).toEqual({ _entities: [{ ticker: 'OP01' }, { ticker: 'OP01' }, null, null, null] });
    // The third looks for estates, of whatever no operation is named.
    expect(await graph.countQueries(ask)).toBe(3);
  });
});

test('relations of many operations take as many queries as those of one', async () => {
  const { id } = (
    await manager.query<{ id: string }[]>(`SELECT id FROM issuances.operations WHERE ticker = 'OP01'`)
  )[0] ?? { id: '' };
  await add(manager, 'guarantees', {
    id: crypto.randomUUID(),
    operation_id: id,
    external_id: '1',
    position: 0,
    type: 'Fiança',
    status: 'Ativa',
  });
  const all = (first: number) =>
    graph.data(
      `query ($first: Int) { operations(first: $first, sort: {field: TICKER}) { nodes { remuneration volume reportMonths
        series { ticker operation { name } currentUnitPrice { value } weekly: unitPrices(interval: WEEKLY) { nodes { date } } trusteeUnitPrices { date } }
        payments { nodes { dueDate status } } obligations { nodes { status } } documents { nodes { name } } guarantees { type } participants { name }
        communications { nodes { title } } assemblies { nodes { title } } accounts { bank } permittedInvestments { description }
        onchainContracts { address } report { portfolio { balance } } stored: report(month: "2026-01") { month } } } }`,
      { first },
    );
  await all(1);
  const one = await graph.countQueries(() => all(1));
  // Live reports are cached: the reports of the other nineteen are computed here.
  await all(20);
  expect(await graph.countQueries(() => all(20))).toBe(one);
});

describe('the status that a published label means', () => {
  test.each([
    ['Em andamento', 'ACTIVE'],
    ['Ativa', 'ACTIVE'],
    ['VIGENTES', 'ACTIVE'],
    ['Em distribuição', 'OFFERED'],
    ['em distribuicao', 'OFFERED'],
    ['Inadimplente', 'DEFAULTED'],
    ['Vencida', 'ENDED'],
    ['Vencidas antecipadamente', 'ACCELERATED'],
    ['Resgatado', 'ENDED'],
    ['  Liquidadas ', 'ENDED'],
    ['Cancelado', 'CANCELLED'],
  ])('%s is %s', (label, status) => {
    expect(issueStatusOf(label)).toBe(status);
  });

  test.each(['Em carência', 'Ativa, com ressalvas', '', 'constructor', 'Inativa'])('%j is none of them', (label) => {
    expect(issueStatusOf(label)).toBe('OTHER');
  });
});

test('an operation is found by whatever names it', () => {
  const series = [{ ticker: 'LAS001S1', isin: 'BRLASTCRI001', ifCode: null }];
  const operation = {
    ticker: 'LAS001',
    slug: 'ipe-roxo',
    name: 'Ipê Roxo',
    sub: '',
    issuer: null,
    issuerCnpj: '11222333000181',
    backingAsset: 'CCI',
  };
  expect(searchText({ ...operation, series })).toBe(
    'las001 ipe roxo ipe roxo 11222333000181 11 222 333 0001 81 cci las001s1 brlastcri001',
  );
});
