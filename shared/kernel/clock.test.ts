import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { civilDate, startOfDay } from './clock.js';

test('a day begins at midnight in São Paulo, and at one where summer time began at midnight', () => {
  const starts = ['2026-11-27', '2018-11-03', '2018-11-04', '2018-11-05', '2019-02-16', '2019-02-17', '2019-11-03'].map(
    (day) => startOfDay(day).toISOString(),
  );
  expect(starts).toEqual([
    '2026-11-27T03:00:00.000Z',
    '2018-11-03T03:00:00.000Z',
    '2018-11-04T03:00:00.000Z',
    '2018-11-05T02:00:00.000Z',
    '2019-02-16T02:00:00.000Z',
    '2019-02-17T03:00:00.000Z',
    '2019-11-03T03:00:00.000Z',
  ]);
});

test('the start of any day is its first instant', () => {
  const days = fc.date({ min: new Date('1950-01-01'), max: new Date('2078-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(days, (date) => {
      const day = date.toISOString().slice(0, 10);
      const start = startOfDay(day);
      expect(civilDate(start)).toBe(day);
      expect(civilDate(new Date(start.getTime() - 1)) < day).toBe(true);
    }),
  );
});
