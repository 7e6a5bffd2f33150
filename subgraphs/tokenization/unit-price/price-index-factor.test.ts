import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { followsIpca } from '../../../tests/tokenization/formulas.js';
import { isMissing } from './missing.js';
import type { PriceIndexer } from './policy.js';
import { priceIndexFactorBetween } from './price-index-factor.js';

const calendar = createCalendar([{ day: '2024-01-01', version: 1 }]);
const numbers = new Map(
  Object.entries({ '2024-03': '100', '2024-04': '102.01', '2024-05': '104' }).map(([month, text]) => [
    month,
    new Decimal(text),
  ]),
);
function factor(from: string, to: string, change: Partial<PriceIndexer> = {}) {
  const found = priceIndexFactorBetween(
    { ...followsIpca, ...change },
    { from, to },
    { calendar, indexNumbers: { IPCA: numbers, IGPM: new Map() } },
  );
  return isMissing(found) ? found : found.toString();
}

test('a month none of whose days has been counted needs no index number', () => {
  // 15 June 2024 is a Saturday: in business days, the month that it begins has its first one on Monday the 17th.
  const missing = { missing: { index: 'IPCA', month: '2024-06' } };
  expect(factor('2024-05-15', '2024-06-17')).toBe('1.01950789');
  expect(factor('2024-05-15', '2024-06-18')).toEqual(missing);
  expect(factor('2024-05-15', '2024-06-16', { proRata: 'CALENDAR_DAYS' })).toEqual(missing);
});

test('from an anniversary on, the month before it has no part in the factor', () => {
  // April over March is 1.0201, and half of its days are its square root.
  const inDays = { proRata: 'CALENDAR_DAYS' } as const;
  expect(factor('2024-04-15', '2024-04-30', inDays)).toBe('1.01');
  expect(factor('2024-04-30', '2024-05-15', inDays)).toBe('1.01');
  expect(factor('2024-04-15', '2024-04-15', inDays)).toBe('1');
  expect(factor('2024-04-30', '2024-04-30', inDays)).toBe('1');
  expect(factor('2024-04-14', '2024-04-15', inDays)).toEqual({ missing: { index: 'IPCA', month: '2024-02' } });
});

test('an anniversary that is moved lengthens its month, and the next one begins there', () => {
  // 15 June 2024 is a Saturday: with moved anniversaries May runs from 15 May to 17 June, of which 1 June is day 17 of 33.
  const moved = { proRata: 'CALENDAR_DAYS_FOLLOWING' } as const;
  const ratio = new Decimal(104).div('102.01');
  expect(factor('2024-05-15', '2024-06-01', moved)).toBe(truncate(ratio.pow(new Decimal(17).div(33)), 8).toString());
  expect(factor('2024-05-15', '2024-06-17', moved)).toBe('1.01950789');
  expect(factor('2024-05-15', '2024-06-18', moved)).toEqual({ missing: { index: 'IPCA', month: '2024-06' } });
  // 31 August 2024 is a Saturday: its anniversary is 2 September, 28 days before the next one, and 1 September lies before it.
  const last = { ...moved, anniversaryDay: 31, lagMonths: 5 } as const;
  expect(factor('2024-09-02', '2024-09-16', last)).toBe('1.01');
  expect(factor('2024-09-01', '2024-09-16', last)).toEqual({ missing: { index: 'IPCA', month: '2024-02' } });
});

const msPerDay = 86_400_000;
const dayAt = (offset: number) => new Date(Date.UTC(2023, 0, 1) + offset * msPerDay).toISOString().slice(0, 10);
const holidays = ['2023-01-01', '2023-04-21', '2023-05-01', '2023-12-25', '2024-01-01', '2024-02-12', '2024-02-13'];
const works = (day: string) => ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()) && !holidays.includes(day);

/**
 * Computes the factor as the deeds describe it, day by day: each day counts for the month in whose period it lies, and the
 * variation of that month is raised to the counted share of its days. Uses none of the code under test.
 */
function dayByDay({ anniversaryDay, lagMonths, proRata }: PriceIndexer, from: number, to: number): string {
  const monthAt = (index: number) => new Date(Date.UTC(2022, index, 1)).toISOString().slice(0, 7);
  const nextDay = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + msPerDay).toISOString().slice(0, 10);
  const anniversaryAt = (index: number) => {
    const lastDay = new Date(Date.UTC(2022, index + 1, 0)).getUTCDate();
    let day = `${monthAt(index)}-${String(Math.min(anniversaryDay, lastDay)).padStart(2, '0')}`;
    while (proRata === 'CALENDAR_DAYS_FOLLOWING' && !works(day)) day = nextDay(day);
    return day;
  };
  const counts = (day: string) => proRata !== 'BUSINESS_DAYS' || works(day);
  let product = new Decimal(1);
  for (let index = 6; index < 40; index++) {
    let [elapsed, total] = [0, 0];
    for (let day = anniversaryAt(index); day < anniversaryAt(index + 1); day = nextDay(day)) {
      if (!counts(day)) continue;
      total++;
      if (day >= dayAt(from) && day < dayAt(to)) elapsed++;
    }
    if (elapsed === 0) continue;
    const number = (at: number) => manyNumbers.get(monthAt(at)) ?? new Decimal(0);
    const ratio = number(index + 1 - lagMonths).div(number(index - lagMonths));
    product = product.times(truncate(ratio.pow(new Decimal(elapsed).div(total)), 8));
  }
  return truncate(product, 8).toString();
}

/** A number for every month of four years, each with a different growth. */
const manyNumbers = new Map(
  Array.from({ length: 48 }, (_, index) => [
    new Date(Date.UTC(2022, index - 3, 1)).toISOString().slice(0, 7),
    new Decimal(5000 + 25 * index + ((index * 37) % 23) - (index % 7 === 0 ? 60 : 0)),
  ]),
);

test('over any days, with any anniversary, moved or not, it is what counting day by day makes it', () => {
  const offsets = fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 200 }));
  const policies = fc.record({
    kind: fc.constant('PRICE_INDEX' as const),
    index: fc.constant('IPCA' as const),
    lagMonths: fc.integer({ min: 0, max: 3 }),
    anniversaryDay: fc.integer({ min: 1, max: 31 }),
    proRata: fc.constantFrom(...(['CALENDAR_DAYS_FOLLOWING', 'CALENDAR_DAYS', 'BUSINESS_DAYS'] as const)),
    base: fc.constant('START' as const),
  });
  const on = createCalendar([...holidays, '2021-01-01', '2026-01-01'].map((day) => ({ day, version: 1 })));
  fc.assert(
    fc.property(policies, offsets, (policy, [from, length]) => {
      const found = priceIndexFactorBetween(
        policy,
        { from: dayAt(from), to: dayAt(from + length) },
        { calendar: on, indexNumbers: { IPCA: manyNumbers, IGPM: new Map() } },
      );
      expect(isMissing(found) ? found : found.toString()).toBe(dayByDay(policy, from, from + length));
    }),
    { numRuns: 150 },
  );
});
