import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, round } from '../decimal.js';
import { formatCurrency, formatNumber } from './format.js';

const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.integer({ min: 0, max: 12 }))
  .map(([digits, places]) => new Decimal(digits.toString()).div(new Decimal(10).pow(places)));

describe('numbers', () => {
  test('read back, they are the rounded value, whatever its size', () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 8 }), (value, places) => {
        const text = formatNumber(value, places);
        expect(new Decimal(text.replaceAll('.', '').replace(',', '.')).equals(round(value, places))).toBe(true);
        expect(text).toMatch(/^-?\d{1,3}(\.\d{3})*(,\d+)?$/);
      }),
    );
  });

  test('half goes away from zero, and a rounded zero has no sign', () => {
    expect(formatNumber('2.345', 2)).toBe('2,35');
    expect(formatNumber('-2.345', 2)).toBe('-2,35');
    expect(formatNumber('-0.001', 2)).toBe('0,00');
    expect(formatNumber('1234567', 0)).toBe('1.234.567');
  });
});

test('amounts are in reais with the sign before the symbol', () => {
  expect(formatCurrency('-1234567.5')).toBe('-R$ 1.234.567,50');
  expect(formatCurrency('1034.12345678', 8)).toBe('R$ 1.034,12345678');
});
