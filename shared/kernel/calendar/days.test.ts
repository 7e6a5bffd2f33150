import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, addMonths, lastDayOf, monthsBetween } from './days.js';

const month = fc
  .tuple(fc.integer({ min: 1990, max: 2090 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, number]) => `${year}-${String(number).padStart(2, '0')}`);

test('the day after the last day of a month is the first of the next', () => {
  fc.assert(
    fc.property(month, (one) => {
      expect(lastDayOf(one).slice(0, 7)).toBe(one);
      expect(addDays(lastDayOf(one), 1)).toBe(`${addMonths(one, 1)}-01`);
    }),
  );
  expect(lastDayOf('2028-02')).toBe('2028-02-29');
});

test('months there and back are where they began', () => {
  fc.assert(
    fc.property(month, fc.integer({ min: -400, max: 400 }), (one, count) => {
      expect(addMonths(addMonths(one, count), -count)).toBe(one);
      expect(monthsBetween(one, addMonths(one, count))).toHaveLength(Math.max(0, count + 1));
    }),
  );
});
