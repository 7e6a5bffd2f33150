import { describe, expect, test } from '@jest/globals';
import { createCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { followsDi, plainPolicy, pricedRow } from '../../../tests/tokenization/formulas.js';
import { createDiTable } from './di-factor.js';
import { isMissing } from './missing.js';
import type { UnitPriceEvent, UnitPricePolicy } from './policy.js';
import { toStoredRow } from './stored-row.js';
import { advance, unitPrice, type UnitPriceInputs } from './unit-price.js';

// From Monday 8 January 2024 on, the whole year has no holiday.
const calendar = createCalendar([{ day: '2024-01-01', version: 1 }]);
const days = (first: string, end: string) => {
  const found: string[] = [];
  for (let day = first; day < end; day = calendar.addBusinessDays(day, 1)) found.push(day);
  return found;
};

/** Returns a rate for every business day from the first on, except the given ones. */
function market(first: string, without: readonly string[] = []): UnitPriceInputs {
  const rates = days(first, '2024-07-01').filter((day) => !without.includes(day));
  const ofDay = (day: string) => new Decimal(10).plus(Number(day.slice(-1)));
  return {
    calendar,
    di: createDiTable(
      rates.map((day) => ({ day, rate: ofDay(day) })),
      calendar,
    ),
    indexNumbers: { IPCA: new Map(), IGPM: new Map() },
  };
}

const event = (interest: UnitPriceEvent['interest'], share: number): UnitPriceEvent => ({
  calculationDate: '2024-03-13',
  interest,
  amortizationPercentage: new Decimal(share),
});

const series = (...events: UnitPriceEvent[]): UnitPricePolicy => ({
  ...plainPolicy,
  startDate: '2024-01-08',
  rate: new Decimal(3),
  indexer: followsDi,
  events,
});

describe('the price from an earlier row', () => {
  const whole = market('2024-01-08');

  test.each([event('PAID', 10), event('INCORPORATED', 10), event('ACCRUED', 0)])(
    'of the day of an event is the one from the start: $interest',
    (given) => {
      const policy = series(given);
      const onEvent = pricedRow(unitPrice(policy, given.calculationDate, whole));
      for (const day of ['2024-03-14', '2024-04-15'])
        expect(toStoredRow(pricedRow(advance(policy, onEvent, day, whole)))).toEqual(
          toStoredRow(pricedRow(unitPrice(policy, day, whole))),
        );
    },
  );

  test('of an issue value to which interest was added is the one from the start, and what was added is repaid', () => {
    const on = (calculationDate: string, given: UnitPriceEvent) => ({ ...given, calculationDate });
    const half = event('PAID', 50);
    const events = [
      on('2024-02-15', event('INCORPORATED', 0)),
      on('2024-03-15', event('INCORPORATED', 0)),
      on('2024-04-15', half),
      on('2024-05-15', half),
    ];
    const policy: UnitPricePolicy = { ...series(...events), amortizationOf: 'ISSUE_VALUE' };
    const from = (day: string) => pricedRow(unitPrice(policy, day, whole));
    const last = from('2024-05-15');
    expect(from('2024-03-15').nextVne.gt(1000)).toBe(true);
    const halves = [from('2024-04-15'), last].map(({ amortization }) => amortization.toString());
    expect(halves).toEqual(Array(2).fill(truncate(from('2024-03-15').nextVne.div(2), 8).toString()));
    // What is truncated of two halves.
    expect(last.nextVne.lt('0.00000002')).toBe(true);
    for (const [before, day] of [
      ['2024-02-15', '2024-03-11'],
      ['2024-04-15', '2024-05-15'],
      ['2024-04-30', '2024-05-02'],
    ] as const)
      expect(toStoredRow(pricedRow(advance(policy, from(before), day, whole)))).toEqual(toStoredRow(from(day)));
  });

  test('needs no number from before that row', () => {
    const policy = series(event('PAID', 10));
    const onEvent = pricedRow(unitPrice(policy, '2024-02-07', whole));
    const later = market('2024-02-07');
    expect(unitPrice(policy, '2024-04-15', later)).toEqual({ missing: { index: 'DI', day: '2024-01-08' } });
    expect(toStoredRow(pricedRow(advance(policy, onEvent, '2024-04-15', later)))).toEqual(
      toStoredRow(pricedRow(unitPrice(policy, '2024-04-15', whole))),
    );
  });
});

test('the first number that is missing is named, whether it lies before an event or after one', () => {
  const policy = series(event('PAID', 10));
  for (const missing of [['2024-02-14', '2024-04-10'], ['2024-04-10']]) {
    const inputs = market('2024-01-08', missing);
    expect(unitPrice(policy, '2024-05-15', inputs)).toEqual({ missing: { index: 'DI', day: missing[0] } });
  }
});

test('rates may come in any order', () => {
  const rates = days('2024-01-08', '2024-02-08').map((day, index) => ({ day, rate: new Decimal(10 + index) }));
  const stretch = { product: new Decimal(1), percentage: new Decimal(100), lagBusinessDays: 0 };
  const product = (some: typeof rates) =>
    createDiTable(some, calendar, 'HELD').accrue({ ...stretch, from: '2024-01-10', to: '2024-02-20' });
  expect(isMissing(product(rates))).toBe(false);
  expect(product(rates.toReversed())).toEqual(product(rates));
});
