import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from './errors.js';
import { maxEcho, shortened } from './echo.js';

const long = (length: number) => 'x'.repeat(length);

test('a message of our own stays as it is', () => {
  const message =
    'The document has 31 aliases, the limit is 30: "a" and "b" are two of them, and there is much more to say about it';
  expect(shortened(message)).toBe(message);
});

test.each([
  [`Cannot query field "${long(5_000)}" on type "Query".`, `Cannot query field "${long(100)}…" on type "Query".`],
  [`Syntax Error: Unexpected Name "${long(101)}"`, `Syntax Error: Unexpected Name "${long(100)}…"`],
  [`There is no tool ${long(1_000)}: call another`, `There is no tool ${long(100)}… call another`],
  [`Unterminated "${long(300)}`, `Unterminated "${long(100)}…"`],
  [`Value "${'a \\" '.repeat(100)}" does not exist`, `Value "${'a \\" '.repeat(20)}…" does not exist`],
  [
    `Expected value of type "Int", found {${'a: 1, '.repeat(100)}}`,
    `Expected value of type "Int", found ${`{${'a: 1, '.repeat(100)}`.slice(0, 100)}…`,
  ],
])('what a caller wrote ends after 100 characters: %#', (message, short) => {
  expect(shortened(message)).toBe(short);
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
