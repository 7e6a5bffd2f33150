import { afterAll, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTokenizationGraph } from '../../../tests/tokenization/graph.js';
import { addIndexValues } from '../../../tests/tokenization/series/kit.js';

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;

/** 15 November 2026 is a Sunday; 20 November, a Friday, is a holiday. */
const rates = {
  '2026-11-11': '14.90',
  '2026-11-12': '14.90',
  '2026-11-13': '14.65',
  '2026-11-16': '14.65',
  '2026-11-17': '14.65',
};
await addIndexValues(manager, 'DI', rates, '2026-11-18');

interface Period {
  readonly from: string;
  readonly to: string;
  readonly first?: string;
  readonly last?: string;
  readonly paid?: string | null;
  readonly factor?: string | null;
}
const cdiOf = async (periods: readonly Period[], asOf?: string) => {
  const representations = periods.map((period) => ({
    __typename: 'SeriesReturn',
    first: '1000.00000000',
    last: '1000.00000000',
    paid: '0.00000000',
    factor: '1.000000000000',
    ...period,
  }));
  const { data, errors } = await graph.executor.execute(
    {
      document:
        parse(`query ($representations: [_Any!]!, $asOf: DateTime) { _entities(representations: $representations) {
        ... on SeriesReturn { cdi(asOf: $asOf) { percent percentOfCdi } } } }`),
      variables: { representations, asOf },
    },
    testContext({ manager, clock: graph.clock }),
  );
  expect(errors).toBeUndefined();
  return (data?.['_entities'] as { cdi: unknown }[]).map(({ cdi }) => cdi);
};
/** Π (1 + TDI), by the formula of B3. */
const accumulated = (...days: readonly string[]) =>
  days.reduce((product, rate) => {
    const daily = new Decimal(rate).div(100).plus(1).pow(new Decimal(1).div(252)).minus(1);
    return product.times(daily.toDecimalPlaces(8, Decimal.ROUND_HALF_UP).plus(1));
  }, new Decimal(1));

test('the CDI accumulates over the business days from the first price up to the day before the last', async () => {
  const factor = accumulated('14.90', '14.90', '14.65').toDecimalPlaces(8);
  const percent = factor.minus(1).times(100);
  const [whole, ofWeekend] = await cdiOf([
    { from: '2026-11-11', to: '2026-11-16', factor: '1.002000000000' },
    { from: '2026-11-14', to: '2026-11-16' },
  ]);
  expect(whole).toEqual({
    percent: percent.toFixed(4),
    percentOfCdi: new Decimal('0.2').div(percent).times(100).toFixed(4),
  });
  expect(percent.toFixed(4)).toBe('0.1646');
  expect(ofWeekend).toEqual({ percent: '0.0000', percentOfCdi: null });
});

test('a day without a rate leaves none, a payment that is not known no percentage', async () => {
  const known = { from: '2026-11-16', to: '2026-11-17' };
  expect(
    await cdiOf([
      { from: '2026-11-10', to: '2026-11-12' },
      { from: '2026-11-17', to: '2026-11-19' },
      { from: '1996-01-02', to: '2026-11-12' },
      { ...known, paid: null, factor: null },
      { ...known, factor: '0.999000000000' },
    ]),
  ).toEqual([
    null,
    null,
    null,
    { percent: '0.0543', percentOfCdi: null },
    { percent: '0.0543', percentOfCdi: expect.stringMatching(/^-184\.\d{4}$/) },
  ]);
});

test('a rate that is corrected counts from then on, and the one before as of then', async () => {
  const period = [{ from: '2026-11-16', to: '2026-11-17' }];
  await manager.query(
    `INSERT INTO tokenization.index_values (index_name, date, version, value, published_on, recorded_at)
     VALUES ('DI', '2026-11-16', 2, 15.65, '2026-11-18', '2026-11-19T12:00:00Z')`,
  );
  graph.clock.set('2026-11-20T15:00:00Z');
  expect(await cdiOf(period)).toMatchObject([{ percent: '0.0577' }]);
  expect(await cdiOf(period, '2026-11-19T11:00:00Z')).toMatchObject([{ percent: '0.0543' }]);
});

test('the CDI is returned for at most 20,000 days, and for none that has no rate', async () => {
  const daysFrom = async (from: string, first: number) => {
    const document = parse('query ($from: Date!, $first: Int!) { cdiReturns(from: $from, first: $first) { date } }');
    const { data, errors } = await graph.executor.execute(
      { document, variables: { from, first } },
      testContext({ manager, clock: graph.clock }),
    );
    return (data?.['cdiReturns'] as { date: string }[] | undefined)?.map(({ date }) => date) ?? errors?.[0]?.message;
  };
  expect(await daysFrom('2026-11-16', 20_000)).toEqual(['2026-11-16', '2026-11-17', '2026-11-18']);
  expect(await daysFrom('2026-11-16', 2)).toHaveLength(2);
  for (const first of [0, -1, 20_001]) expect(await daysFrom('2026-11-16', first)).toBe('The request is not valid');
});
