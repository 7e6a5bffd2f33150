import { expect, test } from '@jest/globals';
import { Decimal } from '../../../shared/decimal.js';
import { rulesOf } from './provenance.js';

test.each([
  [0, 'that day'],
  [1, 'the business day before it'],
  [2, 'the day 2 business days before it'],
])('the rules say whose rate of DI a day counts with, at a lag of %d', (lagBusinessDays, words) => {
  const [first] = rulesOf(
    { dayCount: 'BUS252', amortizationOf: 'BALANCE' },
    { kind: 'DI', percentage: new Decimal(100), lagBusinessDays },
  );
  expect(first).toBe(`DI: each business day since accrualStart counts with the rate of ${words}`);
});
