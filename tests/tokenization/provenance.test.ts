import { afterAll, describe, expect, test } from '@jest/globals';
import { flat } from '../kit/flat.js';
import { z } from 'zod';
import { anonymous } from '../../shared/kernel/context.js';
import { Decimal, round, truncate } from '../../shared/kernel/decimal.js';
import { recordedByClock } from '../kit/as-of.js';
import { testContext } from '../kit/context.js';
import { openTokenizationGraph } from './graph.js';
import {
  addEstate,
  addIndexValues,
  addInstalment,
  addSeries,
  calendarOf,
  diRates,
  follows,
  indexNumbers,
} from './series/kit.js';

const made = '2026-11-20T15:00:00.000Z';

const context = () =>
  testContext({ manager: graph.dataSource.manager, clock: graph.clock, principal: anonymous('127.0.0.1') });

const recorded = (work: (manager: typeof graph.dataSource.manager) => Promise<unknown>) =>
  recordedByClock(context(), (tx) => work(tx.manager));

async function priceAt(now: string): Promise<void> {
  graph.clock.set(now);
  await recordedByClock(context(), async (tx) =>
    graph.jobs.find(({ name }) => name === 'tokenization.unit-prices')?.run(tx),
  );
}

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const calendar = await calendarOf(graph.dataSource.manager);
graph.clock.set('2026-11-19T15:00:00Z');
await recorded(async (manager) => {
  const estate = await addEstate(manager, 'PAT');
  await addIndexValues(manager, 'DI', diRates(calendar, '2026-02-02', '2026-11-19'));
  await addIndexValues(manager, 'IPCA', indexNumbers('2025-12', 11));
  const di = { ...follows.di, di_percentage: '97.5', di_lag_business_days: 2 };
  for (const [ticker, columns] of Object.entries({ FIXED: {}, DI: di, IPCA: follows.ipca })) {
    const id = await addSeries(manager, estate, ticker, columns);
    await addInstalment(manager, id, 1, '2026-09-15', '30');
    await addInstalment(manager, id, 2, '2027-03-15', '100');
  }
});
await priceAt(made);

const used = z.object({ date: z.string(), value: z.string(), version: z.number() });
const priceForm = z.object({
  date: z.string(),
  version: z.number(),
  baseValue: z.string(),
  nominalValue: z.string(),
  unitPrice: z.string(),
  interestJ: z.string(),
  diProduct: z.string(),
  provenance: z.object({
    policy: z.object({
      version: z.number(),
      rate: z.string(),
      indexer: z.string(),
      diPercentage: z.string().nullable(),
    }),
    countedDays: z.number(),
    yearDays: z.number(),
    diRates: z.array(used.extend({ dailyRate: z.string() })),
    indexMonths: z.array(
      z.object({
        elapsedDays: z.number(),
        totalDays: z.number(),
        number: used,
        previousNumber: used,
        factor: z.string(),
      }),
    ),
    instalment: z.object({ installmentNumber: z.number(), amortizationPercentage: z.string() }).nullable(),
    rules: z.array(z.string()),
  }),
});
type Price = z.infer<typeof priceForm>;

async function pricesOf(ticker: string, args: string): Promise<Price[]> {
  const value = 'date value version';
  const { tranche } = await graph.data(`{ tranche(ticker: "${ticker}") { unitPrices(${args}) { nodes {
    date version baseValue nominalValue unitPrice interestJ diProduct provenance {
      policy { version rate indexer diPercentage } countedDays yearDays diRates { ${value} dailyRate }
      indexMonths { elapsedDays totalDays number { ${value} } previousNumber { ${value} } factor }
      instalment { installmentNumber amortizationPercentage } rules } } } } }`);
  return z.object({ unitPrices: z.array(priceForm) }).parse(flat(tranche)).unitPrices;
}

const one = new Decimal(1);
const percent = (text: string) => new Decimal(text).div(100);

/** The unit price of a day only from its inputs, as an analyst who has the rules calculates it. */
function calculated({ baseValue, provenance }: Price): string {
  const { policy, countedDays, yearDays, diRates, indexMonths } = provenance;
  const diProduct = diRates.reduce((product, { value }) => {
    const daily = round(percent(value).plus(1).pow(one.div(252)).minus(1), 8);
    return truncate(product.times(truncate(daily.times(percent(policy.diPercentage ?? '0')).plus(1), 16)), 16);
  }, one);
  const indexFactor = indexMonths.reduce((product, { number, previousNumber, elapsedDays, totalDays }) => {
    const ratio = new Decimal(number.value).div(previousNumber.value);
    return product.times(truncate(ratio.pow(new Decimal(elapsedDays).div(totalDays)), 8));
  }, one);
  const spread = round(percent(policy.rate).plus(1).pow(new Decimal(countedDays).div(yearDays)), 9);
  const interest = round(round(diProduct, 8).times(spread), 9);
  const nominal = truncate(new Decimal(baseValue).times(truncate(indexFactor, 8)), 8);
  return nominal.plus(truncate(nominal.times(interest.minus(1)), 8)).toFixed(8);
}

describe('the inputs of a unit price', () => {
  test.each(['FIXED', 'DI', 'IPCA'])('make it again to the last digit: %s', async (ticker) => {
    const prices = await pricesOf(ticker, 'last: 60, to: "2026-11-20"');
    expect(prices).toHaveLength(60);
    for (const price of prices) expect([price.date, calculated(price)]).toEqual([price.date, price.unitPrice]);
  });

  test('name the instalment of the day, and the rules of the series', async () => {
    const [price] = await pricesOf('IPCA', 'from: "2026-09-15", to: "2026-09-15"');
    expect(price?.provenance.instalment).toEqual({ installmentNumber: 1, amortizationPercentage: '30.00' });
    const rules = price?.provenance.rules.join('\n') ?? '';
    for (const words of ['Lag: ', '2 months before', 'Pro rata: Business days', 'Base: The last event'])
      expect(rules).toContain(words);
  });

  test('cost as many statements for many prices as for one', async () => {
    const one = await graph.countQueries(() => pricesOf('DI', 'last: 1'));
    expect(await graph.countQueries(() => pricesOf('DI', 'last: 50'))).toBe(one);
  });

  test('are those that each version was made of, after the market and the policy were corrected', async () => {
    const [before] = await pricesOf('DI', 'from: "2026-11-18", to: "2026-11-18"');
    graph.clock.set('2026-11-21T15:00:00Z');
    await recorded(async (manager) => {
      await manager.query(
        `INSERT INTO tokenization.index_values (index_name, date, version, value, recorded_at)
         VALUES ('DI', '2026-11-03', 2, 1, $1)`,
        [graph.clock.now()],
      );
      await manager.query(
        `UPDATE tokenization.tranches SET rate = 11, policy_version = policy_version + 1 WHERE ticker = 'DI'`,
      );
    });
    await priceAt('2026-11-21T16:00:00Z');
    const [after] = await pricesOf('DI', 'from: "2026-11-18", to: "2026-11-18"');
    const [then] = await pricesOf('DI', `from: "2026-11-18", to: "2026-11-18", asOf: "${made}"`);
    expect(then).toEqual(before);
    const of = (price: Price | undefined) => ({
      version: price?.version,
      rate: price?.provenance.policy.rate,
      policy: price?.provenance.policy.version,
      used: price?.provenance.diRates.find(({ date }) => date === '2026-11-03')?.version,
    });
    expect(of(before)).toEqual({ version: 1, rate: '12.00', policy: 1, used: 1 });
    expect(of(after)).toEqual({ version: 2, rate: '11.00', policy: 2, used: 2 });
    if (after !== undefined) expect(calculated(after)).toBe(after.unitPrice);
  });
});

describe('a series says of its price', () => {
  const read = async () => (await graph.data('{ tranche(ticker: "IPCA") { pricedOn stale missingInput } }'))['tranche'];

  test('its day, whether a newer one is due, and what that lacks', async () => {
    graph.clock.set('2026-11-20T16:00:00Z');
    expect(await read()).toEqual({ pricedOn: '2026-11-19', stale: false, missingInput: null });
    graph.clock.set('2026-11-22T12:00:00Z');
    expect(await read()).toMatchObject({ stale: false });
    graph.clock.set('2026-11-23T12:00:00Z');
    expect(await read()).toMatchObject({ pricedOn: '2026-11-19', stale: true });
    await priceAt('2026-12-31T15:00:00Z');
    const details = z.object({ pricedOn: z.string(), stale: z.boolean(), missingInput: z.string() });
    expect(details.parse(await read())).toMatchObject({
      stale: true,
      missingInput: expect.stringMatching(/^IPCA 2026-/),
    });
  });

  test('which instalments are projected', async () => {
    graph.clock.set('2026-11-20T16:00:00Z');
    const { tranche, paymentSchedule } = await graph.data(`{
      tranche(ticker: "FIXED") { schedule { nodes { installmentNumber projected } } }
      paymentSchedule(ticker: "FIXED") { items { installmentNumber projected } }
    }`);
    const expected = [
      { installmentNumber: 1, projected: false },
      { installmentNumber: 2, projected: true },
    ];
    expect(flat(tranche)).toEqual({ schedule: expected });
    expect(paymentSchedule).toEqual({ items: expected });
  });
});

test('a projection is one of the inputs that make a price again', async () => {
  graph.clock.set('2026-12-31T14:00:00Z');
  await recorded((manager) =>
    manager.query(
      `INSERT INTO tokenization.projected_index_values (index_name, month, published_on, version, percent, source, recorded_at)
       VALUES ('IPCA', '2026-11-01', '2026-12-10', 1, 0.5, 'ANBIMA', $1)`,
      [graph.clock.now()],
    ),
  );
  await priceAt('2026-12-31T15:00:00Z');
  const [price] = await pricesOf('IPCA', 'from: "2026-12-30", to: "2026-12-30"');
  expect(price && calculated(price)).toBe(price?.unitPrice);
  const { tranche } = await graph.data(`{ tranche(ticker: "IPCA") { projected projection unitPrices(last: 1) { nodes {
    projected provenance { indexMonths { number { value publishedOn projection { percent source } } previousNumber { value } } } } } } }`);
  const read = z.object({
    projected: z.literal(true),
    projection: z.literal('PROVISIONAL'),
    unitPrices: z.array(
      z.object({
        projected: z.literal(true),
        provenance: z.object({
          indexMonths: z.array(z.object({ number: z.unknown(), previousNumber: used.partial() })),
        }),
      }),
    ),
  });
  const month = read.parse(flat(tranche)).unitPrices[0]?.provenance.indexMonths.at(-1);
  expect(month?.number).toEqual({
    value: new Decimal(month?.previousNumber.value ?? 0).times('1.005').toFixed(),
    publishedOn: '2026-12-10',
    projection: { percent: '0.50', source: 'ANBIMA' },
  });
});
