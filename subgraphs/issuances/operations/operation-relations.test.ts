import { afterAll, describe, expect, test } from '@jest/globals';
import { flat } from '../../../tests/kit/flat.js';
import { add } from '../../../tests/issuances/fixtures.js';
import { addFullOperation, address } from '../../../tests/issuances/full-operation.js';
import { openTestGraph } from '../../../tests/issuances/graph.js';

const graph = await openTestGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
await addFullOperation(manager);

const read = async (selection: string) =>
  flat((await graph.data(`{ operation(ticker: "FULL") { ${selection} } }`))['operation']);
const errorCodeOf = async (selection: string) =>
  (await graph.run(`{ operation(ticker: "FULL") { ${selection} } }`)).errors?.[0]?.extensions;

describe('an operation in raw values', () => {
  test('shows its register and series', async () => {
    expect(
      await read(`ticker slug type subtitle emissionNumber maturityDate issuerCnpj volume remuneration
        purpose { description segment highlights }
        series { ticker number riskClass indexer indexerPercent rate remuneration unitValue quantity issuedTotal raisedAmount
          subscribedQuotas currentUnitPrice { date value } trusteeUnitPrices { date trusteeValue issuerValue difference } }`),
    ).toMatchObject({
      ticker: 'FULL',
      slug: 'patrimonio-safra-verde',
      type: 'CRA',
      maturityDate: '2030-01-15',
      issuerCnpj: '11222333000181',
      volume: '200000000.00',
      series: [
        {
          ticker: 'FULL1',
          riskClass: 'SENIOR',
          indexer: 'CDI',
          rate: '3.500000',
          unitValue: '1000.00000000',
          quantity: '100000',
          issuedTotal: '100000000.00',
          subscribedQuotas: '90000',
          currentUnitPrice: { date: '2026-11-20', value: '1001.11000000' },
          trusteeUnitPrices: [
            {
              date: '2026-11-19',
              trusteeValue: '1001.09000000',
              issuerValue: '1001.10000000',
              difference: '0.01000000',
            },
          ],
        },
        { ticker: 'FULL2', riskClass: 'JUNIOR', raisedAmount: null, currentUnitPrice: null, trusteeUnitPrices: [] },
      ],
    });
  });

  test('shows its status as a value and as the published label, as its series do', async () => {
    await manager.query(`UPDATE issuances.operations SET status = 'Em Distribuição'`);
    await manager.query(`UPDATE issuances.series SET status = 'Em carência' WHERE ticker = 'FULL2'`);
    const statuses = 'status statusLabel english: statusLabel(locale: EN)';
    expect(await read(`${statuses} series { ${statuses} riskClassLabel }`)).toEqual({
      status: 'OFFERED',
      statusLabel: 'Em Distribuição',
      english: 'Offered',
      series: [
        { status: 'ACTIVE', statusLabel: expect.any(String), english: 'Active', riskClassLabel: 'Sênior' },
        { status: 'OTHER', statusLabel: 'Em carência', english: 'Em carência', riskClassLabel: 'Subordinada' },
      ],
    });
  });

  test('is reached from its series, which are found by ticker while the operation is public', async () => {
    const find = async () => {
      const document = `query ($of: [_Any!]!) { _entities(representations: $of) {
        ... on Series { number operation { ticker } } } }`;
      const of = ['full2', 'FULL1', 'NONE', 'FULL2'].map((ticker) => ({ __typename: 'Series', ticker }));
      return (await graph.data(document, { of }))['_entities'];
    };
    const operation = { ticker: 'FULL' };
    const [first, second] = [1, 2].map((number) => ({ number, operation }));
    expect(await find()).toEqual([second, first, null, second]);
    await manager.query('UPDATE issuances.operations SET is_public = false');
    expect(await find()).toEqual([null, null, null, null]);
    await manager.query('UPDATE issuances.operations SET is_public = true');
  });

  test('shows what belongs to it', async () => {
    expect(
      await read(`guarantees { type status } participants { name functions } documents { nodes { name } } communications { nodes { kind date } }
        assemblies { nodes { title quorumPercent } } accounts { bank balance } permittedInvestments { description limitPercent }
        onchainContracts { address seriesTicker events { nodes { type blockNumber tokenQuantity } totalCount } }`),
    ).toMatchObject({
      guarantees: [{ type: 'Penhor', status: 'Constituída' }],
      participants: [{ name: 'Fiduciária', functions: ['Agente fiduciário'] }],
      documents: [{ name: null }, { name: 'Termo' }],
      communications: [{ kind: 'MATERIAL_FACT' }, { kind: 'NOTICE' }],
      assemblies: [{ title: 'Assembleia', quorumPercent: '75.0000' }],
      accounts: [{ bank: 'Banco Um', balance: '5000.10' }],
      permittedInvestments: [{ description: 'Títulos públicos', limitPercent: '50.0000' }],
      onchainContracts: [
        {
          address,
          seriesTicker: 'FULL1',
          events: {
            nodes: [{ type: 'MINT', blockNumber: '9007199254740993', tokenQuantity: '90000' }],
            totalCount: 1,
          },
        },
      ],
    });
  });
});

describe('lists by period', () => {
  test('payments and obligations, with a status or without', async () => {
    expect(
      await read(`november: payments(from: "2026-11-01", to: "2026-11-30") { nodes { dueDate status } }
        paid: payments(status: PAID) { nodes { totalValue seriesTicker } } firstOnly: payments(first: 1) { nodes { dueDate } }
        late: obligations(status: OVERDUE) { nodes { dueDate graceDays } } open: obligations(from: "2026-11-11") { nodes { status } }
        none: payments(to: "2020-01-01") { nodes { id } } facts: communications(from: "2026-06-15") { nodes { title } }`),
    ).toEqual({
      november: [{ dueDate: '2026-11-16', status: 'OVERDUE' }],
      paid: [{ totalValue: '3000.50', seriesTicker: 'FULL1' }],
      firstOnly: [{ dueDate: '2026-10-15' }],
      late: [{ dueDate: '2026-11-10', graceDays: 5 }],
      open: [{ status: 'PENDING' }],
      none: [],
      facts: [{ title: 'Fato' }],
    });
  });

  test('documents by type, without regard to case and accents', async () => {
    expect(
      await read(
        `a: documents(type: "termo de securitizacao") { nodes { name } } b: documents(type: "Ata") { nodes { name } }`,
      ),
    ).toEqual({
      a: [{ name: 'Termo' }],
      b: [],
    });
  });

  test.each([
    ['payments(from: "2026-02-01", to: "2026-01-01") { nodes { id } }', 'to'],
    ['payments(first: 0) { nodes { id } }', 'first'],
    ['obligations(first: 1001) { nodes { id } }', 'first'],
    ['documents(first: 1001) { nodes { id } }', 'first'],
    ['series { unitPrices(last: 2001) { nodes { date } } }', 'last'],
    ['series { unitPrices(from: "2026-02-01", to: "2026-01-01") { nodes { date } } }', 'to'],
    ['series { trusteeUnitPrices(last: 401) { date } }', 'last'],
    ['onchainContracts { events(last: 101) { nodes { type } } }', 'last'],
  ])('%s is refused', async (selection, path) => {
    expect(await errorCodeOf(selection)).toMatchObject({ code: 'BAD_REQUEST', details: [{ path }] });
  });
});

describe('the price history', () => {
  const dates = async (args: string) => {
    const operation = await read(`series { unitPrices(${args}) { nodes { date value } } }`);
    const [series] = (operation as { series: { unitPrices: { date: string; value: string }[] }[] }).series;
    return series?.unitPrices ?? [];
  };

  test('has every day of a period, oldest first, and nothing after today', async () => {
    const points = await dates('from: "2026-11-17", to: "2026-12-31"');
    expect(points.map(({ date }) => date)).toEqual(['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20']);
    expect((await dates('last: 2')).map(({ date }) => date)).toEqual(['2026-11-19', '2026-11-20']);
    expect(await dates('from: "2026-08-01", last: 2000')).toHaveLength(112);
  });

  test('weekly it has the last price of each week, Monday to Sunday', async () => {
    const points = await dates('interval: WEEKLY, from: "2026-11-04"');
    expect(points.map(({ date }) => date)).toEqual(['2026-11-08', '2026-11-15', '2026-11-20']);
  });

  test('monthly it has the last price of each month, within the period', async () => {
    const points = await dates('interval: MONTHLY, to: "2026-10-30"');
    expect(points.map(({ date }) => date)).toEqual(['2026-08-31', '2026-09-30', '2026-10-30']);
    expect(points[0]?.value).toBe('1000.30000000');
    expect((await dates('interval: MONTHLY, last: 1')).map(({ date }) => date)).toEqual(['2026-11-20']);
  });

  test('of several cuts in one request each is its own', async () => {
    const [junior] = await manager.query<{ id: string }[]>(`SELECT id FROM issuances.series WHERE ticker = 'FULL2'`);
    await add(manager, 'unit_prices', { series_id: junior?.id, date: '2026-11-02', value: '7' });
    expect(
      await read(
        `series { week: unitPrices(interval: WEEKLY, last: 1) { nodes { date } } month: unitPrices(interval: MONTHLY, last: 2) { nodes { date } } }`,
      ),
    ).toEqual({
      series: [
        { week: [{ date: '2026-11-20' }], month: [{ date: '2026-10-31' }, { date: '2026-11-20' }] },
        { week: [{ date: '2026-11-02' }], month: [{ date: '2026-11-02' }] },
      ],
    });
  });
});
