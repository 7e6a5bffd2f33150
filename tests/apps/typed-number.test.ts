import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatsOf } from '../../apps/design/formats.js';
import { readNumber, writeNumber } from '../../apps/panel/frame/typed-number.js';

const languages = fc.constantFrom('pt-BR' as const, 'en' as const);
const digits = (max: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: max });
const numbers = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.option(digits(20)))
  .map(([whole, decimals]) => `${whole}${decimals === null ? '' : `.${decimals.join('')}`}`);

test('what a page writes it reads, to the last digit, in its own language', () => {
  fc.assert(
    fc.property(languages, numbers, (language, number) => {
      expect(readNumber(writeNumber(number, language), language)).toBe(number);
    }),
  );
  const { money, percent } = formatsOf('pt-BR');
  expect(readNumber(money('-1234567.89'), 'pt-BR', 'BRL')).toBe('-1234567.89');
  expect(readNumber(percent('0.25'), 'pt-BR', '%')).toBe('0.25');
  expect(readNumber(formatsOf('en').money('1234567.89'), 'en', 'BRL')).toBe('1234567.89');
});

test.each([
  ['pt-BR', '1.500', '1500'],
  ['pt-BR', '1,500', '1.500'],
  ['pt-BR', '577.854,21', '577854.21'],
  ['pt-BR', ' R$ 1.500,00 ', '1500.00'],
  ['pt-BR', '1500', '1500'],
  ['en', '1,000', '1000'],
  ['en', '1.000', '1.000'],
  ['en', '577,854.21', '577854.21'],
  ['en', 'R$1,500.00', '1500.00'],
] as const)('in %s %s is %s', (language, typed, number) => {
  expect(readNumber(typed, language, 'BRL')).toBe(number);
});

test.each([
  ['pt-BR', ['577854.21', '1.5', '0.001', '1.50', '1.5000', '1,234.56', '1.234.56', '1,2,3', '1 500', '01.500', '']],
  ['en', ['577.854,21', '1,5', '0,001', '12,34', '1.234.567', '1,2345', '1,234,56', '1 500', '']],
  ['pt-BR', ['1e3', '--1', '1-', '+1', '1,', ',5', '.5', 'mil', '0x10', '١', '0,01 BTC', 'US$ 5', '5%', 'R$']],
] as const)('in %s what can be read in two ways, or in none, is no number', (language, all) => {
  expect(all.map((typed) => readNumber(typed, language, 'BRL'))).toEqual(all.map(() => undefined));
});

test('only its own unit may stand beside a number', () => {
  expect(readNumber('0,01 BTC', 'pt-BR', 'BTC')).toBe('0.01');
  expect(readNumber('R$ 0,01', 'pt-BR', 'BTC')).toBeUndefined();
});
