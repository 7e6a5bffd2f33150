import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal } from '../../kernel/decimal.js';
import { plainDate } from '../read/csv-file.js';
import { broken } from '../import-rules.js';
import { date, instant, isDay, month } from './date-values.js';
import { decimal, integer, money } from './number-values.js';
import { document, text, url } from './text-values.js';
import { isMisread } from './value.js';

const accepts = (read: unknown) => typeof read === 'string';

describe('decimals', () => {
  test('one is taken exactly when NUMERIC holds it without rounding', () => {
    const number = fc.tuple(fc.stringMatching(/^-?[0-9]{1,8}$/), fc.stringMatching(/^[0-9]{0,5}$/));
    fc.assert(
      fc.property(number, ([whole, places]) => {
        const written = places === '' ? whole : `${whole}.${places}`;
        const value = new Decimal(written);
        const fits = value.decimalPlaces() <= 2 && value.abs().lessThan('1e6');
        const read = decimal(8, 2).read(written);
        expect(accepts(read)).toBe(fits);
        if (!isMisread(read)) expect(new Decimal(read).equals(value)).toBe(true);
      }),
    );
  });

  test('money is not negative, has cents, and says so', () => {
    expect(money.read('-0.01')).toEqual({ error: broken('NOT_NEGATIVE', { value: '-0.01' }) });
    expect(money.read('-0.00')).toBe('-0.00');
    expect(money.read('0.001')).toEqual({ error: broken('FIELD_DECIMALS', { max: 2, value: '"0.001"' }) });
    expect(money.read('1e3')).toEqual({ error: broken('NUMBER', { value: '"1e3"' }) });
  });

  test('bounds count', () => {
    const share = decimal(9, 4, { min: '0', max: '100' });
    expect(['0', '100', '55.5'].map(share.read)).toEqual(['0', '100', '55.5']);
    expect(['-1', '100.0001'].map((one) => accepts(share.read(one)))).toEqual([false, false]);
    expect(accepts(decimal(9, 4, { above: '0' }).read('0'))).toBe(false);
    expect(['0', '7', '7.0', '7.5', 'x'].map((one) => accepts(integer(1).read(one)))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('dates', () => {
  test('a text is a day exactly when the calendar has it', () => {
    const parts = fc.tuple(
      fc.integer({ min: 1900, max: 2199 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
    );
    fc.assert(
      fc.property(parts, ([year, monthOfYear, day]) => {
        const written = `${year}-${String(monthOfYear).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const instantOf = new Date(`${written}T00:00:00Z`);
        const real = !Number.isNaN(instantOf.getTime()) && instantOf.toISOString().startsWith(written);
        expect(isDay(written)).toBe(real);
      }),
    );
  });

  test('a Brazilian day is the same day', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }), (day) => {
        const plain = day.toISOString().slice(0, 10);
        const [year, monthOfYear, dayOfMonth] = plain.split('-');
        expect(date.read(plainDate(`${dayOfMonth ?? ''}/${monthOfYear ?? ''}/${year ?? ''}`))).toBe(plain);
        expect(month.read(plainDate(`${monthOfYear ?? ''}/${year ?? ''}`))).toBe(`${plain.slice(0, 7)}-01`);
      }),
    );
  });

  test.each(['31/02/2026', '2026-2-1', '20261231', '01/13/2026', '2026-12-31T00:00:00Z', ''])(
    '%s is no date',
    (one) => {
      expect(accepts(date.read(plainDate(one)))).toBe(false);
    },
  );

  test('a moment needs its offset', () => {
    expect(accepts(instant.read('2026-11-05T14:30:00-03:00'))).toBe(true);
    expect(accepts(instant.read('2026-11-05T14:30:00'))).toBe(false);
    expect(accepts(instant.read('2026-02-30T14:30:00Z'))).toBe(false);
  });
});

describe('texts', () => {
  test('a wrong tax identifier is refused without being repeated', () => {
    const read = document.read('123.456.789-00');
    expect(isMisread(read) && read.error.message).toContain('check digits');
    expect(JSON.stringify(read)).not.toContain('456');
    expect(document.read('12.abc.345/01DE-35')).toBe('12ABC34501DE35');
  });

  test('text is not blank and has no control characters', () => {
    expect(text().read('Ação – 3ª série\nlinha 2 😀')).toBe('Ação – 3ª série\nlinha 2 😀');
    for (const wrong of ['', '  ', 'a\u0000b', 'a\u009fb', '\ud800']) expect(accepts(text().read(wrong))).toBe(false);
  });

  test('an address is one of the web', () => {
    expect(accepts(url.read('https://documentos.example/a%20b.pdf'))).toBe(true);
    for (const wrong of ['ftp://x.example', 'javascript:alert(1)', 'https://', 'https://a b'])
      expect(accepts(url.read(wrong))).toBe(false);
  });
});
