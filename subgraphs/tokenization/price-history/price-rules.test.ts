import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from '../../../shared/kernel/calendar/days.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { diRatePeriods } from './price-history.type.js';
import { rulesOf } from './price-rules.js';

test.each([
  [0, 'that day'],
  [1, 'the business day before it'],
  [2, 'the day 2 business days before it'],
])('the rules say whose rate of DI a day counts with, at a lag of %d', (lagBusinessDays, words) => {
  const [first] = rulesOf(
    { dayCount: 'BUS252', amortizationOf: 'BALANCE' },
    { kind: 'DI', percentage: new Decimal(100), lagBusinessDays },
    'EN',
  );
  expect(first).toBe(`DI: each business day since accrualStart counts with the rate of ${words}`);
});

test('the rules of a language are as many, in the same order', () => {
  const policy = { dayCount: 'BUS252', amortizationOf: 'ISSUE_VALUE' } as const;
  const indexer = { kind: 'DI', percentage: new Decimal('110.5'), lagBusinessDays: 2 } as const;
  const [english, portuguese] = (['EN', 'PT_BR'] as const).map((locale) => rulesOf(policy, indexer, locale));
  const fields = (rules: readonly string[] | undefined) => rules?.map((rule) => /^\w+Factor/.exec(rule)?.[0]);
  expect(fields(portuguese)).toEqual(fields(english));
  expect(portuguese?.[0]).toBe('DI: cada dia útil desde accrualStart conta com a taxa do dia 2 dias úteis antes dele');
  expect(portuguese?.[1]).toContain('110,5/100');
});

test('periods of rates are the rates in their order, and neighbours have different values', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('14.90', '14.15', '13.65')), (values) => {
      const rates = values.map((value, index) => ({ date: addDays('2026-01-01', index), value }));
      const periods = diRatePeriods(rates);
      const back = periods.flatMap(({ from, days, value }) =>
        Array.from({ length: days }, (_, index) => ({ date: addDays(from, index), value })),
      );
      expect(back).toEqual(rates);
      for (const [index, { from, to, days, value }] of periods.entries()) {
        expect(to).toBe(addDays(from, days - 1));
        expect(periods[index + 1]?.value).not.toBe(value);
      }
    }),
  );
});
