import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addMonths } from '../../../shared/kernel/calendar/days.js';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { contracts, factsOf } from '../../../tests/issuances/portfolio.js';
import { agingBands, agingLabel, fillBands } from '../../securities/aging.js';
import { testCovenants } from './covenants.js';
import { constantPrepaymentRate, prepaymentSpeed, singleMonthlyMortality } from './prepayment.js';
import { houseMatrix, provision } from './provisioning.js';
import { computeReport } from './report.js';
import { reportSchema } from './report-schema.js';
import { shares } from './shares.js';
import { subordinate } from './subordination.js';
import { riskClasses } from '../../securities/risk-class.js';
import { standingOf, type SeriesFacts } from './series-standing.js';

const portfolios = contracts.map((all) => factsOf(all, '2026-10-31'));
const noFigures = {
  SUBORDINATION: undefined,
  COVERAGE: undefined,
  LTV: undefined,
  LARGEST_DEBTOR: undefined,
  LARGEST_5_DEBTORS: undefined,
  LARGEST_10_DEBTORS: undefined,
  LARGEST_20_DEBTORS: undefined,
  OVERDUE_OVER_30: undefined,
  OVERDUE_OVER_90: undefined,
  PROVISION: undefined,
};
const amount = fc.integer({ min: 0, max: 2_000_000_000 }).map((value) => new Decimal(value).div(100));

describe('aging and provisioning', () => {
  test('bands partition the portfolio exactly, whatever the lateness', () => {
    fc.assert(
      fc.property(portfolios, (facts) => {
        const report = computeReport(facts);
        for (const bands of [report.aging, report.provisioning.bands]) {
          expect(sum(bands.map((band) => band.balance)).toFixed(2)).toBe(report.portfolio.balance);
          expect(bands.reduce((total, band) => total + band.contracts, 0)).toBe(report.portfolio.contracts);
          for (const [index, band] of bands.entries()) {
            const next = bands[index + 1];
            expect(band.toDays).toBe(next === undefined ? null : next.fromDays - 1);
          }
        }
      }),
    );
  });

  test('the bands begin where the contract says', () => {
    const label = (days: number) => [
      agingLabel(days),
      fillBands(agingBands, [group(days)]).find((b) => b.contracts === 1)?.label,
    ];
    const group = (daysLate: number) => ({ daysLate, contracts: 1, balance: new Decimal(1) });
    for (const [expected, ...ends] of [
      ['A vencer', 0],
      ['1-30', 1, 30],
      ['31-60', 31, 60],
      ['61-90', 61, 90],
      ['91-120', 91, 120],
      ['121-150', 121, 150],
      ['151-180', 151, 180],
      ['181-360', 181, 360],
      ['360+', 361, 5000],
    ] as const)
      for (const days of ends) expect(label(days)).toEqual([expected, expected]);
  });

  test('a provision is never negative nor more than the balance, and grows with lateness', () => {
    fc.assert(
      fc.property(portfolios, ({ lateness }) => {
        const { total } = provision(lateness, []);
        expect(total.isNegative()).toBe(false);
        expect(total.lessThanOrEqualTo(sum(lateness.map((group) => group.balance)))).toBe(true);
        const later = lateness.map((group) => ({ ...group, daysLate: group.daysLate + 31 }));
        // Rounding a band to the cent may cost half a cent in each of both.
        expect(provision(later, []).total.plus('0.25').greaterThanOrEqualTo(total)).toBe(true);
      }),
    );
  });

  test("the house's matrix has the stages of CMN 4.966 and BCB 352, and an operation's own comes before it", () => {
    const at = (daysLate: number) =>
      provision([{ daysLate, contracts: 1, balance: new Decimal(1000) }], []).total.toNumber();
    expect([0, 14, 15, 30, 31, 60, 61, 90].map(at)).toEqual([19, 19, 75, 75, 150, 150, 380, 380]);
    // Months of default, after 90 days: less than one, one, two, 14, and 15 or more.
    expect([91, 120, 121, 151, 511, 540, 541, 5000].map(at)).toEqual([500, 500, 534, 568, 976, 976, 1000, 1000]);
    const stage = (daysLate: number) => houseMatrix.findLast(({ fromDays }) => daysLate >= fromDays)?.label;
    expect([0, 30, 31, 90, 91].map(stage)).toEqual(['Estágio 1', 'Estágio 1', 'Estágio 2', 'Estágio 2', 'Estágio 3']);
    const own = [{ fromDays: 10, label: 'X', rate: new Decimal(50) }];
    const result = provision(
      [9, 10].map((daysLate) => ({ daysLate, contracts: 1, balance: new Decimal(100) })),
      own,
    );
    expect(result.matrix).toBe('OPERATION');
    expect(result.bands.map((band) => [band.fromDays, band.toDays, band.provision.toNumber()])).toEqual([
      [0, 9, 0],
      [10, null, 50],
    ]);
  });
});

test('delinquency counts whole balances and overdue instalments apart, over 0, 30, 60 and 90 days; an amount that is not known makes none', () => {
  const group = (daysLate: number, balance: number, overdue?: number) => ({
    daysLate,
    contracts: 1,
    balance: new Decimal(balance),
    overdue: overdue === undefined ? undefined : new Decimal(overdue),
  });
  const lines = (...lateness: readonly ReturnType<typeof group>[]) =>
    computeReport({ ...factsOf([], '2026-10-31'), lateness }).delinquency.map((line) => [
      line.overDays,
      line.contracts,
      line.balance,
      line.balanceShare,
      line.overdueInstalments,
      line.overdueShare,
    ]);
  const punctual = group(0, 600);
  expect(lines(punctual, group(30, 100, 5), group(31, 100, 10), group(91, 200, 40))).toEqual([
    [0, 3, '400.00', '40.0000', '55.00', '5.5000'],
    [30, 2, '300.00', '30.0000', '50.00', '5.0000'],
    [60, 1, '200.00', '20.0000', '40.00', '4.0000'],
    [90, 1, '200.00', '20.0000', '40.00', '4.0000'],
  ]);
  expect(lines(punctual, group(31, 100), group(91, 300, 40)).map((line) => line.slice(4))).toEqual([
    [null, null],
    [null, null],
    ['40.00', '4.0000'],
    ['40.00', '4.0000'],
  ]);
  expect(lines()[0]).toEqual([0, 0, '0.00', null, '0.00', null]);
});

describe('shares', () => {
  test('add up to exactly 100 and stay within a cent of the exact share', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 12 }), (parts) => {
        const whole = sum(parts);
        const found = shares(parts);
        expect(sum(found).toNumber()).toBe(whole.isZero() ? 0 : 100);
        if (whole.isZero()) return;
        for (const [index, part] of parts.entries()) {
          const difference = (found[index] ?? new Decimal(-1)).minus(part.times(100).div(whole)).abs();
          expect(difference.lessThan('0.01')).toBe(true);
        }
      }),
    );
  });

  test('those of a report add up to 100', () => {
    fc.assert(
      fc.property(portfolios, (facts) => {
        const { portfolio, aging, ltv } = computeReport(facts);
        const expected = portfolio.balance === '0.00' ? 0 : 100;
        expect(sum(aging.map((band) => band.share)).toNumber()).toBe(expected);
        expect(sum(portfolio.rates.map((rate) => rate.share)).toNumber()).toBe(expected);
        expect(sum(ltv.bands.map((band) => band.share)).toNumber()).toBe(ltv.balance === '0.00' ? 0 : 100);
      }),
    );
  });
});

test('concentration: the index lies between equal debtors and a single one, and the largest only add up', () => {
  fc.assert(
    fc.property(portfolios, (facts) => {
      const { concentration, portfolio } = computeReport(facts);
      const hhi = new Decimal(concentration.hhi);
      if (portfolio.debtors === 0) {
        expect(hhi.isZero()).toBe(true);
        return;
      }
      expect(hhi.plus('0.01').greaterThanOrEqualTo(new Decimal(10_000).div(portfolio.debtors))).toBe(true);
      expect(hhi.lessThanOrEqualTo(10_000)).toBe(true);
      const tops = concentration.largest.map((top) => Number(top.share));
      expect(tops).toEqual([...tops].sort((left, right) => left - right));
      expect(Math.max(...tops)).toBeLessThanOrEqual(100);
      if (portfolio.debtors <= 20) expect(tops.at(-1)).toBe(100);
    }),
  );
});

describe('prepayment', () => {
  test('the yearly rate gives the monthly one back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900_000 }), (millionths) => {
        const smm = new Decimal(millionths).div(1_000_000);
        const cpr = constantPrepaymentRate(smm);
        const back = new Decimal(1).minus(new Decimal(1).minus(cpr).pow(new Decimal(1).div(12)));
        expect(back.minus(smm).abs().lessThan('1e-30')).toBe(true);
        expect(cpr.greaterThanOrEqualTo(smm) && cpr.lessThanOrEqualTo(1)).toBe(true);
      }),
    );
  });

  test('mortality is a fraction of what the schedule would have left', () => {
    const flow = (opening: number, scheduled: number, prepaid: number) =>
      singleMonthlyMortality({
        opening: new Decimal(opening),
        scheduled: new Decimal(scheduled),
        prepaid: new Decimal(prepaid),
      })?.toNumber();
    expect(flow(1000, 100, 9)).toBe(0.01);
    expect(flow(1000, 100, 5000)).toBe(1);
    expect(flow(100, 100, 0)).toBeUndefined();
    expect(flow(0, 0, 0)).toBeUndefined();
  });

  test('twelve equal months compound to the rate of one of them; only the last twelve count, and fewer make none', () => {
    const month = (number: number, prepaid: number) => ({
      month: addMonths('2024-12', number),
      opening: new Decimal(1000),
      scheduled: new Decimal(0),
      prepaid: new Decimal(prepaid),
    });
    const speed = prepaymentSpeed(
      [month(0, 900), ...Array.from({ length: 12 }, (_, index) => month(index + 1, 10))],
      null,
    );
    expect(speed.months).toHaveLength(12);
    expect(speed.smm?.toNumber()).toBe(1);
    expect(speed.cprTwelveMonths?.toFixed(20)).toBe(speed.cpr?.toFixed(20));
    expect(speed.cpr?.toFixed(4)).toBe('11.3615');
    expect(speed.measuredMonths).toBe(12);
    const eleven = prepaymentSpeed(
      Array.from({ length: 11 }, (_, index) => month(index + 1, 10)),
      null,
    );
    expect([eleven.cprTwelveMonths, eleven.measuredMonths]).toEqual([undefined, 11]);
    // A month without positions is one of the twelve.
    const gap = [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((number) => month(number, 10));
    expect(prepaymentSpeed(gap, null)).toMatchObject({ cprTwelveMonths: undefined, measuredMonths: 11 });
    expect(prepaymentSpeed([], null)).toEqual({
      smm: undefined,
      cpr: undefined,
      cprTwelveMonths: undefined,
      measuredMonths: 0,
      months: [],
    });
  });
});

test('the report of a month never shows the speed of another month', () => {
  const flow = (month: string, prepaid: number) => ({
    month,
    opening: new Decimal(1000),
    scheduled: new Decimal(0),
    prepaid: new Decimal(prepaid),
  });
  const speed = (month: string | null) => {
    const facts = { ...factsOf([], '2026-10-31'), month, months: [flow('2026-08', 10), flow('2026-09', 20)] };
    return computeReport(facts).prepayment.smm;
  };
  expect([speed('2026-10'), speed('2026-09'), speed(null)]).toEqual([null, '2.0000', '2.0000']);
});

describe('loan to value', () => {
  test('bands partition what has collateral, and the rest is reported', () => {
    fc.assert(
      fc.property(portfolios, (facts) => {
        const { ltv, portfolio } = computeReport(facts);
        expect(sum(ltv.bands.map((band) => band.balance)).toFixed(2)).toBe(ltv.balance);
        expect(sum([ltv.balance, ltv.uncollateralizedBalance]).toFixed(2)).toBe(portfolio.balance);
        expect(ltv.ltv === null).toBe(new Decimal(ltv.collateral).isZero());
      }),
    );
  });

  test('an upper bound belongs to its band', () => {
    const facts = factsOf([], '2026-10-31');
    const group = (percent: number) => ({
      percent,
      contracts: 1,
      balance: new Decimal(percent),
      collateral: new Decimal(100),
    });
    const { ltv } = computeReport({ ...facts, collateral: [50, 51, 60, 80, 100, 101].map(group) });
    expect(ltv.bands.map((band) => band.contracts)).toEqual([1, 2, 0, 1, 0, 1, 1]);
  });
});

describe('subordination and covenants', () => {
  test('what stands below the senior series is a share of all of them', () => {
    const priced = { priceDate: '2026-10-30', stale: false, overdueTotal: null };
    const series = [
      { number: 1, ticker: 'A1', class: 'SENIOR', balance: new Decimal(700), ...priced },
      { number: 2, ticker: 'A2', class: 'MEZZANINE', balance: new Decimal(200), ...priced },
      { number: 3, ticker: 'A3', class: 'JUNIOR', balance: new Decimal(100), ...priced },
    ] as const;
    const result = subordinate(series, new Decimal(1100));
    expect(result.index?.toNumber()).toBe(30);
    expect(result.coverage?.toNumber()).toBe(110);
    expect(subordinate([], new Decimal(0)).index).toBeUndefined();
  });

  test('the bound itself fulfils; a figure that does not exist is neither', () => {
    const covenant = (comparison: 'AT_LEAST' | 'AT_MOST') => ({
      name: 'x',
      metric: 'LTV' as const,
      comparison,
      threshold: new Decimal(80),
    });
    const outcome = (comparison: 'AT_LEAST' | 'AT_MOST', value: string | undefined) =>
      testCovenants(
        [covenant(comparison)],
        { ...noFigures, LTV: value === undefined ? undefined : new Decimal(value) },
        true,
      )[0]?.fulfilled;
    expect([outcome('AT_MOST', '80'), outcome('AT_LEAST', '80')]).toEqual([true, true]);
    expect([outcome('AT_MOST', '80.0000001'), outcome('AT_LEAST', '79.99')]).toEqual([false, false]);
    expect(outcome('AT_MOST', undefined)).toBeUndefined();
  });

  test('a test without a figure, or on a figure of stale prices, says so; figures of no price do not', () => {
    const caveats = (hasStalePrice: boolean) =>
      testCovenants(
        (['SUBORDINATION', 'COVERAGE', 'LTV', 'PROVISION'] as const).map((metric) => ({
          name: metric,
          metric,
          comparison: 'AT_LEAST' as const,
          threshold: new Decimal(1),
        })),
        { ...noFigures, SUBORDINATION: new Decimal(2), COVERAGE: new Decimal(2), LTV: new Decimal(2) },
        hasStalePrice,
      ).map(({ caveat }) => caveat);
    expect(caveats(true)).toEqual(['STALE_PRICE', 'STALE_PRICE', undefined, 'NOT_COMPUTABLE']);
    expect(caveats(false)).toEqual([undefined, undefined, undefined, 'NOT_COMPUTABLE']);
  });
});

test('every report has the form in which reports are kept', () => {
  fc.assert(
    fc.property(portfolios, (facts) => {
      const report = computeReport(facts);
      expect(reportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    }),
  );
});

const day = '2026-10-31';
const due = '2026-10-30';

function series(changes: Partial<SeriesFacts> = {}): SeriesFacts {
  return {
    number: 1,
    ticker: 'A1',
    class: 'SENIOR',
    status: 'Ativa',
    issueDate: '2024-01-10',
    maturityDate: '2030-01-15',
    quantity: new Decimal(100),
    unitValue: new Decimal(1000),
    price: { date: due, value: new Decimal(10) },
    lastPriceDate: due,
    redemptionPaidOn: undefined,
    hasUnpaid: true,
    overdueTotal: '0.00',
    owedRedemption: null,
    isPaidAtMaturity: false,
    ...changes,
  };
}
const price = (date: string, value = 10) => ({ date, value: new Decimal(value) });

const redeemed = (endedOn: string | null) => ({ end: 'REDEEMED', endedOn });
const matured = (endedOn: string) => ({ end: 'MATURED', endedOn });
const paid = { hasUnpaid: false };
test.each<[string, Partial<SeriesFacts>, object | undefined]>([
  ['not while it is priced and owed', {}, undefined],
  ['once its price is 0', { price: price('2026-10-05', 0) }, redeemed('2026-10-05')],
  [
    'once its redemption is paid, whatever the price of before',
    { redemptionPaidOn: '2026-09-15', price: price('2026-09-15') },
    redeemed('2026-09-15'),
  ],
  ['also without a price', { redemptionPaidOn: '2026-09-15', price: undefined }, redeemed('2026-09-15')],
  ['not by a redemption after which it has a price', { redemptionPaidOn: '2026-09-15' }, undefined],
  ['after its maturity, where nothing is unpaid', { maturityDate: '2026-10-15', ...paid }, matured('2026-10-15')],
  ['not after its maturity while something is unpaid', { maturityDate: '2026-10-15' }, undefined],
  ['not on its maturity, before it is paid', { maturityDate: day, ...paid }, undefined],
  ['on its maturity, once it is paid', { maturityDate: day, isPaidAtMaturity: true, ...paid }, matured(day)],
  ['by its status, after its last price', { status: 'RESGATADA antecipadamente' }, redeemed(null)],
  ['not by its status while it still gets prices', { status: 'Resgatada', lastPriceDate: day }, undefined],
  ['not by a status that says something else', { status: 'Distribuição encerrada', lastPriceDate: due }, undefined],
])('a series leaves the figures: %s', (_promise, changes, expected) => {
  const { outstanding, ended } = standingOf([series(changes)], day, due);
  expect(ended).toEqual(expected === undefined ? [] : [{ number: 1, ticker: 'A1', class: 'SENIOR', ...expected }]);
  expect(outstanding).toHaveLength(expected === undefined ? 1 : 0);
});

test.each<[string, Partial<SeriesFacts>, string | undefined, boolean]>([
  ['a price of the last due day is not stale', {}, due, false],
  ['one of the day before is', { price: price('2026-10-29') }, due, true],
  ['one of a later day is not', { price: price(day) }, due, false],
  ['a series without a price has a stale one', { price: undefined }, due, true],
  ['but not on its first day, when none is due', { price: undefined, issueDate: due }, due, false],
  ['after maturity no price is due', { price: price('2026-09-15'), maturityDate: '2026-09-15' }, due, false],
  ['where no due day is known none is stale', { price: price('2020-01-02') }, undefined, false],
])('%s', (_promise, changes, dueOn, stale) => {
  const one = series(changes);
  expect(standingOf([one], day, dueOn).outstanding).toEqual([
    expect.objectContaining({ stale, priceDate: one.price?.date ?? null }),
  ]);
});

const civilDay = fc
  .integer({ min: 0, max: 120 })
  .map((days) => new Date(Date.UTC(2026, 8, 1) + days * 86_400_000).toISOString().slice(0, 10));
const anySeries = fc.array(
  fc
    .record({
      class: fc.constantFrom(...riskClasses),
      status: fc.constantFrom('Ativa', 'Resgatada', 'Em distribuição'),
      maturityDate: civilDay,
      quantity: fc.integer({ min: 0, max: 5000 }).map((value) => new Decimal(value)),
      price: fc.option(
        fc.record({ date: civilDay, value: fc.integer({ min: 0, max: 9 }).map((value) => new Decimal(value)) }),
        { nil: undefined },
      ),
      redemptionPaidOn: fc.option(civilDay, { nil: undefined }),
      hasUnpaid: fc.boolean(),
      isPaidAtMaturity: fc.boolean(),
    })
    .map((changes) => series({ ...changes, lastPriceDate: changes.price?.date })),
  { maxLength: 6 },
);

test('each series is outstanding or ended, and what has ended changes no figure and no covenant', () => {
  const covenants = (['SUBORDINATION', 'COVERAGE'] as const).map((metric) => ({
    name: metric,
    metric,
    comparison: 'AT_LEAST' as const,
    threshold: new Decimal(20),
  }));
  const balance = new Decimal(1000);
  const facts = {
    ...factsOf([], day),
    lateness: [{ daysLate: 0, contracts: 1, balance }],
    covenants,
    priceDueOn: due,
  };
  fc.assert(
    fc.property(anySeries, (given) => {
      const all = given.map((one, index) => ({ ...one, number: index + 1 }));
      const { outstanding, ended } = standingOf(all, day, due);
      const numbers = [...outstanding, ...ended].map(({ number }) => number).sort((left, right) => left - right);
      expect(numbers).toEqual(all.map(({ number }) => number));
      const gone = new Set(ended.map(({ number }) => number));
      const whole = computeReport({ ...facts, series: all });
      const rest = computeReport({ ...facts, series: all.filter(({ number }) => !gone.has(number)) });
      expect(whole.subordination).toEqual({ ...rest.subordination, ended: [...ended] });
      expect(whole.covenants).toEqual(rest.covenants);
      expect(whole.subordination.total).toBe(sum(outstanding.map((one) => one.balance)).toFixed(2));
    }),
  );
});
