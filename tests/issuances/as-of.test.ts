import { afterAll, describe, expect, test } from '@jest/globals';
import { flat } from '../kit/flat.js';
import fc from 'fast-check';
import { revertImport } from '../../shared/import/revert.js';
import { voidRecord } from '../../shared/import/void.js';
import { issuancesImport } from '../../subgraphs/issuances/import/domain.js';
import { importTexts, record, wholeOperation } from '../../subgraphs/issuances/import/tests/kit.js';
import { operator } from '../kit/context.js';
import { documentAt, queriesWithAsOf, recordedByClock } from '../kit/as-of.js';
import type { Json } from '../kit/import.js';
import { openTestGraph } from './graph.js';

const parts = `guarantees { description } participants { functions } accounts { balance } permittedInvestments { investedAmount }
  documents { nodes { name url } } obligations { nodes { title status } } communications { nodes { title } } assemblies { nodes { resolution } }
  payments { nodes { paidDate totalValue status } } report { portfolio { balance } } reportMonths volume remuneration
  series { rate currentUnitPrice { date value } unitPrices { nodes { date value } } trusteeUnitPrices { trusteeValue difference } }`;

const documents: Readonly<Record<string, string>> = {
  operationCards:
    '{ operationCards(AT) { cards { name ticker status } stats { volume operacoes series } generatedAt } }',
  operationCardPage:
    '{ operationCardPage(filter: { text: "aurora" }, AT) { total cards { name status } stats { volume } } }',
  operationDetail: `{ operationDetail(ticker: "CRI-AURORA-1", AT) { name rating remuneracao volume garantias { descricao }
    documents { name } pagamentos { status valorTotal } comunicacao { titulo } generatedAt } }`,
  operations: `{ operations(filter: { text: "aurora" }, AT) { totalCount edges { cursor node { name updatedAt ${parts} } }
    nodes { ticker series { ticker } } pageInfo { endCursor } } }`,
  operation: `{ operation(ticker: "CRI-AURORA-1", AT) { name updatedAt ${parts} } }`,
  inventory: `{ inventory(ticker: "CRI-AURORA-1", AT) { ... on InventoryPage { total items { id saldoDevedor diasAtraso } } } }`,
  series: `{ series(filter: { operationTickers: ["cri-aurora-1"] }, sort: { field: UNIT_PRICE }, AT) { totalCount
    nodes { ticker rate operation { name } currentUnitPrice { value } } } }`,
  operationPayments: `{ operationPayments(status: OVERDUE, AT) { totalCount totals { totalValue }
    nodes { operationTicker event totalValue daysLate } } }`,
  operationAlerts: '{ operationAlerts(AT) { totalCount nodes { kind operationTicker covenant { threshold value } } } }',
  operationComparison:
    '{ operationComparison(tickers: ["CRI-AURORA-1"], AT) { operations { name rating report { covenants { threshold } } } } }',
  reportMonths: '{ reportMonths(ticker: "CRI-AURORA-1", AT) { months details { month situacao versao generatedAt } } }',
  managementReport:
    '{ managementReport(ticker: "CRI-AURORA-1", AT) { generatedAt carteira { saldoDevedor } covenants { limite cumprido } } }',
};

const moment = '2026-11-20T15:00:00.000Z';

async function answer(document: string, at: string | null): Promise<string> {
  return JSON.stringify(await graph.data(documentAt(document, at)));
}

async function importAt(now: string, whole: Json): Promise<void> {
  graph.clock.set(now);
  const report = await recordedByClock(graph.context(), (tx) =>
    importTexts(tx, { 'whole.json': whole }, { correct: 'Um erro' }),
  );
  expect(report.errors).toEqual([]);
}

/** Credits of five debtors, the least of which an inventory shows anything; the first of them has positions. */
function credits(changes: Json): Json[] {
  const taxIds = ['529.982.247-25', '111.444.777-35', '935.411.347-80', '153.509.460-56', '168.995.350-09'];
  return taxIds.map((debtorDocument, index) =>
    record('contracts', {
      externalId: `CCB-${index}`,
      debtorDocument,
      ...(index === 0 ? { positions: [record('contractPositions')] } : {}),
      ...changes,
    }),
  );
}

/** The operation with something else in every list of it. */
const corrected = () =>
  wholeOperation({
    name: 'CRI Corrigido',
    rating: 'brBB',
    series: [
      record('series', {
        rate: '4.25',
        quantity: 60000,
        issuedTotal: '60000000.00',
        unitPrices: [record('unitPrices', { value: '2.00' })],
        trusteeUnitPrices: [record('trusteeUnitPrices', { value: '3.00' })],
      }),
    ],
    guarantees: [record('guarantees', { description: 'Outra' })],
    documents: [],
    obligations: [record('obligations', { title: 'Outra entrega' })],
    payments: [record('payments', { paidDate: null, interestValue: '1.00', totalValue: '1000001.00' })],
    accounts: [record('accounts', { balance: '1.00' })],
    permittedInvestments: [],
    assemblies: [record('assemblies', { resolution: 'Rejeitada.' })],
    communications: [record('communications', { title: 'Retificação' })],
    participants: [],
    contracts: credits({ outstandingBalance: '5.43', daysLate: 40 }),
    covenants: [record('covenants', { threshold: '99' })],
  });

const graph = await openTestGraph();
afterAll(() => graph.close());
await importAt('2026-11-19T12:00:00Z', wholeOperation({ contracts: credits({}) }));
graph.clock.set(moment);
const kept = Object.fromEntries(
  await Promise.all(
    Object.entries(documents).map(async ([name, document]) => [name, await answer(document, null)] as const),
  ),
);
await importAt('2026-11-23T12:00:00Z', corrected());
await graph.dataSource.query(
  `INSERT INTO issuances.monthly_reports (operation_id, month, version, reason, report, input_changes, generated_at)
   SELECT operation_id, month, 2, 'Um erro', report, input_changes, '2026-11-22T12:00:00Z' FROM issuances.monthly_reports`,
);

describe('a response as of a moment', () => {
  test('can be had of every query of published facts', () => {
    expect(Object.keys(documents).sort()).toEqual(queriesWithAsOf(graph.schema));
  });

  test.each(Object.keys(documents))('of %s is what it was then, byte for byte, after a correction', async (name) => {
    const document = documents[name] ?? '';
    expect(await answer(document, moment)).toBe(kept[name]);
    expect(await answer(document, null)).not.toBe(kept[name]);
    // Nothing that is kept for others was made of it, or serves it.
    expect(await answer(document, moment)).toBe(kept[name]);
  });

  test('shows nothing that is not public now, and nothing that was voided, whatever the moment', async () => {
    const hidden =
      '{ operation(ticker: "CRI-AURORA-1", AT) { documents { nodes { name } } guarantees { description } } }';
    const told = async () => flat(JSON.parse(await answer(hidden, moment))) as { operation: unknown };
    const before = await told();
    expect(before.operation).not.toBeNull();
    const context = graph.context({ principal: operator });
    const names = ['CRI-AURORA-1', 'A-1024'];
    const { importId = '' } = await voidRecord(context, [issuancesImport], 'guarantees', names, { reason: 'wrong' });
    expect(await told()).toMatchObject({ operation: { guarantees: [] } });
    await revertImport(context, [issuancesImport], importId, { reason: 'right' });
    expect(await told()).toEqual(before);
    await graph.dataSource.query('UPDATE issuances.operations SET is_public = false');
    expect(await told()).toEqual({ operation: null });
    await graph.dataSource.query('UPDATE issuances.operations SET is_public = true');
    // The document was public, is made private, and goes from the list then.
    const listed = (at: string, documents: Json[]) => importAt(at, { ...corrected(), documents });
    expect(before.operation).toMatchObject({ documents: [{ name: expect.any(String) }] });
    await listed('2026-11-23T12:00:01Z', [record('documents', { public: false })]);
    await listed('2026-11-23T12:00:02Z', []);
    expect(await told()).toMatchObject({ operation: { documents: [] } });
  });

  test('is refused for a moment that has not come', async () => {
    const { errors } = await graph.run(documentAt(documents['operations'] ?? '', '2026-11-23T12:00:03Z'));
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: 'asOf' }] });
  });

  test('can be asked for of four moments in one request, each as often as wished', async () => {
    const counts = (moments: number) => {
      const fields = Array.from({ length: 8 }, (_, field) => {
        const day = String(10 + (field % moments));
        return `f${String(field)}: operations(asOf: "2026-11-${day}T12:00:00Z") { totalCount }`;
      });
      return graph.run(`{ ${fields.join(' ')} }`);
    };
    expect((await counts(4)).errors).toBeUndefined();
    const { errors } = await counts(5);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: 'asOf' }] });
  });

  test('knows nothing of what came later', async () => {
    expect(await graph.data(documentAt('{ operations(AT) { totalCount } }', '2026-11-01T00:00:00Z'))).toEqual({
      operations: { totalCount: 0 },
    });
  });

  test('stands beside others in one document, and a field may ask for another moment than its object', async () => {
    const price = (at: string) => `unitPrices${at} { nodes { value } }`;
    const { then, now } = await graph.data(`{
      then: operation(ticker: "CRI-AURORA-1", asOf: "${moment}") { series { ${price('')} later: ${price('(asOf: "2026-11-23T12:00:00Z")')} } }
      now: operation(ticker: "CRI-AURORA-1") { series { ${price('')} earlier: ${price(`(asOf: "${moment}")`)} } }
    }`);
    const [published, corrected] = [[{ value: '1013.84729105' }], [{ value: '2.00000000' }]];
    expect(flat(then)).toEqual({ series: [{ unitPrices: published, later: corrected }] });
    expect(flat(now)).toEqual({ series: [{ unitPrices: corrected, earlier: published }] });
  });

  test('costs as many statements for many operations as for one', async () => {
    const ask = (first: number) => () =>
      graph.data(
        `{ operations(first: ${String(first)}, asOf: "2026-11-23T12:00:00Z") { nodes { series { unitPrices { nodes { value } } } payments { nodes { status } } } } }`,
      );
    const one = await graph.countQueries(ask(1));
    await importAt(
      '2026-11-24T12:00:00Z',
      wholeOperation({
        ticker: 'CRI-OUTRA',
        slug: 'outra',
        href: '/o/outra',
        series: [],
        payments: [],
        onchainContracts: [],
      }),
    );
    expect(await graph.countQueries(ask(100))).toBe(one);
  });
});

test('after any imports, each moment answers what was answered then, of what is public now', async () => {
  const price = fc.option(fc.integer({ min: 1, max: 3 }));
  const state = fc.record({
    prices: fc.tuple(price, price),
    isPublic: fc.boolean(),
    isPaid: fc.boolean(),
    titles: fc.uniqueArray(fc.constantFrom('A', 'B', 'C')),
  });
  const toOperation = (
    name: string,
    { prices, isPublic, isPaid, titles }: typeof state extends fc.Arbitrary<infer S> ? S : never,
  ) =>
    record('operations', {
      ticker: name,
      slug: name,
      name,
      public: isPublic,
      series: [
        record('series', {
          ticker: `${name}S`,
          isin: null,
          ifCode: null,
          unitPrices: prices.flatMap((value, index) =>
            value === null ? [] : [record('unitPrices', { date: `2026-11-1${String(index)}`, value: String(value) })],
          ),
        }),
      ],
      payments: [
        record('payments', { trancheTicker: `${name}S`, ...(isPaid ? {} : { paidDate: null, dueDate: '2026-11-26' }) }),
      ],
      communications: titles.map((title) => record('communications', { title, externalId: title })),
    });
  let runs = 0;
  let day = Date.parse('2027-01-01T12:00:00Z');
  await fc.assert(
    fc.asyncProperty(fc.array(state, { minLength: 2, maxLength: 4 }), async (states) => {
      const name = `any-${String(++runs)}`;
      const document = `{ operation(ticker: "${name}", AT) { updatedAt series { unitPrices { nodes { date value } } currentUnitPrice { value } }
        payments { nodes { status paidDate } } communications { nodes { title } } } }`;
      const answers = new Map<string, string>();
      for (const one of states) {
        const now = new Date((day += 86_400_000)).toISOString();
        await importAt(now, toOperation(name, one));
        answers.set(now, await answer(document, null));
      }
      const isPublicNow = states.at(-1)?.isPublic === true;
      const nothing = JSON.stringify({ operation: null });
      for (const [then, answered] of answers)
        expect(await answer(document, then)).toBe(isPublicNow ? answered : nothing);
    }),
    { numRuns: Number(process.env['AS_OF_RUNS'] ?? 4) },
  );
});
