import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isIsin, isinCheckDigit } from './isin.js';

test('the check digit of an ISIN notices any single wrong digit', () => {
  expect(['US0378331005', 'GB0002634946'].every(isIsin)).toBe(true);
  const base = fc.stringMatching(/^BR[A-Z0-9]{9}$/);
  fc.assert(
    fc.property(base, fc.integer({ min: 1, max: 9 }), (own, shift) => {
      const digit = Number(isinCheckDigit(own));
      expect(isIsin(`${own}${digit}`)).toBe(true);
      expect(isIsin(`${own}${(digit + shift) % 10}`)).toBe(false);
    }),
  );
});
