import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createKeyRing, sameSecret, SealError } from './crypto.js';
import { sealedMail, sealedResponse } from './sealed.js';

const keyRing = createKeyRing(Buffer.alloc(32, 1));

test('what is sealed opens again, and only for its purpose and under its key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (plain) => {
      const sealed = keyRing.seal(sealedMail, plain);
      expect(keyRing.open(sealedMail, sealed)).toBe(plain);
      expect(() => keyRing.open(sealedResponse, sealed)).toThrow();
      expect(() => createKeyRing(Buffer.alloc(32, 2)).open(sealedMail, sealed)).toThrow();
    }),
    { numRuns: 50 },
  );
});

test('a sealed value with any bit changed does not open', () => {
  const sealed = keyRing.seal(sealedMail, 'segredo');
  fc.assert(
    fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => keyRing.open(sealedMail, altered)).toThrow();
    }),
  );
});

test('secrets of any two lengths can be compared', () => {
  expect(sameSecret('a', 'a')).toBe(true);
  expect(sameSecret('a', 'ab')).toBe(false);
});

test('what the previous key sealed opens beside the present one, which alone seals', () => {
  const [before, now] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const old = keyRing.seal(sealedMail, 'segredo');
  const both = createKeyRing(now, before);
  expect(both.open(sealedMail, old)).toBe('segredo');
  expect(both.inspect(sealedMail, old).keyId).toBe(keyRing.id);
  const fresh = both.seal(sealedMail, 'segredo');
  expect(createKeyRing(now).open(sealedMail, fresh)).toBe('segredo');
  expect(() => keyRing.open(sealedMail, fresh)).toThrow(SealError);
});

test('a value that does not open says under which key it was sealed, and which there is', () => {
  const other = createKeyRing(Buffer.alloc(32, 2));
  expect(() => other.open(sealedMail, keyRing.seal(sealedMail, 'segredo'))).toThrow(
    `A value of shared.mails was encrypted with the master key ${keyRing.id}, and this program has ${other.id}. ` +
      'Start it with that key as MASTER_KEY_PREVIOUS',
  );
});
