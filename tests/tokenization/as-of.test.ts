import { afterAll, describe, expect, test } from '@jest/globals';
import { anonymous } from '../../shared/kernel/context.js';
import { importTexts, record, wholePatrimony } from '../../subgraphs/tokenization/import/tests/kit.js';
import { documentAt, queriesWithAsOf, recordedByClock } from '../kit/as-of.js';
import { testContext } from '../kit/context.js';
import type { Json } from '../kit/import.js';
import { openTokenizationGraph } from './graph.js';
import { addIndexValues, calendarOf, diRates } from './series/kit.js';

const moment = '2026-11-20T15:00:00.000Z';

const documentsOf = (estate: string, asset: string): Record<string, string> => ({
  paymentSchedule: `{ paymentSchedule(ticker: "AURORA1", AT) { count
    items { status interestPercentage interestValue principalValue totalValue } } }`,
  assetSummary: `{ assetSummary(patrimonyId: "${estate}", AT) { totalAssets totalCurrentBalance byType { CCB { count } } } }`,
  tranches: `{ tranches(AT) { totalCount nextCursor nodes { name unitPrice patrimonyTicker totalValue patrimony { name }
    schedule { nodes { interestValue status } } unitPrices { nodes { date unitPrice version } } } } }`,
  cdiReturns: '{ cdiReturns(from: "2026-05-04", first: 3, AT) { date percent } }',
  assetGroups: '{ assetGroups(by: [STATUS], AT) { status count currentBalance } }',
  upcomingPayments: `{ upcomingPayments(from: "2026-01-01", to: "2030-01-01", AT) { totalCount totals { count totalValue }
    nodes { trancheTicker dueDate totalValue tranche { name unitPrice } } } }`,
  tranche:
    '{ tranche(ticker: "AURORA1", AT) { name unitPrice patrimony { name } investedAmount rate: remunerationPercentagePerYear unitPrices { nodes { unitPrice } } schedule { nodes { totalValue } } } }',
  patrimonies: `{ patrimonies(AT) { totalCount edges { cursor node { name trancheCount assetCount totalIssued tranches { name }
    assets { nodes { currentBalance paymentHistory { nodes { amount } } } } } } } }`,
  patrimony: '{ patrimony(ticker: "PAT-AURORA", AT) { name tranches { unitPrice } } }',
  assets: `{ assets(AT) { totalCount nodes { currentBalance patrimony { name } paymentHistory { nodes { amount status } } } }
    found: assets(filter: {search: "CCB-2025"}, page: 1, AT) { totalCount totalPages nodes { debtorName currentBalance status } } }`,
  asset: `{ asset(id: "${asset}", AT) { debtorName currentBalance patrimonyName paymentHistory { nodes { status amount } } } }`,
});

async function answer(document: string, at: string | null): Promise<string> {
  return JSON.stringify(await graph.data(documentAt(document, at)));
}

const context = () =>
  testContext({ manager: graph.dataSource.manager, clock: graph.clock, principal: anonymous('127.0.0.1') });

async function importAt(now: string, files: Readonly<Record<string, string | Json>>): Promise<void> {
  graph.clock.set(now);
  const report = await recordedByClock(context(), (tx) => importTexts(tx, files, { correct: 'Um erro' }));
  expect(report.errors).toEqual([]);
}

async function priceAt(now: string): Promise<void> {
  graph.clock.set(now);
  const job = graph.jobs.find(({ name }) => name === 'tokenization.unit-prices');
  await recordedByClock(context(), async (tx) => job?.run(tx));
}

/** A series at DI that pays in the past and in the future. */
const series = (changes: Json = {}): Json =>
  record('tranches', {
    ticker: 'AURORA1',
    schedulePolicy: null,
    schedule: [
      record('schedule', { calculationDate: '2026-09-15', dueDate: '2026-09-15' }),
      record('schedule', {
        installmentNumber: 2,
        calculationDate: '2027-03-15',
        dueDate: '2027-03-15',
        amortizationPercentage: '100',
      }),
    ],
    ...changes,
  });

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
await addIndexValues(manager, 'DI', diRates(await calendarOf(manager), '2025-01-02', '2026-11-19'));
await importAt('2026-11-19T12:00:00Z', { 'estate.json': wholePatrimony({ tranches: [series()] }) });
await priceAt('2026-11-20T12:00:00Z');
const rows: { estate: string; asset: string }[] = await graph.dataSource.query(
  'SELECT patrimony_id AS estate, id AS asset FROM tokenization.assets',
);
const documents = documentsOf(rows[0]?.estate ?? '', rows[0]?.asset ?? '');
graph.clock.set(moment);
const answers = Object.entries(documents).map(async ([name, text]) => [name, await answer(text, null)] as const);
const kept = Object.fromEntries(await Promise.all(answers));
await importAt('2026-11-21T12:00:00Z', {
  'estate.json': wholePatrimony({
    name: 'Patrimônio Corrigido',
    tranches: [series({ name: 'Série Corrigida', rate: '9' })],
    assets: [
      record('assets', {
        debtorName: 'Bia Nogueira',
        originalValue: '13000.00',
        paymentHistory: [record('installments', { amount: '13000.00' })],
      }),
    ],
  }),
  'index.csv': 'index;date;value\nDI;2026-05-04;1,00\n',
});
await priceAt('2026-11-23T13:00:00Z');

describe('a response as of a moment', () => {
  test('can be had of every query of published facts', () => {
    expect(Object.keys(documents).sort()).toEqual(queriesWithAsOf(graph.schema));
  });

  test('is what it was then, byte for byte, after a correction', async () => {
    for (const [name, document] of Object.entries(documents)) {
      expect([name, await answer(document, moment)]).toEqual([name, kept[name]]);
      expect([name, await answer(document, null)]).not.toEqual([name, kept[name]]);
      expect([name, await answer(document, moment)]).toEqual([name, kept[name]]);
    }
  });

  test('has projections of what was known then', () => {
    expect(kept['paymentSchedule']).not.toContain('"interestValue":null');
  });
});
