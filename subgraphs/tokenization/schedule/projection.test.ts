import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { flat } from '../../../tests/kit/flat.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTokenizationGraph } from '../../../tests/tokenization/graph.js';
import {
  addEstate,
  addIndexValues,
  addInstalment,
  addSeries,
  calendarOf,
  diRates,
  follows,
  indexNumbers,
} from '../../../tests/tokenization/series/kit.js';
import { repriceAll } from '../price-runs/reprice-all.js';

let estate: string;

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
const calendar = await calendarOf(manager);
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

describe('instalments to come', () => {
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
