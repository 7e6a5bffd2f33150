import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createKeyRing, sameSecret } from './crypto.js';

const keyRing = createKeyRing(Buffer.alloc(32, 1));

test('what is sealed opens again, and only for its purpose and under its key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (plain) => {
      const sealed = keyRing.seal('mail', plain);
      expect(keyRing.open('mail', sealed)).toBe(plain);
      expect(() => keyRing.open('answers', sealed)).toThrow();
      expect(() => createKeyRing(Buffer.alloc(32, 2)).open('mail', sealed)).toThrow();
    }),
    { numRuns: 50 },
  );
});

test('a sealed value with any bit changed does not open', () => {
  const sealed = keyRing.seal('mail', 'segredo');
  fc.assert(
    fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => keyRing.open('mail', altered)).toThrow();
    }),
  );
});

test('secrets of any two lengths can be compared', () => {
  expect(sameSecret('a', 'a')).toBe(true);
  expect(sameSecret('a', 'ab')).toBe(false);
});
