import { describe, expect, test } from '@jest/globals';
import { daysErrors, keyDays } from './operator.js';

describe('the days of a key', () => {
  test.each([1, 2, 364, keyDays.most])('may be %d', (days) => {
    expect(daysErrors(days)).toEqual([]);
  });

  test.each([0, -1, 1.5, 366, NaN, Infinity])('may not be %d', (days) => {
    expect(daysErrors(days)).toMatchObject([{ path: 'days', message: 'must be from 1 to 365' }]);
  });
});
