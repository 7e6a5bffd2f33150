import { afterAll, describe, expect, test } from '@jest/globals';
import {
  addOnchainContract,
  addOperation,
  addPrices,
  addSeries,
  raiseRevision,
} from '../../../tests/issuances/fixtures.js';
import { now, openTestGraph } from '../../../tests/issuances/graph.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { raiseRevision as raiseRevisionOf } from '../revision/revision.js';

const graph = await openTestGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;

const everything = `{ operationCards {
  cards { id href name sub tipo status kpis { label value highlight } numEmissao dataEmissao seriesCount blockchainCount chips
    pu { valor data serie } series { numero ticker classe remuneracao dataEmissao dataVencimento isin codigoIF valorTotal } }
  stats { volume operacoes series } generatedAt } }`;

describe('operationCards', () => {
  test('shows an operation with everything that is documented, in Brazilian format', async () => {
    const id = await addOperation(manager, 'LAS001', {
      name: 'Residencial Aurora',
      sub: 'CRI pulverizado',
      emission_number: '12ª',
      emission_date: '2026-05-04',
      maturity_date: '2031-05-04',
      chips: ['Pulverizado', 'IPCA'],
    });
    const senior = await addSeries(manager, id, 1, {
      ticker: 'LAS001S1',
      isin: 'BRLASTCRI001',
      if_code: '26E0000001',
      issued_total: '150000000.50',
      maturity_date: '2031-05-04',
    });
    await addSeries(manager, id, 2, {
      ticker: 'LAS001J',
      class: 'JUNIOR',
      indexer: 'IPCA',
      rate: '9',
      issued_total: '50000000',
    });
    await addPrices(manager, senior, '2026-11-18', '2026-11-25');
    await addOnchainContract(manager, id, { series_id: senior });
    await addOperation(manager, 'HIDDEN', { is_public: false });
    await raiseRevision(manager);

    expect(await graph.data(everything)).toEqual({
      operationCards: {
        cards: [
          {
            id,
            href: '/emissoes/LAS001',
            name: 'Residencial Aurora',
            sub: 'CRI pulverizado',
            tipo: 'CRI',
            status: 'Em andamento',
            kpis: [
              { label: 'Volume', value: 'R$ 200.000.000,50', highlight: false },
              { label: 'Remuneração', value: 'CDI + 3,50% a.a. / IPCA + 9,00% a.a.', highlight: true },
              { label: 'Vencimento', value: '04/05/2031', highlight: false },
            ],
            numEmissao: '12ª',
            dataEmissao: '04/05/2026',
            seriesCount: 2,
            blockchainCount: 1,
            chips: ['Pulverizado', 'IPCA'],
            // Today's price, although the table contains later ones.
            pu: { valor: 'R$ 1.000,02000000', data: '20/11/2026', serie: '1' },
            series: [
              {
                numero: '1',
                ticker: 'LAS001S1',
                classe: 'Sênior',
                remuneracao: 'CDI + 3,50% a.a.',
                dataEmissao: '15/01/2025',
                dataVencimento: '04/05/2031',
                isin: 'BRLASTCRI001',
                codigoIF: '26E0000001',
                valorTotal: 'R$ 150.000.000,50',
              },
              {
                numero: '2',
                ticker: 'LAS001J',
                classe: 'Subordinada',
                remuneracao: 'IPCA + 9,00% a.a.',
                dataEmissao: '15/01/2025',
                dataVencimento: '15/01/2030',
                isin: null,
                codigoIF: null,
                valorTotal: 'R$ 50.000.000,00',
              },
            ],
          },
        ],
        stats: { volume: 'R$ 200.000.000,50', operacoes: 1, series: 2 },
        generatedAt: new Date(now).toISOString(),
      },
    });
  });

  test('shows an operation of which little is known without a null where the document has a plain string', async () => {
    await addOperation(manager, 'BARE');
    await raiseRevision(manager);
    const { operationCards } = await graph.data(
      '{ operationCards { cards { name sub kpis { label value } numEmissao dataEmissao chips pu { valor } series { ticker } } } }',
    );
    expect(operationCards).toMatchObject({
      cards: [
        {},
        {
          name: 'Operação BARE',
          sub: '',
          kpis: [
            { label: 'Volume', value: 'R$ 0,00' },
            { label: 'Remuneração', value: '—' },
            { label: 'Vencimento', value: '—' },
          ],
          numEmissao: null,
          dataEmissao: null,
          chips: [],
          pu: null,
          series: [],
        },
      ],
    });
  });

  test('is built by as many queries for many operations as for few, and read again by one', async () => {
    const list = () => graph.data(everything);
    await raiseRevision(manager);
    const few = await graph.countQueries(list);
    for (let index = 0; index < 30; index++) {
      const id = await addOperation(manager, `MANY${index}`);
      const series = await addSeries(manager, id, 1);
      await addPrices(manager, series, '2026-11-18', '2026-11-20');
    }
    await raiseRevision(manager);
    expect(await graph.countQueries(list)).toBe(few);
    expect(await graph.countQueries(list)).toBe(1);
    expect(await list()).toMatchObject({ operationCards: { stats: { operacoes: 32 } } });
  });

  test('builds only the cards of operations that have changed', async () => {
    const [changed = '', kept = ''] = await manager.values<string>(
      `SELECT id FROM issuances.operations WHERE ticker IN ('MANY1', 'MANY2') ORDER BY ticker`,
    );
    await graph.data(everything);
    await manager.query(`UPDATE issuances.operations SET sub = 'new' WHERE id = ANY ($1::uuid[])`, [[changed, kept]]);
    await inTransaction(graph.context(), (tx) => raiseRevisionOf(tx, [changed]));
    const subs = async () => {
      const { operationCards } = await graph.data('{ operationCards { cards { id sub } } }');
      const { cards } = operationCards as { cards: { id: string; sub: string }[] };
      return [changed, kept].map((id) => cards.find((card) => card.id === id)?.sub);
    };
    expect(await subs()).toEqual(['new', '']);
    await raiseRevision(manager);
    expect(await subs()).toEqual(['new', 'new']);
  });

  test('is built once for all who ask at the same time', async () => {
    await raiseRevision(manager);
    const alone = await graph.countQueries(() => graph.data(everything));
    await raiseRevision(manager);
    const together = await graph.countQueries(() =>
      Promise.all(Array.from({ length: 5 }, () => graph.data(everything))),
    );
    expect(together).toBe(alone);
  });

  test('shows the price of the new day once the day has changed, and whether it was projected', async () => {
    await manager.query(`UPDATE issuances.unit_prices SET projected = true WHERE date = '2026-11-20'`);
    await raiseRevision(manager);
    const price = async () => {
      const { operationCards } = await graph.data('{ operationCards { cards { name pu { data projected } } } }');
      return operationCards;
    };
    expect(await price()).toMatchObject({
      cards: [{ pu: { data: '20/11/2026', projected: true } }, {}, ...Array.from({ length: 30 }, () => ({}))],
    });
    // Midnight in São Paulo is 03:00 UTC.
    graph.clock.set('2026-11-21T02:59:59Z');
    expect(JSON.stringify(await price())).not.toContain('21/11/2026');
    graph.clock.set('2026-11-21T03:00:00Z');
    expect(JSON.stringify(await price())).toContain('21/11/2026');
    graph.clock.set(now);
  });
});

describe('operationCardPage', () => {
  const document = `query ($filter: OperationFilter, $first: Int, $after: String) {
    operationCardPage(filter: $filter, first: $first, after: $after) {
      cards { id name pu { data } series { ticker } } stats { volume operacoes series } total nextCursor } }`;
  interface Page {
    readonly cards: readonly { readonly id: string; readonly name: string }[];
    readonly stats: unknown;
    readonly total: number;
    readonly nextCursor: string | null;
  }
  const page = async (variables: Record<string, unknown> = {}) =>
    (await graph.data(document, variables))['operationCardPage'] as Page;

  test('takes as many queries for many operations as for few', async () => {
    await page({ first: 2 });
    const few = await graph.countQueries(() => page({ first: 2 }));
    expect(await graph.countQueries(() => page({ first: 30 }))).toBe(few);
  });

  test('is for API keys, sessions and operators alone, as the whole list is', async () => {
    const principal = { kind: 'ANONYMOUS', id: '::1', ownerId: '::1', scopes: [] } as const;
    for (const text of [document, everything])
      expect((await graph.run(text, {}, { principal })).errors?.[0]?.extensions['code']).toBe('UNAUTHORIZED');
  });
});
