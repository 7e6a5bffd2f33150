import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createKeyRing } from '../crypto.js';
import { createReadAfterTokens } from './read-after.js';

const [old, present, foreign] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte));
const ringOf = (key = Buffer.alloc(32), previous?: Buffer) => createReadAfterTokens(createKeyRing(key, previous));
const tokens = ringOf(present);
const lsn = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe('a token of X-Read-After', () => {
  test('names the position that was signed, also after the master key has changed', () => {
    fc.assert(
      fc.property(lsn, (position) => {
        expect(tokens.verify(tokens.sign(position))).toBe(position);
        expect(ringOf(present, old).verify(ringOf(old).sign(position))).toBe(position);
      }),
    );
  });

  test('of another service, or changed in any place, names none', () => {
    const character = fc.constantFrom(...Array.from('0123456789abcdefghijklmnopqrstuvwxyzABCXYZ-_.'));
    fc.assert(
      fc.property(lsn, fc.nat(), character, (position, place, other) => {
        const token = tokens.sign(position);
        expect(ringOf(foreign).verify(token)).toBeUndefined();
        const index = place % token.length;
        const changed = `${token.slice(0, index)}${other}${token.slice(index + 1)}`;
        const verified = tokens.verify(changed);
        // The last character of the signature has bits that mean nothing.
        if (verified !== undefined)
          expect([verified, index]).toEqual([position, changed === token ? index : token.length - 1]);
      }),
    );
  });

  test('that is any other text names none', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(tokens.verify(text)).toBeUndefined()));
    expect(tokens.verify(`${tokens.sign(1n)} `)).toBeUndefined();
  });

  test('is signed for its position alone, and for nothing else that the key ring signs', () => {
    const ring = createKeyRing(present ?? Buffer.alloc(32));
    const mac = ring.hmac('another purpose', '1').subarray(0, 16).toString('base64url');
    expect(tokens.verify(`${ring.id}.1.${mac}`)).toBeUndefined();
    const [id, , signature] = tokens.sign(1n).split('.');
    expect(tokens.verify(`${id}.2.${signature}`)).toBeUndefined();
  });
});
