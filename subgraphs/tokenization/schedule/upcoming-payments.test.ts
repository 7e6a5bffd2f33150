import { afterAll, expect, test, beforeEach, describe } from '@jest/globals';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { testContext } from '../../../tests/kit/context.js';
import type { Page } from '../../../tests/kit/pages.js';
import { openTokenizationGraph } from '../../../tests/tokenization/graph.js';
import {
  addEstate,
  addInstalment,
  addSeries,
  calendarOf,
  follows,
  addIndexValues,
  diRates,
  indexNumbers,
} from '../../../tests/tokenization/series/kit.js';
import { repriceAll } from '../price-runs/reprice-all.js';
import { flat } from '../../../tests/kit/flat.js';

interface Payment {
  readonly trancheTicker: string;
  readonly dueDate: string;
  readonly interestValue: string | null;
  readonly totalValue: string | null;
  readonly projected: boolean;
  readonly daysLate: number | null;
}
interface Listed extends Page<Payment> {
  readonly unknownTickers: readonly string[];
  readonly totals: Readonly<Record<string, number | string | null>>;
}

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
const calendar = await calendarOf(manager);
graph.clock.set('2026-11-20T15:00:00Z');
const estate = await addEstate(manager, 'PAT1');
for (const [ticker, columns] of [
  ['B1', {}],
  ['A1', {}],
  ['DRAFT', { status: 'DRAFT' }],
  // No rate of DI was ever published: its payments cannot be projected.
  ['UNKNOWN', follows.di],
] as const) {
  const series = await addSeries(manager, estate, ticker, columns);
  await addInstalment(manager, series, 1, '2026-11-10', '10');
  await addInstalment(manager, series, 2, '2026-12-15', '20');
  await addInstalment(manager, series, 3, '2027-06-15', '100');
}
await repriceAll(testContext({ manager, clock: graph.clock }), { calendar });

async function upcoming(args: string): Promise<Listed> {
  const { upcomingPayments } =
    await graph.data(`{ upcomingPayments${args} { totalCount pageInfo { endCursor hasNextPage }
    unknownTickers nodes { trancheTicker dueDate interestValue totalValue projected daysLate }
    totals { count interestValue principalValue totalValue projectedCount withoutValue } } }`);
  return upcomingPayments as Listed;
}

test('those of the next 90 days are listed by due date and ticker, of series that are offered or in force', async () => {
  const { nodes, totalCount } = await upcoming('');
  expect(nodes.map(({ trancheTicker, dueDate }) => `${dueDate} ${trancheTicker}`)).toEqual([
    '2026-12-15 A1',
    '2026-12-15 B1',
    '2026-12-15 UNKNOWN',
  ]);
  expect(totalCount).toBe(3);
  expect(nodes.map(({ projected }) => projected)).toEqual([true, true, false]);
});

test('totals are the sums of all pages, and say what they are without', async () => {
  const { nodes, totals } = await upcoming('(first: 2)');
  const sumOf = (values: readonly (string | null)[]) =>
    values.reduce((total, value) => total.plus(value ?? 0), new Decimal(0)).toFixed(2);
  expect(totals).toMatchObject({
    count: 3,
    totalValue: sumOf(nodes.map(({ totalValue }) => totalValue)),
    interestValue: sumOf(nodes.map(({ interestValue }) => interestValue)),
    projectedCount: 2,
    withoutValue: 1,
  });
  expect(Number(totals['interestValue'])).toBeGreaterThan(0);
});

test('a period with earlier days has overdue payments, which are not projected; tickers narrow it', async () => {
  const { nodes, totals } = await upcoming('(from: "2026-11-01", to: "2027-12-31", tickers: ["b1", "none"])');
  expect(nodes.map(({ dueDate, projected }) => [dueDate, projected])).toEqual([
    ['2026-11-10', false],
    ['2026-12-15', true],
    ['2027-06-15', true],
  ]);
  expect(totals).toMatchObject({ count: 3, withoutValue: 0 });
});

test('those that are overdue are listed whatever their period, with the days by which they are late, and named tickers that do not exist', async () => {
  const late = await upcoming('(status: OVERDUE)');
  expect(late.nodes.map(({ trancheTicker, dueDate, daysLate }) => [trancheTicker, dueDate, daysLate])).toEqual([
    ['A1', '2026-11-10', 10],
    ['B1', '2026-11-10', 10],
    ['UNKNOWN', '2026-11-10', 10],
  ]);
  expect(late.totals).toMatchObject({ count: 3, withoutValue: 1, projectedCount: 0 });
  expect(Number(late.totals['totalValue'])).toBeGreaterThan(0);
  expect((await upcoming('(status: OVERDUE, tickers: ["UNKNOWN"])')).totals).toMatchObject({
    count: 1,
    totalValue: null,
  });
  expect((await upcoming('(from: "2060-01-01")')).totals).toMatchObject({ count: 0, totalValue: '0.00' });
  const some = await upcoming('(status: OVERDUE, tickers: ["b1", "NADA", "nada%"])');
  expect([some.totalCount, some.unknownTickers]).toEqual([1, ['NADA', 'nada%']]);
  expect((await upcoming('(status: PENDING)')).nodes.map(({ daysLate }) => daysLate)).toEqual([null, null, null]);
  expect(await upcoming('(to: "2026-11-15")')).toMatchObject({ totalCount: 3 });
});

test('an instalment is overdue from the day after its due date on, whether or not the job has marked it; one that is paid is listed as paid', async () => {
  const estate = await addEstate(manager, 'PAT2');
  const series = await addSeries(manager, estate, 'EDGE', {});
  await addInstalment(manager, series, 1, '2026-11-18', '10');
  await addInstalment(manager, series, 2, '2026-11-19', '10');
  const overdueOn = async (moment: string) => {
    graph.clock.set(moment);
    return (await upcoming('(status: OVERDUE, tickers: ["EDGE"])')).totalCount;
  };
  expect(await overdueOn('2026-11-18T15:00:00Z')).toBe(0);
  expect(await overdueOn('2026-11-19T15:00:00Z')).toBe(1);
  expect(await overdueOn('2026-11-20T15:00:00Z')).toBe(2);
  await manager.query(
    `UPDATE tokenization.schedule_entries SET status = 'PAID', paid_on = '2026-11-19',
       interest_value = 1, principal_value = 10, total_value = 11
     WHERE tranche_id = $1 AND installment_number = 1`,
    [series],
  );
  expect(await overdueOn('2026-11-20T15:00:00Z')).toBe(1);
  expect(await upcoming('(status: PAID, tickers: ["EDGE"])')).toMatchObject({
    nodes: [{ dueDate: '2026-11-18', daysLate: null }],
    totals: { count: 1, totalValue: '11.00' },
  });
});

test('pages follow one another, also across midnight, and a cursor of another filter is refused', async () => {
  const first = await upcoming('(first: 1)');
  expect(first.pageInfo.hasNextPage).toBe(true);
  const cursor = first.pageInfo.endCursor ?? '';
  graph.clock.set('2026-11-21T15:00:00Z');
  const second = await upcoming(`(first: 1, after: "${cursor}")`);
  expect(second.nodes.map(({ trancheTicker }) => trancheTicker)).toEqual(['B1']);
  await expect(upcoming(`(after: "${cursor}", tickers: ["B1"])`)).rejects.toThrow('BAD_REQUEST');
  await expect(upcoming('(from: "2027-01-02", to: "2027-01-01")')).rejects.toThrow('BAD_REQUEST');
  expect((await upcoming('(from: "9999-12-30")')).nodes).toEqual([]);
});

test('nextPayment of a series is the first of its upcoming payments, and not an instalment that pays nothing', async () => {
  graph.clock.set('2026-11-20T15:00:00Z');
  const series = await addSeries(manager, await addEstate(manager, 'PAT3'), 'GRACE');
  await addInstalment(manager, series, 1, '2026-12-15', '0');
  await addInstalment(manager, series, 2, '2027-01-15', '0');
  await addInstalment(manager, series, 3, '2027-02-15', '50');
  await addInstalment(manager, series, 4, '2027-03-15', '100');
  await manager.query(
    `UPDATE tokenization.schedule_entries SET interest_event = CASE installment_number WHEN 1 THEN 'ACCRUED' ELSE 'INCORPORATED' END
     WHERE tranche_id = $1 AND installment_number < 3`,
    [series],
  );
  const { tranches } = await graph.data(
    '{ tranches(filter: { tickers: ["A1", "B1", "DRAFT", "GRACE", "UNKNOWN"] }) { nodes { ticker nextPayment { dueDate } } } }',
  );
  expect(
    new Map((tranches as { nodes: object[] }).nodes.map((one) => Object.values(one) as [string, unknown])),
  ).toEqual(
    new Map<string, unknown>([
      ['A1', { dueDate: '2026-12-15' }],
      ['B1', { dueDate: '2026-12-15' }],
      ['DRAFT', null],
      ['GRACE', { dueDate: '2027-02-15' }],
      ['UNKNOWN', { dueDate: '2026-12-15' }],
    ]),
  );
});

describe('instalments to come', () => {
  let estate: string;
  beforeEach(async () => {
    await graph.asOwner('TRUNCATE tokenization.patrimonies, tokenization.index_values, shared.outbox CASCADE');
    estate = await addEstate(manager, 'PAT1');
  });
  interface Values {
    readonly interestValue: string | null;
    readonly principalValue: string | null;
    readonly totalValue: string | null;
  }
  const values = 'installmentNumber interestValue principalValue totalValue';
  const money = expect.stringMatching(/^\d+\.\d\d$/);
  const unknown = { interestValue: null, principalValue: null, totalValue: null };
  /** Returns the schedule from the documented query, after checking that front ends see the same. */
  async function scheduleOf(ticker: string): Promise<Values[]> {
    const { paymentSchedule, tranche } = await graph.data(
      `query ($ticker: String!) { paymentSchedule(ticker: $ticker) { items { ${values} } }
       tranche(ticker: $ticker) { schedule { nodes { ${values} } } } }`,
      { ticker },
    );
    const { items } = paymentSchedule as { items: Values[] };
    expect((flat(tranche) as { schedule: Values[] }).schedule).toEqual(items);
    return items;
  }
  const price = (day: string) => {
    graph.clock.set(`${day}T15:00:00Z`);
    return repriceAll(testContext({ manager, clock: graph.clock }), { calendar });
  };
  async function addInstalments(series: string): Promise<void> {
    // 15 August 2026 is a Saturday.
    await addInstalment(manager, series, 1, '2026-04-15', '10');
    await addInstalment(manager, series, 2, '2026-06-15', '0', { interest_event: 'INCORPORATED' });
    await addInstalment(manager, series, 3, '2026-08-15', '30', { due_date: '2026-08-17' });
    await addInstalment(manager, series, 4, '2026-10-15', '100');
  }

  test.each([
    ['a fixed rate', {}],
    ['DI', follows.di],
    ['IPCA', follows.ipca],
  ])('of a series with %s are what the engine will price, with the newest numbers held', async (_name, columns) => {
    const rates = diRates(calendar, '2026-03-02', '2026-06-09');
    const numbers = indexNumbers('2025-12', 6);
    await addIndexValues(manager, 'DI', rates);
    await addIndexValues(manager, 'IPCA', numbers);
    await addInstalments(await addSeries(manager, estate, 'S1', columns));
    await price('2026-06-10');
    const projected = await scheduleOf('S1');
    expect(projected).toHaveLength(4);
    for (const one of projected)
      expect(one).toMatchObject({ interestValue: money, principalValue: money, totalValue: money });
    const flat = (value: string | undefined, days: readonly string[]) =>
      Object.fromEntries(days.map((day) => [day, value ?? '']));
    const later = Object.keys(diRates(calendar, '2026-06-10', '2026-10-14'));
    await addIndexValues(manager, 'DI', flat(Object.values(rates).at(-1), later));
    const months = ['2026-06-01', '2026-07-01', '2026-08-01', '2026-09-01'];
    await addIndexValues(manager, 'IPCA', flat(Object.values(numbers).at(-1), months));
    await price('2026-10-15');
    expect(await scheduleOf('S1')).toEqual(projected);
    const [{ unpriced } = { unpriced: -1 }]: { unpriced: number }[] = await manager.query(
      'SELECT (count(*) FILTER (WHERE total_value IS NULL))::integer AS unpriced FROM tokenization.schedule_entries',
    );
    expect(unpriced).toBe(0);
  });

  test('follow an index number as soon as it is there', async () => {
    await addIndexValues(manager, 'IPCA', indexNumbers('2025-12', 6));
    await addInstalments(await addSeries(manager, estate, 'S1', follows.ipca));
    await price('2026-06-10');
    const before = await scheduleOf('S1');
    await addIndexValues(manager, 'IPCA', { '2026-06-01': '7500' });
    const after = await scheduleOf('S1');
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(Number(after[3]?.principalValue)).toBeGreaterThan(Number(before[3]?.principalValue));
  });

  test('of a series that has yet to begin are shown from its start', async () => {
    graph.clock.set('2026-02-10T15:00:00Z');
    await addInstalments(await addSeries(manager, estate, 'S1', { status: 'FUNDRAISING' }));
    expect((await scheduleOf('S1'))[0]).toMatchObject({ interestValue: money, principalValue: '100000.00' });
  });

  test('keep what was priced, or paid', async () => {
    const series = await addSeries(manager, estate, 'S1');
    await addInstalments(series);
    await price('2026-06-10');
    await manager.query(
      `UPDATE tokenization.schedule_entries SET status = 'PAID', paid_on = due_date, interest_value = 1, principal_value = 2,
         total_value = 3 WHERE installment_number = 1`,
    );
    expect((await scheduleOf('S1'))[0]).toMatchObject({
      interestValue: '1.00',
      principalValue: '2.00',
      totalValue: '3.00',
    });
  });

  test.each([
    ['of an index that was never published', follows.di, '2026-10-15'],
    ['of a series that ended', { status: 'CLOSED' }, '2026-10-15'],
    ['beyond the calendar', {}, '2099-10-15'],
  ])('%s have no value: nothing is invented', async (_name, columns, day) => {
    await addInstalment(manager, await addSeries(manager, estate, 'S1', columns), 1, day, '100');
    expect(await scheduleOf('S1')).toMatchObject([unknown]);
  });

  test('of many series cost as many queries as those of one', async () => {
    for (const ticker of ['S1', 'S2', 'S3']) await addInstalments(await addSeries(manager, estate, ticker));
    const document = `query ($first: Int!) { tranches(first: $first) { nodes { schedule { nodes { ${values} } } } } }`;
    const one = await graph.countQueries(() => graph.data(document, { first: 1 }));
    expect(await graph.countQueries(() => graph.data(document, { first: 3 }))).toBe(one);
  });
});
