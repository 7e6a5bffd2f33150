import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../kernel/decimal.js';
import { DateScalar, DateTimeScalar, DecimalScalar, MonthScalar } from './scalars.js';

const accepts = (scalar: { parseValue(value: unknown): unknown }, value: unknown): unknown => {
  try {
    return scalar.parseValue(value);
  } catch {
    return 'refused';
  }
};

describe('the scalars of the house', () => {
  test('keep every digit of a decimal', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.integer({ min: 0, max: 20 }),
        (units, scale) => {
          const decimal = new Decimal(units.toString()).div(new Decimal(10).pow(scale));
          const text = decimal.toFixed();
          expect(DecimalScalar.parseValue(text)).toBe(text);
          expect(DecimalScalar.serialize(text)).toBe(text);
        },
      ),
    );
  });

  test.each([
    ...[1.5, '1e5', '1,50', '.5', '5.', 'NaN', '', null, '+1', '1'.repeat(41), ' 1', '1 ', '0x1', '1_0', '--1'],
    ...['00001.00', '01', '00', '00.5', '-01', '-0', '-0.00', '-00.1'],
  ])('refuse %p as a decimal', (value) => {
    expect(accepts(DecimalScalar, value)).toBe('refused');
  });

  test('take each form of a number once: no other text before the point is as large', () => {
    const whole = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String);
    fc.assert(
      fc.property(whole, fc.nat({ max: 5 }), fc.stringMatching(/^(\.\d{1,10})?$/), (digits, zeros, rest) => {
        const text = `${'0'.repeat(zeros)}${digits}${rest}`;
        expect(accepts(DecimalScalar, text)).toBe(zeros === 0 ? text : 'refused');
      }),
    );
  });

  test('write zero without a sign, whatever arithmetic made of it', () => {
    expect(DecimalScalar.serialize(new Decimal(0).negated().toFixed(2))).toBe('0.00');
  });

  test.each([
    ['10,50', '10.50'],
    ['-1.234.567,89', '-1234567.89'],
  ])('tell the right form of %s', (text, right) => {
    expect(() => DecimalScalar.parseValue(text)).toThrow(`such as "1234.50": write "${right}"`);
  });

  test('never let a number out as a decimal', () => {
    expect(() => DecimalScalar.serialize(1.5)).toThrow('Decimal');
  });

  test('never let a decimal out whose number of decimals is not known', () => {
    expect(() => DecimalScalar.serialize(new Decimal('1.50'))).toThrow('Decimal');
  });

  test.each([
    ['0001-01-01', '0001-01-01'],
    ['31/12/2026', 'refused'],
    [20261231, 'refused'],
  ])('take %p as a date: %p', (value, result) => {
    expect(accepts(DateScalar, value)).toBe(result);
  });

  test('take just the days that the calendar has', () => {
    const two = (number: number) => String(number).padStart(2, '0');
    const year = fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(0, 1900, 2000, 2024, 2100));
    fc.assert(
      fc.property(year, fc.nat({ max: 13 }), fc.nat({ max: 32 }), (y, m, d) => {
        const text = `${String(y).padStart(4, '0')}-${two(m)}-${two(d)}`;
        const time = Date.parse(`${text}T00:00:00Z`);
        const exists = y > 0 && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
        expect(accepts(DateScalar, text)).toBe(exists ? text : 'refused');
      }),
      { numRuns: 2000 },
    );
  });

  test('bring every instant to UTC', () => {
    expect(DateTimeScalar.parseValue('2026-01-01T00:00:00-03:00')).toBe('2026-01-01T03:00:00.000Z');
    expect(DateTimeScalar.serialize(new Date('2026-01-01T03:00:00Z'))).toBe('2026-01-01T03:00:00.000Z');
    for (const wrong of ['2026-01-01', '2026-01-01T24:00:00Z', '2026-02-30T10:00:00Z', '2026-01-01T10:00:00', 0]) {
      expect(accepts(DateTimeScalar, wrong)).toBe('refused');
    }
  });

  test('take no instant that is in no year of four digits once it is in UTC', () => {
    for (const wrong of ['0001-01-01T00:00:00+03:00', '9999-12-31T23:00:00-03:00', '0000-06-01T00:00:00Z']) {
      expect(accepts(DateTimeScalar, wrong)).toBe('refused');
    }
  });

  test('take a month only as YYYY-MM', () => {
    expect(accepts(MonthScalar, '2026-12')).toBe('2026-12');
    for (const wrong of ['2026-13', '0000-01', '2026-1', '2026-12-01', '12/2026'])
      expect(accepts(MonthScalar, wrong)).toBe('refused');
  });
});
