import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalizeText, searchText } from './search-text.js';

test('a normalised text has nothing that LIKE reads as a pattern, and stays as it is when normalised again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const normal = normalizeText(text);
      expect(normal).toMatch(/^([\p{Letter}\p{Number}]+( [\p{Letter}\p{Number}]+)*)?$/u);
      expect(normalizeText(normal)).toBe(normal);
    }),
  );
});

test('case, accents and punctuation make no difference', () => {
  expect(normalizeText('  São João, S.A. (CRI-12ª)')).toBe('sao joao s a cri 12a');
});

test('an operation is found by whatever names it', () => {
  const series = [{ ticker: 'LAS001S1', isin: 'BRLASTCRI001', ifCode: null }];
  const operation = {
    ticker: 'LAS001',
    slug: 'ipe-roxo',
    name: 'Ipê Roxo',
    sub: '',
    issuer: null,
    backingAsset: 'CCI',
  };
  expect(searchText({ ...operation, series })).toBe('las001 ipe roxo ipe roxo cci las001s1 brlastcri001');
});
