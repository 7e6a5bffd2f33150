import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import {
  add,
  addContract,
  addCovenant,
  addOperation,
  addPosition,
  addPrices,
  addSeries,
  raiseRevision,
} from '../../../tests/issuances/fixtures.js';
import { openTestGraph } from '../../../tests/issuances/graph.js';
import { contracts, factsOf, type TestContract } from '../../../tests/issuances/portfolio.js';
import { addDays } from '../../../shared/kernel/calendar/days.js';
import { loadPortfolios } from './portfolio.store.js';
import { computeReport } from './report.js';

const graph = await openTestGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;

const position = '2026-10-31';
const day = { position, month: null, source: 'NOW', priceDueOn: undefined, overdueUntil: position } as const;

/** The columns of a contract, as it is at a day. */
const columnsOf = (one: TestContract) => ({
  debtor_document: one.debtor,
  original_value: one.original.toFixed(2),
  indexer: one.indexer,
  rate: one.rate.toFixed(2),
  issue_date: '2023-01-01',
  maturity_date: one.maturity,
  collateral_value: one.collateral?.toFixed(2) ?? null,
});

async function store(operationId: string, all: readonly TestContract[]): Promise<void> {
  for (const one of all) {
    await addContract(manager, operationId, {
      ...columnsOf(one),
      status: one.status,
      outstanding_balance: one.balance.toFixed(2),
      days_late: one.daysLate,
      overdue_value: one.overdue?.toFixed(2) ?? null,
      position_date: addDays(position, -one.age),
    });
  }
}

/** Stores a contract with another state today, and a position at the end of October. */
async function storeAtMonthEnd(operationId: string, one: TestContract, writtenOff: string | null): Promise<void> {
  const balance = one.balance.toFixed(2);
  const status = writtenOff === null ? 'ACTIVE' : 'WRITTEN_OFF';
  const columns = { ...columnsOf(one), status, written_off_date: writtenOff, days_late: 7 };
  const contract = await addContract(manager, operationId, columns);
  const overdue = one.overdue?.toFixed(2) ?? null;
  const balances = {
    opening_balance: balance,
    closing_balance: balance,
    days_late: one.daysLate,
    overdue_value: overdue,
  };
  await addPosition(manager, operationId, contract, balances);
}

describe('what the database adds up', () => {
  test('gives the report that the contracts give one by one, for each of several operations', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(contracts, { minLength: 1, maxLength: 3 }), async (portfolios) => {
        const ids = await Promise.all(portfolios.map(() => addOperation(manager, `P${number++}`)));
        for (const [index, all] of portfolios.entries()) await store(ids[index] ?? '', all);
        const loaded = await loadPortfolios(graph.context(), ids, day);
        expect(loaded.map(computeReport)).toEqual(portfolios.map((all) => computeReport(factsOf(all, position))));
      }),
      { numRuns: 25 },
    );
  });

  test('gives the report of a month that its positions give one by one, without what was written off by its end', async () => {
    let number = 0;
    const offsets = fc.array(fc.integer({ min: -45, max: 20 }), { minLength: 60, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(contracts, offsets, async (all, days) => {
        const id = await addOperation(manager, `M${number++}`);
        const offOn = all.map((one, at) => (one.status === 'WRITTEN_OFF' ? addDays(position, days[at] ?? 0) : null));
        for (const [at, one] of all.entries()) await storeAtMonthEnd(id, one, offOn[at] ?? null);
        const atEnd = all.map((one, at) => {
          const isOff = (offOn[at] ?? '9999') <= position;
          return {
            ...one,
            age: 0,
            status: isOff
              ? ('WRITTEN_OFF' as const)
              : one.balance.isZero()
                ? ('SETTLED' as const)
                : ('ACTIVE' as const),
          };
        });
        const flowing = all.filter((_one, at) => (offOn[at] ?? '9999') >= '2026-10-01');
        const opening = sum(flowing.map((one) => one.balance));
        const zero = new Decimal(0);
        const months = flowing.length === 0 ? [] : [{ month: '2026-10', opening, scheduled: zero, prepaid: zero }];
        const [loaded] = await loadPortfolios(graph.context(), [id], { ...day, month: '2026-10', source: 'MONTH_END' });
        const expected = { ...factsOf(atEnd, position), month: '2026-10', months };
        expect(loaded && computeReport(loaded)).toEqual(computeReport(expected));
      }),
      { numRuns: 20 },
    );
  });

  test('counts as open what was last open of a payment that was paid after the day', async () => {
    const id = await addOperation(manager, 'PART');
    const series_id = await addSeries(manager, id, 1, { ticker: 'PART1' });
    const payment = {
      id: crypto.randomUUID(),
      operation_id: id,
      series_id,
      installment_number: 1,
      event: 'Juros',
      due_date: '2026-10-15',
    };
    await add(manager, 'payments', { ...payment, total_value: '100', open_value: '40' });
    await manager.query(`UPDATE issuances.payments SET paid_date = '2026-11-05', open_value = NULL WHERE id = $1`, [
      payment.id,
    ]);
    const [facts] = await loadPortfolios(graph.context(), [id], { ...day, month: '2026-10', source: 'MONTH_END' });
    expect(facts?.series).toMatchObject([{ overdueTotal: '40.00' }]);
  });

  test('takes as many queries for many operations as for one', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, index) => addOperation(manager, `Q${index}`)));
    const count = (some: readonly string[]) => graph.countQueries(() => loadPortfolios(graph.context(), some, day));
    expect(await count(ids)).toBe(await count(ids.slice(0, 1)));
  });
});

describe('managementReport', () => {
  const sections = `ticker month position
    carteira { dataBase contratos devedores saldoDevedor valorOriginal ticketMedio prazoMedioDias saldoVencido inadimplencia
      inadimplenciaPorAtraso { acimaDeDias contratos saldoContratos participacaoContratos parcelasVencidas participacaoParcelas }
      taxas { indexador saldo participacao taxaMedia } contratosLiquidados contratosBaixados saldoBaixado }
    concentracao { maiores { devedores saldo participacao } hhi }
    aging { faixas { faixa contratos saldo participacao } }
    provisionamento { matriz faixas { classe diasDe diasAte percentual contratos saldo provisao } total percentual }
    ltv { ltv contratos saldo valorGarantias saldoSemGarantia faixas { faixa contratos saldo participacao } }
    prePagamento { smm cpr cpr12Meses mesesApurados meses { mes saldoInicial amortizacaoProgramada prePago smm cpr } }
    covenants { nome tipo limite valor cumprido }
    subordinacao { indice cobertura saldoTotal saldoSenior saldoMezanino saldoSubordinado saldoUnico
      series { serie ticker classe saldo participacao } }`;
  const live = `query ($ticker: String!, $month: String) { managementReport(ticker: $ticker, month: $month) { ${sections} } }`;

  test('shows today from the contracts, with everything in Brazilian format', async () => {
    const id = await addOperation(manager, 'LIVE');
    const senior = await addSeries(manager, id, 1, { ticker: 'LIVE1', quantity: '1000' });
    await addSeries(manager, id, 2, { ticker: 'LIVE2', class: 'JUNIOR', quantity: '200' });
    await addPrices(manager, senior, '2026-11-20', '2026-11-21');
    const first = await addContract(manager, id, { outstanding_balance: '750000', collateral_value: '1000000' });
    await addContract(manager, id, {
      outstanding_balance: '250000',
      debtor_document: '52998224725',
      days_late: 45,
      overdue_value: '12000',
    });
    await addContract(manager, id, { status: 'WRITTEN_OFF', outstanding_balance: '10' });
    await addCovenant(manager, id, {
      name: 'Subordinação mínima',
      metric: 'SUBORDINATION',
      comparison: 'AT_LEAST',
      threshold: '16.6667',
    });
    await addPosition(manager, id, first, { prepaid_principal: '10000', closing_balance: '750000' });
    await raiseRevision(manager);
    const { managementReport } = await graph.data(live, { ticker: 'live' });
    expect(managementReport).toMatchObject({
      ticker: 'LIVE',
      month: null,
      position: '20/11/2026',
      carteira: {
        dataBase: '19/11/2026',
        contratos: 2,
        devedores: 2,
        saldoDevedor: 'R$ 1.000.000,00',
        valorOriginal: 'R$ 2.000,00',
        ticketMedio: 'R$ 500.000,00',
        saldoVencido: 'R$ 250.000,00',
        inadimplencia: '25,0000%',
        inadimplenciaPorAtraso: [
          {
            acimaDeDias: 0,
            contratos: 1,
            saldoContratos: 'R$ 250.000,00',
            participacaoContratos: '25,0000%',
            parcelasVencidas: 'R$ 12.000,00',
            participacaoParcelas: '1,2000%',
          },
          { acimaDeDias: 30, contratos: 1, parcelasVencidas: 'R$ 12.000,00' },
          { acimaDeDias: 60, contratos: 0, saldoContratos: 'R$ 0,00', parcelasVencidas: 'R$ 0,00' },
          { acimaDeDias: 90, contratos: 0 },
        ],
        taxas: [{ indexador: 'Prefixado', participacao: '100,00%', taxaMedia: '12,5000% a.a.' }],
        contratosBaixados: 1,
        saldoBaixado: 'R$ 10,00',
      },
      concentracao: {
        maiores: [
          { devedores: 1, saldo: 'R$ 750.000,00', participacao: '75,0000%' },
          { devedores: 5, saldo: 'R$ 1.000.000,00', participacao: '100,0000%' },
          { devedores: 10 },
          { devedores: 20 },
        ],
        hhi: '6.250,00',
      },
      // 1.9 % of the first contract (stage 1), and 15 % of the second (stage 2).
      provisionamento: { matriz: 'Resolução BCB 352', total: 'R$ 51.750,00', percentual: '5,1750%' },
      ltv: { ltv: '75,0000%', contratos: 1, saldoSemGarantia: 'R$ 250.000,00' },
      prePagamento: {
        smm: '1,0000%',
        cpr: '11,3615%',
        cpr12Meses: null,
        mesesApurados: 1,
        meses: [{ mes: '10/2026', prePago: 'R$ 10.000,00' }],
      },
      covenants: [
        { nome: 'Subordinação mínima', tipo: 'mínimo', limite: '16,6667%', valor: '16,6667%', cumprido: false },
      ],
      subordinacao: {
        indice: '16,6667%',
        cobertura: '83,3333%',
        saldoSenior: 'R$ 1.000.000,00',
        saldoSubordinado: 'R$ 200.000,00',
        series: [{ serie: '1', classe: 'Sênior', participacao: '83,33%' }, { participacao: '16,67%' }],
      },
    });
    expect(managementReport).toMatchObject({
      aging: {
        faixas: [
          { faixa: 'A vencer', contratos: 1 },
          {},
          { faixa: '31-60', participacao: '25,00%' },
          {},
          {},
          {},
          {},
          {},
          {},
        ],
      },
    });
  });

  test('the same in raw values for front ends, live and stored', async () => {
    const { operation } = await graph.data(`{ operation(ticker: "LIVE") { reportMonths report { month position
      portfolio { balance averageTicket rates { indexer averageRate } } concentration { hhi largest { debtors share } }
      provisioning { matrix total } covenants { metric comparison threshold value fulfilled } ltv { ltv }
      prepayment { smm months { month prepaid } } subordination { index series { number class balance } } }
      never: report(month: "1999-01") { position } } }`);
    expect(operation).toMatchObject({
      reportMonths: ['2026-10'],
      report: {
        month: null,
        position: '2026-11-20',
        portfolio: {
          balance: '1000000.00',
          averageTicket: '500000.00',
          rates: [{ indexer: 'PREFIXED', averageRate: '12.5000' }],
        },
        provisioning: { matrix: 'HOUSE', total: '51750.00' },
        covenants: [{ metric: 'SUBORDINATION', comparison: 'AT_LEAST', threshold: '16.6667', fulfilled: false }],
        prepayment: { smm: '1.0000', months: [{ month: '2026-10', prepaid: '10000.00' }] },
        subordination: { index: '16.6667', series: [{ number: 1, class: 'SENIOR', balance: '1000000.00' }, {}] },
      },
      never: null,
    });
  });

  test('is computed again only when the data has changed', async () => {
    const read = () => graph.data(live, { ticker: 'LIVE' });
    await raiseRevision(manager);
    const built = await graph.countQueries(read);
    // One query for the operation and one for the revision.
    expect(await graph.countQueries(read)).toBe(2);
    await raiseRevision(manager);
    expect(await graph.countQueries(read)).toBe(built);
  });

  test('for an operation without credits everything is zero, and nothing fails', async () => {
    await addOperation(manager, 'EMPTY');
    const { managementReport } = await graph.data(live, { ticker: 'EMPTY' });
    expect(managementReport).toMatchObject({
      carteira: { dataBase: null, contratos: 0, saldoDevedor: 'R$ 0,00', ticketMedio: null, taxas: [] },
      concentracao: { hhi: '0,00' },
      ltv: { ltv: null },
      prePagamento: { smm: null, cpr: null, cpr12Meses: null, mesesApurados: 0, meses: [] },
      covenants: [],
      subordinacao: { indice: null, cobertura: null, series: [] },
    });
  });

  test.each([
    ['a month of another form is 400', 'LIVE', '2026-13', 'BAD_REQUEST'],
    ['so is no month at all', 'LIVE', 'outubro', 'BAD_REQUEST'],
    ['a month without a report is 404', 'LIVE', '0000-01', 'NOT_FOUND'],
    ['an unknown operation is 404', 'NOPE', null, 'NOT_FOUND'],
    ['what cannot be a ticker is 404', 'a%b_', null, 'NOT_FOUND'],
  ])('%s', async (_promise, ticker, month, code) => {
    const { errors } = await graph.run(live, { ticker, month });
    expect(errors?.[0]?.extensions['code']).toBe(code);
    if (code === 'BAD_REQUEST') expect(errors?.[0]?.extensions['details']).toMatchObject([{ path: 'month' }]);
  });
});
