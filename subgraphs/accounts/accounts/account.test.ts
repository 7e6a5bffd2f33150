import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { emailErrors, passwordErrors, textErrors, trimEmail } from './account.js';

test.each([
  ['abcdefg1', true],
  ['correct horse 9', true],
  [`1${'a'.repeat(127)}`, true],
  [`1${'😀'.repeat(126)}a`, true],
  ['abcdef1', false],
  [`1${'a'.repeat(128)}`, false],
  ['abcdefgh', false],
  ['12345678', false],
  ['', false],
  [`1a${'😀'.repeat(127)}`, false],
  [`1a${'x'.repeat(1_000_000)}`, false],
])(
  'the password rule: 8 to 128 characters, letters and numbers %#: length and kinds of characters decide',
  (password, right) => {
    expect(passwordErrors(password)).toMatchObject(
      right ? [] : [{ path: 'password', message: expect.stringContaining('8 to 128') }],
    );
  },
);

describe('the form of an e-mail', () => {
  test.each([
    'ana@casa.example',
    ' Ana.Souza+api@Casa.Example ',
    "o'neil@a-b.co",
    'x@xn--bcher-kva.example',
    `${'a'.repeat(64)}@b.example`,
  ])('%s is one', (email) => {
    expect(emailErrors(email)).toEqual([]);
  });

  test.each([
    '',
    'ana',
    'ana@localhost',
    'ana@casa..example',
    'ana@-casa.example',
    'ana@casa.example\r\nBcc: x@y.example',
    'ana@bücher.example',
    'ana\u0000@casa.example',
    '<ana@casa.example>',
    `${'a'.repeat(65)}@b.example`,
    `ana@${'a'.repeat(260)}.example`,
  ])('%j is none', (email) => {
    expect(emailErrors(email)).toMatchObject([{ path: 'email', message: expect.any(String) }]);
  });

  test('no text lets a line break through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        if (emailErrors(text).length === 0) expect(trimEmail(text)).toMatch(/^[\x21-\x7e]+$/);
      }),
    );
  });

  // So long that a check in quadratic time would not end within the time limit of a test.
  test.each([`${'a.'.repeat(2_000_000)}@`, `a@${'a-'.repeat(2_000_000)}`])('%#: takes linear time', (email) => {
    expect(emailErrors(email)).toHaveLength(1);
  });
});

describe('a short text', () => {
  test.each(['Ana', ' Ana Souza ', 'João d’Água', '株式会社', 'x'.repeat(200)])('%j is accepted', (text) => {
    expect(textErrors('name', text)).toEqual([]);
  });

  test.each(['', '   ', 'a\u0000b', 'a\nb', 'a\u007fb', '\ud800', 'x'.repeat(201)])('%j is refused', (text) => {
    expect(textErrors('name', text)).toMatchObject([{ path: 'name', message: expect.any(String) }]);
  });
});
