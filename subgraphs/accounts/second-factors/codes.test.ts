import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { matchTotp, totpCode, totpStep } from './totp.js';

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
});
