import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { flat } from '../kit/flat.js';
import { parse } from 'graphql';
import { createLocalBus } from '../../shared/events/bus.js';
import type { Context, Principal } from '../../shared/kernel/context.js';
import { createRelay } from '../../shared/events/outbox/relay.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { operator, testContext } from '../kit/context.js';
import { until } from '../kit/until.js';
import { openTokenizationGraph } from './graph.js';
import { repriceAll } from '../../subgraphs/tokenization/price-runs/reprice-all.js';
import { addEstate, addIndexValues, addInstalment, addSeries, calendarOf, diRates, follows } from './series/kit.js';

let estate: string;
const bus = createLocalBus();

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
beforeEach(async () => {
  await graph.empty();
  await graph.asOwner('TRUNCATE tokenization.index_values');
  estate = await addEstate(manager, 'PAT1');
});

const context = (principal: Principal = operator, parts: Partial<Context> = {}) =>
  testContext({ manager: manager, clock: graph.clock, bus, principal, ...parts });

const run = (document: string, principal?: Principal, parts?: Partial<Context>): Promise<GraphResult> =>
  graph.executor.execute({ document: parse(document) }, context(principal, parts));

async function repriced(): Promise<unknown> {
  const { data } = await run('mutation { reprice { id series } }');
  const { id, series } = data?.['reprice'] as { id: string; series: number };
  const outcome = await until('the prices', async () => {
    const [found] = await manager.query<Record<string, unknown>[]>(
      'SELECT series, prices, missing, fault FROM tokenization.reprice_requests WHERE id = $1 AND finished_at IS NOT NULL',
      [id],
    );
    return found;
  });
  expect(outcome['series']).toBe(series);
  return outcome;
}

const codeOf = ({ errors }: GraphResult) => errors?.[0]?.extensions['code'];

describe('the acts', () => {
  const id = '0190b1a0-0000-7000-8000-000000000000';
  const acts = [
    'changeTrancheStatus(ticker: "S1", status: ACTIVE) { ticker }',
    `generateSchedule(ticker: "S1", schedule: {firstMonth: "2026-04", anniversaryDay: 15, installments: 2,
       amortization: {system: SAC}}) { ticker }`,
    'recordPayment(ticker: "S1", installmentNumber: 1, paidOn: "2026-06-09") { status }',
    `recordAssetPayment(assetId: "${id}", installmentNumber: 1, paidOn: "2026-06-09") { status }`,
    `writeOffAsset(assetId: "${id}") { status }`,
    'reversePayment(ticker: "S1", installmentNumber: 1, reason: "r") { status }',
    `reverseAssetPayment(assetId: "${id}", installmentNumber: 1, reason: "r") { status }`,
    'reprice(ticker: "S1") { id }',
  ];
  const session = { kind: 'SESSION', id: 's', ownerId: 'a', scopes: ['confirmed'] } as const;
  const developer = { kind: 'DEVELOPER_KEY', id: 'k', ownerId: 'a', scopes: ['contracts:read'] } as const;

  test.each(acts)('%s is for operators alone', async (act) => {
    expect(codeOf(await run(`mutation { ${act} }`, session))).toBe('FORBIDDEN');
    expect(codeOf(await run(`mutation { ${act} }`, developer))).toBe('FORBIDDEN');
    expect(codeOf(await run(`mutation { ${act} }`))).toBe('NOT_FOUND');
  });

  test('a series goes from its draft to its first payment', async () => {
    await addSeries(manager, estate, 'S1', { status: 'DRAFT' });
    const answers = [];
    for (const act of [
      `generateSchedule(ticker: "S1", schedule: {firstMonth: "2026-04", anniversaryDay: 15, installments: 4,
         amortization: {system: TABLE, percentages: ["10", "20", "50", "100"]}}) { schedule { nodes { amortizationPercentage } } }`,
      'changeTrancheStatus(ticker: "S1", status: FUNDRAISING) { status }',
      'recordPayment(ticker: "S1", installmentNumber: 1, paidOn: "2026-04-15") { status principalValue paidOn }',
    ]) {
      if (act.startsWith('recordPayment')) answers.push(await repriced());
      const { data, errors } = await run(`mutation { act: ${act} }`);
      expect(errors).toBeUndefined();
      answers.push(flat(data?.['act']));
    }
    const percentages = ['10.00', '20.00', '50.00', '100.00'];
    expect(answers).toEqual([
      { schedule: percentages.map((each) => ({ amortizationPercentage: each })) },
      { status: 'FUNDRAISING' },
      { series: 1, prices: expect.any(Number), missing: [], fault: null },
      { status: 'PAID', principalValue: '100000.00', paidOn: '2026-04-15' },
    ]);
  });

  test.each([
    [
      'recordPayment(ticker: "S1", installmentNumber: 1, paidOn: "2026-06-09", interestValue: "1") { status }',
      'principalValue',
    ],
    [
      'generateSchedule(ticker: "S1", schedule: {firstMonth: "2026-04", anniversaryDay: 15, installments: 2, amortization: {system: PRICE}}) { ticker }',
      'schedule.amortization.rate',
    ],
  ])('%s says what it lacks', async (act, path) => {
    const answer = await run(`mutation { ${act} }`);
    expect(codeOf(answer)).toBe('BAD_REQUEST');
    expect(answer.errors?.[0]?.extensions['details']).toMatchObject([{ path }]);
  });

  test('a price waits for a number, and says for which', async () => {
    await addIndexValues(manager, 'DI', diRates(await calendarOf(manager), '2026-03-02', '2026-06-01'));
    await addSeries(manager, estate, 'S1', follows.di);
    expect(await repriced()).toMatchObject({ missing: [{ input: 'DI 2026-06-02', series: 1 }], fault: null });
  });

  test('prices that were asked for are made when nobody was woken, or whoever was woken was killed', async () => {
    const series = await addSeries(manager, estate, 'S1');
    await manager.query(
      `INSERT INTO tokenization.reprice_requests (id, tranche_id, series, requested_at, due_at, lease)
       VALUES (gen_random_uuid(), NULL, 1, '2026-06-10T14:00:00Z', '2026-06-10T14:00:00Z', NULL),
         (gen_random_uuid(), $1, 1, '2026-06-10T14:00:00Z', '2026-06-10T14:11:00Z', gen_random_uuid())`,
      [series],
    );
    const job = graph.jobs.find(({ name }) => name === 'tokenization.unit-prices');
    await job?.run(context());
    const open: unknown[] = await manager.query('SELECT FROM tokenization.reprice_requests WHERE finished_at IS NULL');
    expect(open).toEqual([]);
  });

  test('prices that cannot be made are reported, after the others were made', async () => {
    await addSeries(manager, estate, 'BAD', { rate: '999999', remuneration_start_date: '2020-01-02' });
    await addSeries(manager, estate, 'S1');
    expect(await repriced()).toMatchObject({ series: 2, prices: null, fault: expect.stringMatching(/BAD/) });
    expect(await run('{ tranche(ticker: "S1") { pricedOn } }')).toEqual({
      data: { tranche: { pricedOn: '2026-06-10' } },
    });
  });

  test('a payment of holders that is reversed leaves instalment and price as they were', async () => {
    await addInstalment(manager, await addSeries(manager, estate, 'S1'), 1, '2026-06-10', '100');
    await repriceAll(context(), { calendar: await calendarOf(manager) });
    const state = () =>
      run('{ tranche(ticker: "S1") { unitPrice pricedOn schedule { nodes { status paidOn totalValue } } } }');
    const reverse = (reason: string) =>
      run(`mutation { reversePayment(ticker: "s1", installmentNumber: 1, reason: "${reason}") { status } }`);
    const before = await state();
    expect(codeOf(await reverse('returned'))).toBe('CONFLICT');
    await run('mutation { recordPayment(ticker: "S1", installmentNumber: 1, paidOn: "2026-06-10") { status } }');
    expect(await state()).toMatchObject({ data: { tranche: { unitPrice: '0.00000000' } } });
    expect(codeOf(await reverse(' '))).toBe('BAD_REQUEST');
    expect(await reverse('returned')).toMatchObject({ data: { reversePayment: { status: 'PENDING' } } });
    expect(await state()).toEqual(before);
  });

  test('a series that has no prices is not priced', async () => {
    await addSeries(manager, estate, 'S1', { status: 'DRAFT' });
    expect(codeOf(await run('mutation { reprice(ticker: "S1") { id } }'))).toBe('CONFLICT');
  });
});

describe('the stream of unit prices', () => {
  const document = parse(`subscription { trancheUnitPriceUpdated(ticker: "s1") {
    date unitPrice nominalValue interestJ tranche { ticker pricedOn patrimony { ticker } } } }`);
  const nobody = { kind: 'ANONYMOUS', id: '::1', ownerId: '::1', scopes: [] } as const;

  test('sends whoever listens each new price of the series, and of no other', async () => {
    await addSeries(manager, estate, 'S1');
    await addSeries(manager, estate, 'S2');
    await addInstalment(manager, await addSeries(manager, estate, 'S3'), 1, '2026-06-15', '100');
    const stream = await graph.executor.subscribe({ document }, context(nobody));
    if (!(Symbol.asyncIterator in stream)) throw new Error(JSON.stringify(stream));
    for (const day of ['2026-06-10', '2026-06-11']) {
      graph.clock.set(`${day}T15:00:00Z`);
      await repriced();
      await createRelay(context()).drain();
      expect((await stream.next()).value).toEqual({
        data: {
          trancheUnitPriceUpdated: {
            date: day,
            unitPrice: expect.stringMatching(/^\d+\.\d{8}$/),
            nominalValue: '1000.00000000',
            interestJ: expect.stringMatching(/^\d+\.\d{8}$/),
            tranche: { ticker: 'S1', pricedOn: day, patrimony: { ticker: 'PAT1' } },
          },
        },
      });
    }
    await stream.return?.();
  });

  test('is read once of the database, however many listen', async () => {
    await addSeries(manager, estate, 'S1');
    const told = async (streams: readonly unknown[], day: string) => {
      graph.clock.set(`${day}T15:00:00Z`);
      await repriceAll(context(), { calendar: await calendarOf(manager) });
      await createRelay(context()).drain();
      return graph.countQueries(() =>
        Promise.all((streams as AsyncIterableIterator<unknown>[]).map((stream) => stream.next())),
      );
    };
    const bare = 'subscription { trancheUnitPriceUpdated(ticker: "S1") { date tranche { ticker } } }';
    const one = await graph.executor.subscribe({ document: parse(bare) }, context(nobody));
    expect(await told([one], '2026-06-10')).toBe(1);
    const many = await Promise.all(
      Array.from({ length: 5 }, () => graph.executor.subscribe({ document: parse(bare) }, context(nobody))),
    );
    expect(await told([one, ...many], '2026-06-11')).toBe(1);
    for (const stream of [one, ...many]) await (stream as AsyncIterableIterator<unknown>).return?.();
  });
});
