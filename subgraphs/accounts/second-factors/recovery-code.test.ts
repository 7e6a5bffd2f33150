import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newRecoveryCode, recoveryCodeHash } from './recovery-code.js';

describe('a recovery code', () => {
  test('has 16 characters that cannot be mistaken for each other, and is never the same', () => {
    const codes = Array.from({ length: 200 }, newRecoveryCode);
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(new Set(codes).size).toBe(200);
  });

  test('is the same however it is typed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 19, maxLength: 19 }),
        fc.constantFrom('', ' ', '-'),
        (lower, gap) => {
          const code = newRecoveryCode();
          const typed = Array.from(code.replaceAll('-', gap), (letter, at) =>
            lower[at] === true ? letter.toLowerCase() : letter,
          );
          const mistaken = typed.join('').replaceAll('0', 'o').replaceAll('1', 'l');
          expect(recoveryCodeHash(mistaken)).toEqual(recoveryCodeHash(code));
          expect(recoveryCodeHash(code)).toHaveLength(32);
        },
      ),
    );
  });

  test('is no other text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const plain = text.toUpperCase().replaceAll(/[\s-]/g, '');
        if (text.length <= 40 && /^[0-9A-TV-Z]{16}$/.test(plain)) return;
        expect(recoveryCodeHash(text)).toBeUndefined();
      }),
    );
  });
});
