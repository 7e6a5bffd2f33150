import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { maskDocumentsIn } from './tax-id.js';
import { ApiError } from './errors.js';
import { maxReasonLength, requireReason } from './reason.js';

function outcomeOf(reason: string): string | readonly string[] {
  try {
    return requireReason(reason);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.extensions.statusCode).toBe(400);
    return error.extensions.details?.map(({ path, message }) => `${path} ${message}`) ?? [];
  }
}

const tooLong = 'reason must have 1 to 500 characters';
const notOneLine = 'reason must be one line, without control characters';

describe('a reason', () => {
  test('has no spaces around it, and line breaks at its end are such spaces', () => {
    expect(outcomeOf('  valor digitado errado \n')).toBe('valor digitado errado');
  });

  test.each(['', '   ', '\n', '\u200b', 'x'.repeat(501), '😀'.repeat(501)])(
    'that is empty or too long is refused (%#)',
    (reason) => {
      expect(outcomeOf(reason)).toEqual([tooLong]);
    },
  );

  test('is counted in characters, not in the units of their encoding', () => {
    expect(outcomeOf('😀'.repeat(500))).toHaveLength(1_000);
  });

  test.each(['a\nb', 'a\r\nb', 'a\0b', 'a\tb', 'a\u0085b', 'a\u2028b', 'a\u2029b', 'a\ud800b', 'a\u001b[31mb'])(
    'of several lines or with control characters is refused (%#)',
    (reason) => {
      expect(outcomeOf(reason)).toEqual([notOneLine]);
    },
  );

  test('gets all errors at once', () => {
    expect(outcomeOf(`a\n${'b'.repeat(500)}`)).toEqual([tooLong, notOneLine]);
  });

  test('fits where it is stored, as it is and with its tax ids masked', () => {
    expect(outcomeOf(`${'x'.repeat(488)} 52998224725`)).toEqual([
      'reason must have at most 500 characters as it is published, with its tax ids masked',
    ]);
    const word = fc.constantFrom('52998224725', '529.982.247-25', '11222333000181', 'pago', '😀', 'é', ' ');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 200 }), (words) => {
        const said = outcomeOf(words.join(' '));
        if (typeof said !== 'string') return;
        for (const text of [said, maskDocumentsIn(said)]) {
          expect(Array.from(text).length).toBeGreaterThan(0);
          expect(Array.from(text).length).toBeLessThanOrEqual(maxReasonLength);
        }
      }),
    );
  });
});
