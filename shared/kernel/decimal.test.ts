import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, round, sum, sumInTurns, truncate } from './decimal.js';

const text = (value: Decimal) => value.toFixed();

test('rounding takes a half away from zero, on either side of it', () => {
  expect(['0.125', '0.1249', '-0.125', '-0.1249'].map((value) => text(round(new Decimal(value), 2)))).toEqual([
    '0.13',
    '0.12',
    '-0.13',
    '-0.12',
  ]);
});

test('truncation drops digits, on either side of zero', () => {
  expect(['0.129', '-0.129', '0.12'].map((value) => text(truncate(new Decimal(value), 2)))).toEqual([
    '0.12',
    '-0.12',
    '0.12',
  ]);
});

test('products of long factors keep 50 digits, and are written out in full', () => {
  const long = new Decimal('1.0000000000000000000000001');
  expect(text(long.times(long))).toBe('1.00000000000000000000000020000000000000000000000000'.replace(/0+$/, ''));
  expect(String(new Decimal('1e-39'))).toBe(`0.${'0'.repeat(38)}1`);
  expect(String(new Decimal('1e39'))).toBe(`1${'0'.repeat(39)}`);
  expect(text(new Decimal(2).div(3))).toBe(`0.${'6'.repeat(49)}7`);
});

test('a sum is exact, and the same in turns', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer()), async (cents) => {
      const values = cents.map((value) => new Decimal(value).div(100));
      const total = new Decimal(cents.reduce((sofar, value) => sofar + BigInt(value), 0n).toString()).div(100);
      expect(text(sum(values))).toBe(text(total));
      expect(text(sum(values.map(text)))).toBe(text(total));
      expect(text(await sumInTurns(values))).toBe(text(total));
    }),
  );
});
