import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { createLocalBus } from '../../shared/events/bus.js';
import { createRelay } from '../../shared/events/outbox/relay.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { importTexts, record, wholeOperation } from '../../subgraphs/issuances/import/tests/kit.js';
import type { Json } from '../kit/import.js';
import { operator } from '../kit/context.js';
import { openTestGraph } from './graph.js';

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
    unitPrices: Object.entries({ '2026-10-30': '1009', ...prices }).map(([date, value]) =>
      record('unitPrices', { date, value }),
    ),
    trusteeUnitPrices: [],
    ...changes,
  }),
];

const redeemed = (prices: Readonly<Record<string, string>>) =>
  seriesWith(prices, { status: 'Resgatada', raisedAmount: '50000000.00' });
const paidSince = payment(20, { ...unpaid, paidDate: '2026-11-20', interestValue: '501.00', totalValue: '1501.00' });
const secret = document('PRIVATE', { public: false, name: 'Segredo' });
/** What the corrections of the payments and the documents say. */
const mistaken = {
  communications: [],
  payments: [payment(19, { interestValue: '1.00', totalValue: '1000001.00' }), paidSince],
  documents: [document('A', { name: 'Outro nome' }), document('C'), secret],
};

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
    series: redeemed({ '2026-11-18': '1010', '2026-11-19': '1011', '2026-11-20': '1012' }),
    payments: [payment(19, {}), paidSince],
    documents: [document('A'), document('B'), document('PRIVATE', { public: false }), document('C')],
    obligations: [record('obligations', { externalId: 'O', deliveredDate: '2026-11-20' })],
    accounts: [record('accounts', { balance: '7.00', balanceDate: '2026-11-20' })],
    contracts: [record('contracts', { outstandingBalance: '90000.00', positionDate: '2026-11-20' })],
    ...changes,
  });

/** What subscribers of the operation are told, oldest first. */
async function announced(): Promise<
  { readonly kind: string; readonly reference: string; readonly correction?: boolean }[]
> {
  return graph.dataSource.query(
    `SELECT payload ->> 'kind' AS kind, payload ->> 'reference' AS reference, (payload -> 'correction')::boolean AS correction
     FROM shared.outbox WHERE topic = 'operation.updated' ORDER BY position`,
  );
}

const graph = await openTestGraph();
afterAll(() => graph.close());
await importAt('2026-11-19T15:00:00Z', first(), 'A parcela 20 está em aberto');

describe('corrections of an operation', () => {
  test('are not what takes its course: a payment that is made, a delivery, a price and a balance of a new day, a status, a new record', async () => {
    await importAt('2026-11-21T15:00:00Z', next());
    expect((await announced()).filter(({ correction }) => correction === true)).toEqual([]);
  });

  test('are what was published and is another: announced once a kind, without private documents and single credits', async () => {
    await importAt(
      '2026-11-22T15:00:00Z',
      next({ communications: [], documents: [document('A'), document('B'), secret, document('C')] }),
      'Aviso publicado por engano',
    );
    await importAt(
      '2026-11-23T15:00:00Z',
      next({
        ...mistaken,
        series: redeemed({ '2026-11-18': '1010', '2026-11-19': '1011.5', '2026-11-20': '1012' }),
        contracts: [
          record('contracts', { originalValue: '1.00', outstandingBalance: '1.00', positionDate: '2026-11-20' }),
        ],
      }),
      'Erro de digitação',
    );
    expect((await announced()).filter(({ correction }) => correction === true)).toEqual([
      { kind: 'COMMUNICATION', reference: '2026-10-02', correction: true },
      { kind: 'DOCUMENT', reference: '2026-10-31', correction: true },
      { kind: 'PAYMENT', reference: '2026-10-15', correction: true },
      { kind: 'PU', reference: '2026-11-19', correction: true },
    ]);
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
        ...mistaken,
        rating: 'brBB',
        series: redeemed({ '2026-11-18': '1010', '2026-11-19': '1', '2026-11-23': '1013' }),
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

  test('of what is no longer public are announced to nobody', async () => {
    const before = (await announced()).length;
    await importAt('2026-11-24T15:00:00Z', next({ public: false, communications: [] }), 'Retirada');
    expect(await announced()).toHaveLength(before);
  });
});
