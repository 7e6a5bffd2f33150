import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { createLocalBus } from '../../shared/bus.js';
import { createRelay } from '../../shared/outbox/relay.js';
import type { GraphResult } from '../../shared/subgraph/executor.js';
import { importTexts, record, wholeOperation } from '../../subgraphs/issuances/import/tests/kit.js';
import type { Json } from '../kit/import.js';
import { operator } from '../kit/context.js';
import { openTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;

async function importAt(now: string, whole: Json, correct?: string): Promise<void> {
  graph.clock.set(now);
  const context = graph.context({ principal: operator });
  expect((await importTexts(context, { 'whole.json': whole }, { correct })).errors).toEqual([]);
}

const unpaid = { paidDate: null, interestValue: '500.00', principalValue: '1000.00', totalValue: '1500.00' };
const payment = (number: number, changes: Json) => record('payments', { installmentNumber: number, ...changes });
const document = (externalId: string, changes: Json = {}) =>
  record('documents', { externalId, name: `Documento ${externalId}`, ...changes });
const seriesWith = (prices: Readonly<Record<string, string>>, changes: Json = {}) => [
  record('series', {
    unitPrices: Object.entries(prices).map(([date, value]) => record('unitPrices', { date, value })),
    trusteeUnitPrices: [],
    ...changes,
  }),
];

const first = () =>
  wholeOperation({
    series: seriesWith({ '2026-11-18': '1010', '2026-11-19': '1011' }),
    payments: [payment(19, {}), payment(20, unpaid)],
    documents: [document('A'), document('B'), document('PRIVATE', { public: false })],
    obligations: [record('obligations', { externalId: 'O' })],
  });

/** The same a day later, when everything took its course. */
const next = (changes: Json = {}) =>
  wholeOperation({
    status: 'Encerrada',
    series: seriesWith(
      { '2026-11-18': '1010', '2026-11-19': '1011', '2026-11-20': '1012' },
      { status: 'Resgatada', raisedAmount: '50000000.00' },
    ),
    payments: [
      payment(19, {}),
      payment(20, { ...unpaid, paidDate: '2026-11-20', interestValue: '501.00', totalValue: '1501.00' }),
    ],
    documents: [document('A'), document('B'), document('PRIVATE', { public: false }), document('C')],
    obligations: [record('obligations', { externalId: 'O', deliveredDate: '2026-11-20' })],
    accounts: [record('accounts', { balance: '7.00', balanceDate: '2026-11-20' })],
    contracts: [record('contracts', { outstandingBalance: '90000.00', positionDate: '2026-11-20' })],
    ...changes,
  });

const fields = 'operationTicker kind record date removed recordedAt reason fields { name before after }';

async function corrections(args = ''): Promise<Record<string, unknown>[]> {
  const { operationCorrections } = await graph.data(`{ operationCorrections${args} { nodes { ${fields} } } }`);
  return (operationCorrections as { nodes: Record<string, unknown>[] }).nodes;
}

/** What subscribers of the operation are told, oldest first. */
async function announced(): Promise<
  { readonly kind: string; readonly reference: string; readonly correction?: boolean }[]
> {
  return graph.dataSource.query(
    `SELECT payload ->> 'kind' AS kind, payload ->> 'reference' AS reference, (payload -> 'correction')::boolean AS correction
     FROM shared.outbox WHERE topic = 'operation.updated' ORDER BY position`,
  );
}

beforeAll(async () => {
  graph = await openTestGraph();
  await importAt('2026-11-19T15:00:00Z', first());
});
afterAll(() => graph.close());

describe('corrections of an operation', () => {
  test('are not what takes its course: a payment that is made, a delivery, a price and a balance of a new day, a status, a new record', async () => {
    await importAt('2026-11-21T15:00:00Z', next());
    expect(await corrections('(ticker: "CRI-AURORA-1")')).toEqual([]);
    expect((await announced()).filter(({ correction }) => correction === true)).toEqual([]);
  });

  test('are what was published and is another, each with its fields before and after, the newest first', async () => {
    await importAt(
      '2026-11-22T15:00:00Z',
      next({
        communications: [],
        documents: [
          document('A'),
          document('B'),
          document('PRIVATE', { public: false, name: 'Segredo' }),
          document('C'),
        ],
      }),
      'Aviso publicado por engano',
    );
    await importAt(
      '2026-11-23T15:00:00Z',
      next({
        communications: [],
        series: seriesWith(
          { '2026-11-18': '1010', '2026-11-19': '1011.5', '2026-11-20': '1012' },
          { status: 'Resgatada', raisedAmount: '50000000.00' },
        ),
        payments: [
          payment(19, { interestValue: '1.00', totalValue: '1000001.00' }),
          payment(20, { ...unpaid, paidDate: '2026-11-20', interestValue: '501.00', totalValue: '1501.00' }),
        ],
        documents: [
          document('A', { name: 'Outro nome' }),
          document('C'),
          document('PRIVATE', { public: false, name: 'Segredo' }),
        ],
        contracts: [
          record('contracts', { originalValue: '1.00', outstandingBalance: '1.00', positionDate: '2026-11-20' }),
        ],
      }),
      'Erro de digitação',
    );
    const common = {
      operationTicker: 'CRI-AURORA-1',
      removed: false,
      recordedAt: '2026-11-23T15:00:00.000Z',
      reason: 'Erro de digitação',
    };
    const all = await corrections('(ticker: "residencial-aurora")');
    expect(all).toEqual([
      {
        ...common,
        kind: 'unitPrices',
        record: 'AURORA1S1',
        date: '2026-11-19',
        fields: [{ name: 'value', before: '1011.00000000', after: '1011.50000000' }],
      },
      {
        ...common,
        kind: 'payments',
        record: 'AURORA1S1 19 Juros e amortização',
        date: '2026-10-15',
        fields: [
          { name: 'interestValue', before: '512345.67', after: '1.00' },
          { name: 'totalValue', before: '1512345.67', after: '1000001.00' },
        ],
      },
      expect.objectContaining({ kind: 'documents', recordedAt: common.recordedAt }),
      expect.objectContaining({ kind: 'documents', recordedAt: common.recordedAt }),
      expect.objectContaining({ kind: 'communications', removed: true, reason: 'Aviso publicado por engano' }),
    ]);
    const documents = all.filter(({ kind }) => kind === 'documents');
    expect(documents).toContainEqual({
      ...common,
      kind: 'documents',
      record: 'Documento A',
      date: '2026-10-31',
      fields: [{ name: 'name', before: 'Documento A', after: 'Outro nome' }],
    });
    expect(documents).toContainEqual(expect.objectContaining({ record: 'Documento B', removed: true }));
    // Subscribers hear of it as such, once a kind.
    expect((await announced()).slice(-4)).toEqual([
      { kind: 'COMMUNICATION', reference: '2026-10-02', correction: true },
      { kind: 'DOCUMENT', reference: '2026-10-31', correction: true },
      { kind: 'PAYMENT', reference: '2026-10-15', correction: true },
      { kind: 'PU', reference: '2026-11-19', correction: true },
    ]);
    // Neither private documents, nor credits one by one.
    expect(JSON.stringify(all)).not.toMatch(/Segredo|PRIVATE|Beatriz|CCB-2025/);
    expect(await corrections('(kind: "payments")')).toHaveLength(1);
    expect(await corrections('(from: "2026-11-23T00:00:00Z")')).toHaveLength(4);
    expect(await corrections('(to: "2026-11-22T23:00:00Z")')).toHaveLength(1);
  });

  test('are paged without a gap or a repetition', async () => {
    const seen: unknown[] = [];
    let after: string | null = null;
    for (let page = 0; page < 5; page++) {
      const answer: Record<string, unknown> = await graph.data(
        `query ($after: String) { operationCorrections(first: 1, after: $after) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`,
        { after },
      );
      const { nodes, pageInfo } = answer['operationCorrections'] as {
        nodes: unknown[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
      expect(pageInfo.hasNextPage).toBe(page < 4);
      seen.push(...nodes);
      after = pageInfo.endCursor;
    }
    expect(seen).toEqual(await corrections());
    const { operationCorrections } = await graph.data(
      `query ($before: String) { operationCorrections(last: 2, before: $before) { nodes { ${fields} } totalCount pageInfo { hasPreviousPage hasNextPage } } }`,
      { before: after },
    );
    expect(operationCorrections).toEqual({
      nodes: seen.slice(-3, -1),
      totalCount: 5,
      pageInfo: { hasPreviousPage: true, hasNextPage: true },
    });
  });

  test('show operators alone by whom and from which line of which import', async () => {
    const ask = '{ operationCorrections(first: 1) { nodes { recordedBy importId fileName line } } }';
    const { data } = await graph.run(ask, {}, { principal: operator });
    expect(data).toMatchObject({
      operationCorrections: {
        nodes: [
          {
            recordedBy: 'olga@casa.example',
            importId: expect.stringMatching(/^[0-9a-f-]{36}$/),
            fileName: expect.stringContaining('whole.json'),
            line: expect.any(Number),
          },
        ],
      },
    });
    const { errors } = await graph.run(ask);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
  });

  test('reach subscribers with their reason, apart from what is new', async () => {
    const bus = createLocalBus();
    await createRelay(graph.context({ bus })).drain();
    const stream = await graph.executor.subscribe(
      {
        document: parse(
          'subscription { operationUpdated(ticker: "CRI-AURORA-1") { kind reference correction reason seriesTicker unitPrice } }',
        ),
      },
      graph.context({ bus }),
    );
    if (!(Symbol.asyncIterator in stream)) throw new Error(JSON.stringify(stream));
    await importAt(
      '2026-11-23T16:00:00Z',
      next({
        communications: [],
        rating: 'brBB',
        series: seriesWith(
          { '2026-11-18': '1010', '2026-11-19': '1', '2026-11-23': '1013' },
          { status: 'Resgatada', raisedAmount: '50000000.00' },
        ),
        payments: [
          payment(19, { interestValue: '1.00', totalValue: '1000001.00' }),
          payment(20, { ...unpaid, paidDate: '2026-11-20', interestValue: '501.00', totalValue: '1501.00' }),
        ],
        documents: [
          document('A', { name: 'Outro nome' }),
          document('C'),
          document('PRIVATE', { public: false, name: 'Segredo' }),
        ],
        contracts: [],
      }),
      'Engano',
    );
    await createRelay(graph.context({ bus })).drain();
    const none = { seriesTicker: null, unitPrice: null };
    const price = (unitPrice: string) => ({ kind: 'PU', seriesTicker: 'AURORA1S1', unitPrice });
    const told: unknown[] = [];
    while (told.length < 3) {
      const answer: GraphResult | undefined = (await stream.next()).value;
      told.push(answer?.data?.['operationUpdated']);
    }
    await stream.return?.();
    expect(told).toEqual([
      { ...price('1013.00000000'), reference: '2026-11-23', correction: false, reason: null },
      { ...none, kind: 'OTHER', reference: '2026-11-23', correction: true, reason: 'Engano' },
      { ...price('1.00000000'), reference: '2026-11-19', correction: true, reason: 'Engano' },
    ]);
  });

  test('of what is no longer public are shown to nobody', async () => {
    await importAt('2026-11-24T15:00:00Z', next({ public: false, communications: [] }), 'Retirada');
    expect(await corrections()).toEqual([]);
    const { errors } = await graph.run('{ operationCorrections(ticker: "CRI-AURORA-1") { nodes { kind } } }');
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
  });
});
