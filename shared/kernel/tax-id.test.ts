import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  bareDocument,
  cnpjCheckDigits,
  cpfCheckDigits,
  documentKind,
  formatDocument,
  isCnpj,
  isCpf,
  maskDocument,
} from './tax-id.js';

const digits = '0123456789';
const characters = `${digits}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;
const text = (alphabet: string, length: number) =>
  fc
    .array(fc.constantFrom(...alphabet.split('')), { minLength: length, maxLength: length })
    .map((list) => list.join(''));
const notOneDigit = (base: string) => !/^(.)\1*$/.test(base);
const cpf = text(digits, 9)
  .filter(notOneDigit)
  .map((base) => base + cpfCheckDigits(base));
const cnpj = text(characters, 12)
  .filter(notOneDigit)
  .map((base) => base + cnpjCheckDigits(base));

describe('CPF and CNPJ', () => {
  test('the published examples are valid, bare or as printed', () => {
    expect(documentKind('123.456.789-09')).toBe('CPF');
    expect(documentKind('11.222.333/0001-81')).toBe('CNPJ');
    // The example that Receita Federal gives for the alphanumeric form.
    expect(documentKind('12.ABC.345/01DE-35')).toBe('CNPJ');
    expect(documentKind('12abc34501de35')).toBe('CNPJ');
  });

  test('repeated digits, wrong lengths and letters among the check digits are refused', () => {
    for (const wrong of ['11111111111', '00000000000000', '1234567890', '12ABC34501DE3A', '', 'ABCDEFGHIJK']) {
      expect(documentKind(wrong)).toBeUndefined();
    }
  });

  test('computed check digits make a valid document, and any other check digits do not', () => {
    fc.assert(
      fc.property(cpf, cnpj, fc.integer({ min: 1, max: 99 }), (person, company, shift) => {
        const other = (valid: string) =>
          valid.slice(0, -2) + String((Number(valid.slice(-2)) + shift) % 100).padStart(2, '0');
        expect([isCpf(person), isCnpj(company)]).toEqual([true, true]);
        expect([isCpf(other(person)), isCnpj(other(company))]).toEqual([false, false]);
      }),
    );
  });

  test('one mistyped digit is noticed, but where the first check digit is 0, which stands for 10 too', () => {
    fc.assert(
      fc.property(cpf, fc.nat(8), fc.integer({ min: 1, max: 9 }), (person, at, shift) => {
        fc.pre(person[9] !== '0');
        const wrong = String((Number(person[at]) + shift) % 10);
        expect(isCpf(person.slice(0, at) + wrong + person.slice(at + 1))).toBe(false);
      }),
    );
  });

  test('formatting can be undone', () => {
    fc.assert(
      fc.property(fc.oneof(cpf, cnpj), (document) => {
        expect(bareDocument(formatDocument(document))).toBe(document);
      }),
    );
    expect(formatDocument('12345678909')).toBe('123.456.789-09');
    expect(formatDocument('12abc34501de35')).toBe('12.ABC.345/01DE-35');
    expect(formatDocument('not a document')).toBe('not a document');
  });

  test('a masked document shows nothing but its last four characters', () => {
    expect(maskDocument('123.456.789-09')).toBe('***.***.*89-09');
    expect(maskDocument('12ABC34501DE35')).toBe('**.***.***/**DE-35');
    fc.assert(
      fc.property(fc.oneof(cpf, cnpj), (document) => {
        expect(maskDocument(document).replace(/[*.\-/]/g, '')).toBe(document.slice(-4));
      }),
    );
  });
});
