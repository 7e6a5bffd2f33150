import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sha256 } from '../crypto.js';
import { cpfCheckDigits, formatDocument, maskDocumentsIn } from '../../kernel/tax-id.js';
import { auditable, plainWithoutEmails, withoutEmails } from './auditable.js';

describe('what the audit log keeps of a value', () => {
  test('hides secrets by their names, and shows the last digits of tax ids', () => {
    const value = {
      name: 'Casa',
      password: 'segredo123',
      apiKey: 'svcpub_x',
      nested: [{ accessToken: 'abc', secretHash: Buffer.from('x'), debtor: '529.982.247-25', number: 52998224725 }],
      at: new Date('2026-11-22T00:00:00Z'),
      nothing: null,
      left: undefined,
    };
    expect(auditable(value)).toEqual({
      name: 'Casa',
      password: '[hidden]',
      apiKey: '[hidden]',
      nested: [{ accessToken: '[hidden]', secretHash: '[hidden]', debtor: '***.***.*47-25', number: '***.***.*47-25' }],
      at: '2026-11-22T00:00:00.000Z',
      nothing: null,
    });
  });

  test.each([
    ...['password', 'newPassword', 'passwordHash', 'passwordConfirmation', 'secret', 'clientSecret', 'secretHash'],
    ...['token', 'accessToken', 'refreshToken', 'access_token', 'tokenHash', 'refreshTokens', 'resetToken'],
    ...[
      'key',
      'apiKey',
      'x-api-key',
      'publicApiKey',
      'operatorKey',
      'developerKey',
      'wholeKey',
      'masterKey',
      'signingKey',
    ],
    ...[
      'privateKey',
      'privateKeyPem',
      'keyHash',
      'keyMaterial',
      'credential',
      'credentials',
      'authorization',
      'signature',
    ],
  ])('hides %s', (name) => {
    expect(auditable({ [name]: 'x', [name.toUpperCase()]: 'x' })).toEqual({
      [name]: '[hidden]',
      [name.toUpperCase()]: '[hidden]',
    });
  });

  test.each([
    ...[
      'tokenQuantity',
      'tokenIds',
      'tokens',
      'firstTokenId',
      'lastTokenId',
      'maxTokens',
      'quantidadeTokens',
      'nextToken',
    ],
    ...['tokenization', 'credentialId', 'publicKey', 'keyId', 'keys', 'signatureAlgorithm', 'revokeKeys', 'prefix'],
  ])('shows %s', (name) => {
    expect(auditable({ [name]: 12 })).toEqual({ [name]: 12 });
  });

  test.each([
    ['BAD_REQUEST: 529.982.247-25 is no debtor', 'BAD_REQUEST: ***.***.*47-25 is no debtor'],
    ['52998224725, 529.982.247-25', '***.***.*47-25, ***.***.*47-25'],
    ['(12.abc.345/01de-35)', '(**.***.***/**DE-35)'],
    ['the debtor "12ABC34501DE35" is unknown', 'the debtor "**.***.***/**DE-35" is unknown'],
    ['529.982.247-26 has wrong check digits', '529.982.247-26 has wrong check digits'],
    ['asset 0190b1a0-0000-7000-8000-00000000000a', 'asset 0190b1a0-0000-7000-8000-00000000000a'],
  ])('writes %s as %s', (text, masked) => {
    expect(maskDocumentsIn(text)).toBe(masked);
    expect(auditable({ text })).toEqual({ text: masked });
  });

  test('has no whole tax id of a sentence, whatever stands around it', () => {
    const digits = fc
      .stringMatching(/^\d{9}$/)
      .filter((base) => !/^(.)\1*$/.test(base))
      .map((base) => `${base}${cpfCheckDigits(base)}`);
    const around = fc.stringMatching(/^[a-z0-9 .,:"-]{0,40}$/);
    fc.assert(
      fc.property(digits, around, around, fc.boolean(), (cpf, before, after, printed) => {
        const written = printed ? formatDocument(cpf) : cpf;
        expect(maskDocumentsIn(`${before} "${written}" ${after}`)).not.toContain(written);
      }),
    );
  });

  test('keeps of a file its size and SHA-256', () => {
    const file = 'x'.repeat(1_000_000);
    expect(auditable({ file })).toEqual({ file: `[1000000 bytes, SHA-256 ${sha256(file).toString('hex')}]` });
  });

  test('is JSON of at most 16 KiB that PostgreSQL takes, and holds no secret and no tax id, whatever the value is', () => {
    const secret = 'tell-nobody-8461';
    const leaf = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 500 }),
      fc.double(),
      fc.constant('52998224725'),
      fc.bigInt(),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 9 }, leaf, fc.array(tie('any'), { maxLength: 80 }), tie('object')),
      object: fc
        .dictionary(fc.string({ unit: 'binary', maxLength: 200 }), tie('any'), { maxKeys: 80 })
        .map((fields) => ({ ...fields, newPassword: secret })),
    })).any;
    fc.assert(
      fc.property(value, (given) => {
        const text = JSON.stringify(auditable({ given }));
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_384);
        expect(text).not.toContain(secret);
        expect(text).not.toContain('52998224725');
        expect(text).not.toContain('\\u0000');
        expect(text).not.toMatch(/\\ud[89a-f]/);
      }),
      { numRuns: 300 },
    );
  });
});

describe('e-mail addresses', () => {
  test.each([
    ['NOT_FOUND: No account has the e-mail ana.dias+x@casa.example', 'NOT_FOUND: No account has the e-mail [e-mail]'],
    ['<ana@casa.example>, (bia@a.b)', '<[e-mail]>, ([e-mail])'],
    ['2 @ 3, and nobody', '2 @ 3, and nobody'],
  ])('are hidden in %s', (text, shown) => {
    expect(withoutEmails(text)).toBe(shown);
  });

  test('are hidden at every depth of a value that is to have none, and else in reasons alone', () => {
    const value = { email: 'ana@casa.example', list: [{ text: 'a\nana@casa.example' }], count: 3, none: null };
    expect(plainWithoutEmails(value)).toEqual({
      email: '[e-mail]',
      list: [{ text: 'a\n[e-mail]' }],
      count: 3,
      none: null,
    });
    expect(auditable({ email: 'ana@casa.example', disabledReason: 'asked for by ana@casa.example' })).toEqual({
      email: 'ana@casa.example',
      disabledReason: 'asked for by [e-mail]',
    });
  });
});
