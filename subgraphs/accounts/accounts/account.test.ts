import { expect, test } from '@jest/globals';
import { emailErrors, passwordErrors, textErrors } from './account.js';

const right = ['abcdefg1', 'correct horse 9', `1${'a'.repeat(127)}`, `1${'😀'.repeat(126)}a`];
const wrong = ['abcdef1', `1${'a'.repeat(128)}`, 'abcdefgh', '12345678', '', `1a${'😀'.repeat(127)}`];

test('a password has 8 to 128 characters, letters and numbers', () => {
  expect(right.flatMap((password) => passwordErrors(password))).toEqual([]);
  for (const password of [...wrong, `1a${'x'.repeat(1_000_000)}`])
    expect(passwordErrors(password)).toMatchObject([
      { path: 'password', message: expect.stringContaining('8 to 128') },
    ]);
});

test.each(['ana@casa.example', ' Ana.Souza+api@Casa.Example ', "o'neil@a-b.co", `${'a'.repeat(64)}@xn--b.example`])(
  '%s is an e-mail',
  (email) => {
    expect(emailErrors(email)).toEqual([]);
  },
);

const domains = ['localhost', 'casa..example', '-casa.example', 'bücher.example', `${'a'.repeat(260)}.example`];
const lines = ['ana@casa.example\r\nBcc: x@y.example', 'ana\u0000@casa.example', '<ana@casa.example>', 'ana', ''];
// So long that a check in quadratic time would not end within the time limit of a test.
const long = [`${'a.'.repeat(2_000_000)}@`, `a@${'a-'.repeat(2_000_000)}`, `${'a'.repeat(65)}@b.example`];

test.each([...domains.map((domain) => `ana@${domain}`), ...lines, ...long])('%#: no e-mail', (email) => {
  expect(emailErrors(email)).toMatchObject([{ path: 'email', message: expect.any(String) }]);
});

test('a name has 1 to 200 printable characters', () => {
  for (const text of ['Ana', ' João d’Água ', '株式会社', 'x'.repeat(200)])
    expect(textErrors('name', text)).toEqual([]);
  for (const text of ['   ', 'a\u0000b', 'a\nb', 'a\u007fb', '\ud800', 'x'.repeat(201)])
    expect(textErrors('name', text)).toMatchObject([{ path: 'name', message: expect.any(String) }]);
});
