import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mintKey, parseKey } from './key-form.js';

const anyKey = fc
  .tuple(fc.uint8Array({ minLength: 8, maxLength: 8 }), fc.uint8Array({ minLength: 20, maxLength: 20 }))
  .map(([prefix, secret]) => mintKey('svcpub_', (size) => (size === 8 ? prefix : secret)));

describe('the form of an API key', () => {
  test('is svcpub_<prefix>.<secret>, and reads back as it was made', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(key.text).toMatch(/^svcpub_[0-9A-Za-z]{11}\.[0-9A-Za-z]{33}$/);
        expect(key.text.startsWith(`${key.prefix}.`)).toBe(true);
        expect(parseKey(key.text)).toEqual(key);
      }),
    );
  });

  test('holds at least 128 random bits in the secret: keys of different bytes differ', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 160n) - 1n }), fc.nat(159), (number, bit) => {
        const bytes = (value: bigint) => Buffer.from(value.toString(16).padStart(40, '0'), 'hex');
        const make = (value: bigint) =>
          mintKey('svcpub_', (size) => (size === 8 ? Buffer.alloc(8) : bytes(value))).text;
        expect(make(number)).not.toBe(make(number ^ (1n << BigInt(bit))));
      }),
    );
  });
});
