import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../../shared/kernel/decimal.js';
import { dayCounts, type DayCount } from './day-count.js';
import { yieldOf, type Flow } from './yield.js';

/** The price of flows at a yield, in percent: one power for each flow, without what the search shares between them. */
function priceAt(rate: Decimal, flows: readonly Flow[]): Decimal {
  const factor = rate.div(100).plus(1);
  return flows.reduce(
    (total, { dayCount, days, amount }) =>
      total.plus(new Decimal(amount).div(factor.pow(new Decimal(days).div(dayCounts[dayCount].yearDays)))),
    new Decimal(0),
  );
}

const flow: fc.Arbitrary<Flow> = fc.record({
  dayCount: fc.constantFrom(...(Object.keys(dayCounts) as DayCount[])),
  days: fc.integer({ min: 1, max: 14_600 }),
  amount: fc.integer({ min: 1, max: 10_000_000 }).map((cents) => new Decimal(cents).div(100)),
});

describe('the yield of a price', () => {
  test('is the rate at which the flows are worth the price', () => {
    fc.assert(
      fc.property(
        fc.array(flow, { minLength: 1, maxLength: 24 }),
        fc.integer({ min: -50_000_000, max: 300_000_000 }).map((rate) => new Decimal(rate).div(1_000_000)),
        (flows, rate) => {
          const found = yieldOf(priceAt(rate, flows), flows);
          expect(new Decimal(found?.percent ?? 'NaN').minus(rate).abs().lessThanOrEqualTo('0.000001')).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('of a single instalment is the quotient over the years of its day count', () => {
    const one = (dayCount: DayCount, days: number) =>
      yieldOf('100.00', [{ dayCount, days, amount: '121.00' }])?.percent.toFixed(6);
    expect([one('BUS252', 504), one('CIVIL_365', 730), one('CIVIL_360', 360)]).toEqual([
      '10.000000',
      '10.000000',
      '21.000000',
    ]);
  });

  test('has the duration of the formula', () => {
    const shown = (price: string, ...all: readonly (readonly [days: number, amount: string])[]) => {
      const found = yieldOf(
        price,
        all.map(([days, amount]) => ({ dayCount: 'BUS252', days, amount })),
      );
      return found && [found.percent.toFixed(4), found.duration.toFixed(4)];
    };
    expect(shown('1000', [252, '1100'])).toEqual(['10.0000', '1.0000']);
    expect(shown('1000', [252, '100'], [504, '1100'])).toEqual(['10.0000', '1.9091']);
    // Below par it pays more, above the sum of its payments less than nothing.
    expect(shown('950', [252, '100'], [504, '1100'])).toEqual(['12.9973', '1.9068']);
    expect(shown('1250', [252, '100'], [504, '1100'])).toEqual(['-2.1064', '1.9183']);
  });

  test('is nothing without flows, and where it would be beyond its bounds', () => {
    const tomorrow = [{ dayCount: 'CIVIL_365', days: 1, amount: '2.00' }] as const;
    expect([yieldOf('1.00', []), yieldOf('1.00', tomorrow), yieldOf('3.00', tomorrow)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
