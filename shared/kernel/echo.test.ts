import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from './errors.js';
import { maxEcho, shortened } from './echo.js';

test('a message of our own stays as it is', () => {
  const message =
    'The document has 31 aliases, the limit is 30: "a" and "b" are two of them, and there is much more to say about it';
  expect(shortened(message)).toBe(message);
});

test('an error has no word and nothing quoted that is longer, wherever it came from', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2_000 }), fc.constantFrom('"', '', "'"), (text, quote) => {
      const error = new ApiError('BAD_REQUEST', {
        message: `It says ${quote}${text}${quote}`,
        details: [{ path: text, message: `has ${quote}${text}${quote}` }],
      });
      const [detail] = error.extensions.details ?? [];
      expect(detail?.path.length).toBeLessThanOrEqual(maxEcho + 1);
      for (const said of [error.message, detail?.message ?? '']) {
        for (const word of said.split(/\s+/)) expect(word.length).toBeLessThanOrEqual(maxEcho + 30);
      }
    }),
  );
});
