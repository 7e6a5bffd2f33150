import { afterAll, describe, expect, test } from '@jest/globals';
import { isObjectType, getNamedType, type GraphQLObjectType } from 'graphql';
import { addOperation, addSeries, raiseRevision, add } from '../../../tests/issuances/fixtures.js';
import { addFullOperation, address, transaction } from '../../../tests/issuances/full-operation.js';
import { now, openTestGraph } from '../../../tests/issuances/graph.js';
import { fixedClock } from '../../../tests/kit/clock.js';
import { flat } from '../../../tests/kit/flat.js';

function selectionOf(type: GraphQLObjectType): string {
  const fields = Object.values(type.getFields()).map((field) => {
    const inner = getNamedType(field.type);
    return isObjectType(inner) ? `${field.name} ${selectionOf(inner)}` : field.name;
  });
  return `{ ${fields.join(' ')} }`;
}

const graph = await openTestGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
const { id } = await addFullOperation(manager);
const type = graph.schema.getType('OperationDetail');
if (!isObjectType(type)) throw new Error('OperationDetail is an object');
const document = `query ($ticker: String!) { operationDetail(ticker: $ticker) ${selectionOf(type)} }`;

const read = async (ticker = 'FULL') =>
  (await graph.data(document, { ticker }))['operationDetail'] as Record<string, unknown>;

describe('operationDetail', () => {
  test('shows the register of the operation and its series', async () => {
    expect(await read()).toMatchObject({
      id,
      tipo: 'CRA',
      remuneracao: 'CDI + 3,50% a.a. / 15,00% a.a.',
      emissora: 'Lastro Securitizadora S.A.',
      emissoraCnpj: '11.222.333/0001-81',
      agenteFiduciario: 'Fiduciária',
      coordenadorLider: 'Coordenadora',
      escriturador: 'Escrituradora',
      auditor: 'Auditora',
      lastro: 'CPR',
      rating: 'brAA',
      dataVencimento: '15/01/2030',
      dataVencimentoRaw: '2030-01-15',
      dataEmissao: '15/01/2025',
      dataEmissaoRaw: '2025-01-15',
      volume: 'R$ 200.000.000,00',
      summary: {
        descricao: 'Financia a safra',
        segmento: 'Agronegócio',
        destinacao: null,
        oferta: null,
        destaques: ['Garantia real'],
      },
      series: [
        {
          numero: '1',
          ticker: 'FULL1',
          classe: 'Sênior',
          status: 'Ativa',
          valorNominalUnitario: 'R$ 1.000,00000000',
          quantidade: '100.000',
          quotasSubscritas: '90.000',
          valorCaptado: 'R$ 90.000.000,00',
        },
        { numero: '2', quotasSubscritas: null, valorCaptado: null },
      ],
      garantias: [{ tipo: 'Penhor', descricao: 'Da safra', status: 'Constituída' }],
      participants: [{ name: 'Fiduciária', logoUrl: 'https://logos.example/f.svg', functions: ['Agente fiduciário'] }],
      generatedAt: new Date(now).toISOString(),
    });
  });

  test('shows public documents only', async () => {
    const { documents } = await read();
    expect(documents).toEqual([
      { name: null, type: null, url: null, createdAt: '2025-02-01T12:00:00.000Z', referenceDate: null },
      {
        name: 'Termo',
        type: 'Termo de Securitização',
        url: 'https://docs.example/termo.pdf',
        createdAt: '2025-01-16T12:00:00.000Z',
        referenceDate: '2025-01-15',
      },
    ]);
  });

  test('D-1 and D-2 are business days or null, and a fall by a payment is no loss', async () => {
    const operation = await addOperation(manager, 'DAYS');
    const pricing = async (ticker: string, prices: Readonly<Record<string, string>>) => {
      const number = Number(ticker.slice(-1));
      const series = await addSeries(manager, operation, number, { ticker, quantity: '100' });
      for (const [date, value] of Object.entries(prices))
        await add(manager, 'unit_prices', { series_id: series, date, value });
      return series;
    };
    // Monday 2 November 2026 is a holiday.
    const paying = await pricing('DAYS1', { '2026-10-29': '999', '2026-10-30': '1000', '2026-11-03': '950' });
    await pricing('DAYS2', { '2026-10-28': '999', '2026-10-30': '1000' });
    await pricing('DAYS3', { '2026-09-30': '999', '2026-10-30': '1000' });
    await add(manager, 'payments', {
      id: crypto.randomUUID(),
      operation_id: operation,
      series_id: paying,
      installment_number: 1,
      event: 'Amortização',
      due_date: '2026-11-02',
      paid_date: '2026-11-03',
      total_value: '5100',
    });
    await raiseRevision(manager);
    const { precificacao } = await read('DAYS');
    const none = { d1: null, d2: null, variacao: null, pagamentoUnitario: null, retorno: null };
    expect(precificacao).toMatchObject([
      {
        d1: { data: '30/10/2026' },
        d2: { data: '29/10/2026' },
        variacao: '-5,0000%',
        pagamentoUnitario: 'R$ 51,00000000',
        retorno: '0,1000%',
        retornoRaw: '0.1000',
      },
      { ...none, d2: { data: '28/10/2026' } },
      none,
    ]);
  });

  test('shows prices up to today: the current one, the two before, and the history', async () => {
    const { precificacao, pu, otIntegrado, otData } = await read();
    expect(precificacao).toMatchObject([
      {
        serie: '1',
        ticker: 'FULL1',
        atual: { data: '20/11/2026', valor: 'R$ 1.001,11000000' },
        d1: { data: '19/11/2026', valor: 'R$ 1.001,10000000' },
        d2: { data: '18/11/2026', valor: 'R$ 1.001,09000000' },
        variacao: '0,0010%',
      },
      { serie: '2', atual: null, d1: null, d2: null, variacao: null, historico: [] },
    ]);
    const [{ historico }] = precificacao as [{ historico: unknown[] }];
    expect(historico).toHaveLength(112);
    expect(historico[0]).toEqual({
      data: '01/08/2026',
      valor: 'R$ 1.000,00000000',
      dataRaw: '2026-08-01',
      valorRaw: '1000.00000000',
      projected: null,
    });
    expect(pu).toEqual({
      valor: 'R$ 1.001,11000000',
      data: '20/11/2026',
      serie: '1',
      valorRaw: '1001.11000000',
      dataRaw: '2026-11-20',
      projected: null,
    });
    expect(otIntegrado).toBe(true);
    expect(otData).toEqual([
      {
        serie: '1',
        ticker: 'FULL1',
        agente: 'Fiduciária',
        data: '19/11/2026',
        puEmissora: 'R$ 1.001,10000000',
        puAgente: 'R$ 1.001,09000000',
        diferenca: 'R$ 0,01000000',
        diferencaPercentual: '0,000999%',
        dataRaw: '2026-11-19',
        puEmissoraRaw: '1001.10000000',
        puAgenteRaw: '1001.09000000',
        diferencaRaw: '0.01000000',
        diferencaPercentualRaw: '0.000999',
      },
    ]);
  });

  test('shows obligations and payments with the status of today', async () => {
    const { obligations, pagamentos } = await read();
    expect(obligations).toMatchObject([
      {
        titulo: 'Relatório',
        periodicidade: 'Mensal',
        dataVencimento: '10/10/2026',
        dataEntrega: '09/10/2026',
        status: 'Entregue',
      },
      { responsavel: 'Devedora', dataEntrega: null, status: 'Em atraso' },
      { status: 'Pendente' },
    ]);
    expect(pagamentos).toEqual([
      {
        installmentNumber: 1,
        dueDate: '15/10/2026',
        dataPagamento: '15/10/2026',
        status: 'PAID',
        statusLabel: 'Pago',
        interestValue: 'R$ 1.000,50',
        principalValue: 'R$ 2.000,00',
        totalValue: 'R$ 3.000,50',
        openValue: 'R$ 0,00',
        projected: false,
        trancheTicker: 'FULL1',
        evento: 'Juros e amortização',
        dueDateRaw: '2026-10-15',
        dataPagamentoRaw: '2026-10-15',
        interestValueRaw: '1000.50',
        principalValueRaw: '2000.00',
        totalValueRaw: '3000.50',
        openValueRaw: '0.00',
      },
      {
        installmentNumber: 2,
        dueDate: '16/11/2026',
        dataPagamento: '—',
        status: 'OVERDUE',
        statusLabel: 'Vencido',
        interestValue: '—',
        principalValue: '—',
        totalValue: null,
        openValue: null,
        projected: false,
        trancheTicker: 'FULL1',
        evento: 'Juros e amortização',
        dueDateRaw: '2026-11-16',
        dataPagamentoRaw: null,
        interestValueRaw: null,
        principalValueRaw: null,
        totalValueRaw: null,
        openValueRaw: null,
      },
      expect.objectContaining({ status: 'PENDING', totalValue: 'R$ 10,00', trancheTicker: null, evento: 'Prêmio' }),
    ]);
  });

  test('shows cash, meetings, communications and what is on chains', async () => {
    expect(await read()).toMatchObject({
      financeiro: {
        contas: [
          {
            finalidade: 'Fundo de reserva',
            banco: 'Banco Um',
            agencia: '0001',
            conta: '123-4',
            saldo: 'R$ 5.000,10',
            saldoMinimo: 'R$ 4.000,00',
            dataSaldo: '19/11/2026',
          },
        ],
        aplicacoesPermitidas: [
          {
            descricao: 'Títulos públicos',
            instituicao: null,
            limite: '50,00%',
            valorAplicado: null,
            dataPosicao: null,
          },
        ],
      },
      assembleias: [
        { data: '05/05/2026', titulo: 'Assembleia', convocacao: '1ª convocação', quorum: '75,00%', deliberacao: null },
      ],
      comunicacao: [
        { data: '01/07/2026', titulo: 'Fato', descricao: 'Texto' },
        { data: '01/06/2026', titulo: 'Aviso', descricao: '' },
      ],
      blockchain: {
        rede: 'Polygon',
        // Two in the morning UTC is the day before in São Paulo.
        contratos: [
          {
            endereco: address,
            chainId: 137,
            serie: 'FULL1',
            quantidadeTokens: '100.000',
            totalEmitido: '90.000',
            dataImplantacao: '19/01/2025',
          },
        ],
        atividade: [
          {
            tipo: 'MINT',
            data: '21/01/2025',
            transacao: transaction,
            bloco: '9007199254740993',
            de: null,
            para: address,
            quantidade: '90.000',
          },
        ],
      },
    });
  });

  test('an operation of which nothing but the name is known has no null where the document has a plain value', async () => {
    await addOperation(manager, 'BARE');
    expect(await read('BARE')).toMatchObject({
      remuneracao: '—',
      dataVencimento: '—',
      dataVencimentoRaw: null,
      volume: 'R$ 0,00',
      summary: null,
      documents: [],
      financeiro: { contas: [], aplicacoesPermitidas: [] },
      blockchain: { rede: null, contratos: [], atividade: [] },
      otIntegrado: false,
      otData: [],
    });
  });

  test('one that is not public looks like one that does not exist', async () => {
    await addOperation(manager, 'HID', { is_public: false });
    const [hidden, none] = await Promise.all([
      graph.run(document, { ticker: 'HID' }),
      graph.run(document, { ticker: 'XYZ' }),
    ]);
    const face = (answer: typeof hidden) => JSON.stringify({ ...answer.errors?.[0]?.extensions, requestId: '' });
    expect(face(hidden)).toBe(face(none));
    expect(hidden.errors?.[0]?.extensions['code']).toBe('NOT_FOUND');
  });

  test('is built once a revision, and shows a change at once', async () => {
    await read();
    expect(await graph.countQueries(() => read())).toBe(2);
    await manager.query(`UPDATE issuances.operations SET rating = 'brAAA' WHERE id = $1`, [id]);
    await raiseRevision(manager);
    expect((await read())['rating']).toBe('brAAA');
    await manager.query(`UPDATE issuances.operations SET is_public = false WHERE id = $1`, [id]);
    await raiseRevision(manager);
    expect((await graph.run(document, { ticker: 'FULL' })).errors?.[0]?.extensions['code']).toBe('NOT_FOUND');
    await manager.query(`UPDATE issuances.operations SET is_public = true WHERE id = $1`, [id]);
    await raiseRevision(manager);
  });
});

describe('the relations of an operation', () => {
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

    test('a price is late once its business day is over', async () => {
      const stale = async (moment: string) => {
        const { data } = await graph.run(
          '{ operation(ticker: "FULL") { series { ticker stale } } }',
          {},
          { clock: fixedClock(moment) },
        );
        return flat(data?.['operation']);
      };
      const late = (first: boolean) => ({
        series: [
          { ticker: 'FULL1', stale: first },
          { ticker: 'FULL2', stale: true },
        ],
      });
      expect(await stale('2026-11-27T02:59:00Z')).toEqual(late(false));
      expect(await stale('2026-11-27T03:00:00Z')).toEqual(late(true));
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
        onchainContracts { address seriesTicker }`),
      ).toMatchObject({
        guarantees: [{ type: 'Penhor', status: 'Constituída' }],
        participants: [{ name: 'Fiduciária', functions: ['Agente fiduciário'] }],
        documents: [{ name: null }, { name: 'Termo' }],
        communications: [{ kind: 'MATERIAL_FACT' }, { kind: 'NOTICE' }],
        assemblies: [{ title: 'Assembleia', quorumPercent: '75.0000' }],
        accounts: [{ bank: 'Banco Um', balance: '5000.10' }],
        permittedInvestments: [{ description: 'Títulos públicos', limitPercent: '50.0000' }],
        onchainContracts: [{ address, seriesTicker: 'FULL1' }],
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
});
