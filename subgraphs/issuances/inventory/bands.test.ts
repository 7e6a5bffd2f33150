import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { amountBand, instalmentBand, rateBand, showAmounts, showMonths, showRates } from './bands.js';

const amounts = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 24n - 1n }), fc.nat(24))
  .map(([digits, shorter]) => new Decimal((digits / 10n ** BigInt(shorter)).toString()).div(100).toFixed(2));
const rates = fc.integer({ min: -900_000_000, max: 900_000_000 }).map((rate) => new Decimal(rate).div(1e6).toFixed(6));

test('an amount of any size lies in its band, and a larger one never in a lower band', () => {
  fc.assert(
    fc.property(amounts, amounts, (one, other) => {
      const [from, to] = [...showAmounts({ from: amountBand(one), to: amountBand(one) }).matchAll(/[\d.]+,\d\d/g)].map(
        ([text]) => new Decimal(text.replaceAll('.', '').replace(',', '.')),
      );
      expect(from?.lessThanOrEqualTo(one)).toBe(true);
      expect(to?.greaterThan(one) ?? from?.equals(one)).toBe(true);
      const isLarger = new Decimal(one).greaterThan(other);
      expect(isLarger ? amountBand(one) >= amountBand(other) : amountBand(one) <= amountBand(other)).toBe(true);
    }),
  );
});

test('a rate lies in its band, whatever its sign', () => {
  fc.assert(
    fc.property(rates, (rate) => {
      expect(rateBand(rate)).toBe(new Decimal(rate).floor().toNumber());
    }),
  );
  expect(rateBand('-0.000000')).toBe(0);
  expect(showRates('CDI', { from: -2, to: -1 })).toBe('CDI - 2,00% a CDI + 0,00% a.a.');
  expect(showRates('PREFIXED', { from: 12, to: 14 })).toBe('12,00% a 15,00% a.a.');
});

test.each([
  ['0.00', '0.00', 'R$ 0,00'],
  ['0.00', '0.50', 'R$ 0,00 a R$ 1,00'],
  ['0.99', '1.00', 'R$ 0,00 a R$ 2,00'],
  ['9.99', '10.00', 'R$ 9,00 a R$ 20,00'],
  ['400000.00', '499999.99', 'R$ 400.000,00 a R$ 500.000,00'],
  ['999999.99', '999999.99', 'R$ 900.000,00 a R$ 1.000.000,00'],
])('from %s to %s is %s', (from, to, text) => {
  expect(showAmounts({ from: amountBand(from), to: amountBand(to) })).toBe(text);
});

test('months are the shortest text that holds them, and instalments count in dozens', () => {
  const year = 2026 * 12;
  expect(showMonths({ from: year + 4, to: year + 4 })).toBe('05/2026');
  expect(showMonths({ from: year, to: year + 5 })).toBe('1º semestre de 2026');
  expect(showMonths({ from: year + 6, to: year + 11 })).toBe('2º semestre de 2026');
  expect(showMonths({ from: year + 5, to: year + 6 })).toBe('2026');
  expect(showMonths({ from: year - 1, to: year })).toBe('2025 a 2026');
  expect([0, 1, 12, 13].map(instalmentBand)).toEqual([0, 1, 1, 2]);
});
