import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from '../../../shared/kernel/calendar/days.js';
import { diRatePeriods } from './di-rate-periods.js';

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
