import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { matchTotp, newTotpSecret, totpAddress, totpCode, totpStep, totpText } from './totp.js';
import { newRecoveryCode, recoveryCodeHash } from './recovery-code.js';

const stepMs = 30_000;
const moments = fc.integer({ min: 1_000_000_000, max: 4_000_000_000 }).map((seconds) => new Date(seconds * 1000));
const secrets = fc.uint8Array({ minLength: 20, maxLength: 20 });

describe('a code of an authenticator application', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %d seconds is that of RFC 6238, appendix B, in six digits', (seconds, code) => {
    expect(totpCode(Buffer.from('12345678901234567890'), totpStep(new Date(seconds * 1000)))).toBe(code);
  });

  test('is accepted in its own step and those beside it, once, and none before it afterwards', () => {
    fc.assert(
      fc.property(secrets, moments, fc.integer({ min: -1, max: 1 }), (secret, now, shift) => {
        const step = totpStep(now) + shift;
        const code = totpCode(secret, step);
        const matched = matchTotp(secret, code, now, -1);
        expect(matched).toBeDefined();
        expect(totpCode(secret, matched ?? 0)).toBe(code);
        expect(matchTotp(secret, code, now, totpStep(now) + 1)).toBeUndefined();
        expect(matchTotp(secret, code, now, matched ?? 0) ?? 0).not.toBe(matched);
      }),
    );
  });

  test('is not accepted two steps away', () => {
    fc.assert(
      fc.property(secrets, moments, fc.constantFrom(-2, 2), (secret, now, shift) => {
        const [code, step] = [totpCode(secret, totpStep(now)), totpStep(now) + shift];
        // Another step may have the same code by chance.
        if ([step - 1, step, step + 1].some((near) => totpCode(secret, near) === code)) return;
        expect(matchTotp(secret, code, new Date(step * stepMs), -1)).toBeUndefined();
      }),
    );
  });

  test('that is no six digits is no code', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (/^\d{6}$/.test(text)) return;
        expect(matchTotp(Buffer.alloc(20), text, new Date(0), -1)).toBeUndefined();
      }),
    );
  });

  test('has a secret of 160 bits, in base32 and in an address', () => {
    const secret = newTotpSecret();
    expect(secret).toHaveLength(20);
    const address = new URL(totpAddress(secret, 'ana+1@casa.example'));
    expect(address.searchParams.get('secret')).toBe(totpText(secret));
    expect(totpText(secret)).toMatch(/^[A-Z2-7]{32}$/);
    expect(decodeURIComponent(address.pathname)).toContain('Lastro:ana+1@casa.example');
  });
});

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
