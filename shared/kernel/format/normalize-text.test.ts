import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalizeText } from './normalize-text.js';

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
