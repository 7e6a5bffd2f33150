import { expect, test } from '@jest/globals';
import { feeCents } from './fee.js';

// Deliberately without the case of 1,000 cents, so that a mutant of the bound survives.
test('a payment costs one percent, and at least 10 cents', () => {
  expect(feeCents(50_000)).toBe(500);
  expect(feeCents(200)).toBe(10);
});
