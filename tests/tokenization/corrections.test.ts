import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importTexts, record, wholePatrimony } from '../../subgraphs/tokenization/import/tests/kit.js';
import { recordedByClock } from '../kit/as-of.js';
import { operator, testContext } from '../kit/context.js';
import type { Json } from '../kit/import.js';
import { openTokenizationGraph, type TokenizationGraph } from './graph.js';
import { addIndexValues, calendarOf, diRates } from './series-kit.js';

let graph: TokenizationGraph;

const context = () => testContext({ manager: graph.dataSource.manager, clock: graph.clock, principal: operator });

async function importAt(now: string, files: Readonly<Record<string, string | Json>>, correct?: string): Promise<void> {
  graph.clock.set(now);
  expect((await importTexts(context(), files, { correct })).errors).toEqual([]);
}

/** Runs every job at its moment: prices, due days, defaults. */
async function jobsAt(now: string): Promise<void> {
  graph.clock.set(now);
  for (const job of graph.jobs) await recordedByClock(context(), (tx) => job.run(tx));
}

const instalment = (changes: Json = {}) => record('installments', { dueDate: '2026-11-23', ...changes });
const estate = ({ asset = {}, debt = instalment(), series = {}, schedule = {} }: Readonly<Record<string, Json>> = {}) =>
  wholePatrimony({
    tranches: [
      record('tranches', {
        schedulePolicy: null,
        schedule: [record('schedule', { dueDate: '2026-11-20', ...schedule })],
        ...series,
      }),
      record('tranches', { ticker: 'RASCUNHO', status: 'DRAFT', schedulePolicy: null, schedule: [], ...series }),
    ],
    assets: [record('assets', { finalDueDate: null, paymentHistory: [debt], ...asset })],
  });

interface Correction {
  readonly kind: string;
  readonly record: string;
  readonly [field: string]: unknown;
}

async function corrections(args = ''): Promise<Correction[]> {
  const { tokenizationCorrections } = await graph.data(
    `{ tokenizationCorrections${args} { nodes { patrimonyTicker kind record date removed reason fields { name before after } } } }`,
  );
  return (tokenizationCorrections as { nodes: Correction[] }).nodes;
}

beforeAll(async () => {
  graph = await openTokenizationGraph();
  const { manager } = graph.dataSource;
  await addIndexValues(manager, 'DI', diRates(await calendarOf(manager), '2025-01-02', '2026-11-20'));
  await importAt('2026-11-18T15:00:00Z', { 'estate.json': estate() });
});
afterAll(() => graph.close());

describe('corrections of an estate', () => {
  test('are not what takes its course: prices of new days, due days that pass, payments and what follows from them', async () => {
    await jobsAt('2026-11-19T15:00:00Z');
    await jobsAt('2026-11-24T15:00:00Z');
    await importAt('2026-11-24T16:00:00Z', {
      'estate.json': estate({
        debt: instalment({ paidAmount: '12000.00', paidOn: '2026-11-24' }),
        schedule: { paidOn: '2026-11-24' },
        series: { investedAmount: '50000000.00' },
      }),
    });
    expect(await corrections()).toEqual([]);
  });

  test('are what was published and is another, without what names a debtor', async () => {
    await importAt(
      '2026-11-25T15:00:00Z',
      {
        'estate.json': estate({
          asset: { debtorName: 'Outra Pessoa', interestRate: '20' },
          debt: instalment({ amount: '1.00', paidAmount: '1.00', paidOn: '2026-11-24' }),
          schedule: { paidOn: '2026-11-23' },
          series: { investedAmount: '50000000.00', name: 'Aurora Corrigida' },
        }),
        'index.csv': 'index;date;value\nDI;2026-11-18;1,00\n',
      },
      'Valores trocados',
    );
    await jobsAt('2026-11-25T16:00:00Z');
    const all = await corrections();
    const of = (kind: string) => all.filter((one) => one.kind === kind);
    const common = { patrimonyTicker: 'PAT-AURORA', removed: false, reason: 'Valores trocados' };
    expect(of('tranches')).toEqual([
      expect.objectContaining({
        ...common,
        record: 'AURORA-TK1',
        fields: [{ name: 'name', before: 'Aurora Sênior', after: 'Aurora Corrigida' }],
      }),
    ]);
    expect(of('schedule')).toEqual([
      expect.objectContaining({
        ...common,
        record: 'AURORA-TK1 1',
        date: '2026-11-20',
        fields: [{ name: 'paidOn', before: '2026-11-24', after: '2026-11-23' }],
      }),
    ]);
    expect(of('assets')).toEqual([
      expect.objectContaining({ ...common, record: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
    ]);
    expect(of('assets')[0]?.['fields']).toContainEqual({
      name: 'interestRate',
      before: '18.50000000',
      after: '20.00000000',
    });
    expect(of('paymentHistory')[0]?.['fields']).toEqual([
      { name: 'amount', before: '12000.00', after: '1.00' },
      { name: 'paidAmount', before: '12000.00', after: '1.00' },
    ]);
    expect(of('indexValues')).toEqual([
      expect.objectContaining({ patrimonyTicker: null, record: 'DI', date: '2026-11-18', reason: 'Valores trocados' }),
    ]);
    // Made anew by the job, for the days after the corrected rate.
    expect(of('unitPrices').map(({ date }) => date)).toContain('2026-11-19');
    expect(JSON.stringify(all)).not.toMatch(/Beatriz|Outra Pessoa|CCB-2025|123456789|RASCUNHO/);
  });

  test('can be had of one estate, or of one series', async () => {
    const kindsOf = async (args: string) => [...new Set((await corrections(args)).map(({ kind }) => kind))].sort();
    expect(await kindsOf('(patrimonyTicker: "pat-aurora", first: 100)')).toEqual([
      'assets',
      'paymentHistory',
      'schedule',
      'tranches',
      'unitPrices',
    ]);
    expect(await kindsOf('(trancheTicker: "aurora-tk1", first: 100)')).toEqual(['schedule', 'tranches', 'unitPrices']);
    expect(await kindsOf('(trancheTicker: "RASCUNHO")')).toEqual([]);
  });
});
