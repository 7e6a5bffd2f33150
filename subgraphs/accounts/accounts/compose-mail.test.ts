import { expect, test } from '@jest/globals';
import type { Mail } from '../../../shared/work/mail/mail.js';
import * as factors from '../second-factors/factor.mails.js';
import * as mails from './account.mails.js';
import { compose, type MailLanguage } from './compose-mail.js';
import * as notices from './notices.mails.js';

const ana = { email: 'a@b.co', name: 'Ana', mailLanguage: 'PT_BR' } as const;

test('a message shows what it is given as text, never as markup', () => {
  const action = { label: ['Abrir <já>', ''], link: 'https://lastro.test/a?b=1&c="2"' } as const;
  const { text, html } = compose(ana, { subject: ['', ''], paragraphs: [["Um & dois's", '']], action });
  expect(text).toContain(`Um & dois's\n\nAbrir <já>: ${action.link}\n`);
  expect(html).toContain('<p>Um &amp; dois&#39;s</p>');
  expect(html).toContain('<a href="https://lastro.test/a?b=1&amp;c=&quot;2&quot;">Abrir &lt;já&gt;</a>');
});

test('a message greets with at most 60 letters of a name, else as account holder', () => {
  const greet = (name: string) => compose({ ...ana, name }, { subject: ['', ''], paragraphs: [] }).text.split('\n')[0];
  expect(greet('𝒜'.repeat(70))).toBe(`Olá, ${'𝒜'.repeat(60)}.`);
  expect(greet('123 456')).toBe('Olá, titular da conta.');
});

const at = new Date('2026-11-20T15:00:00Z');
const owners = (['EMISSOES_USER', 'AGENT_USER'] as const).map((ownerType) => ({ ownerType, createdAt: at }));
const key = { prefix: 'k', createdAt: at, expiresAt: at };
/** Values for each letter; a letter without an entry gets the moment. */
const given: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  confirmationMail: [['https://l']],
  confirmationAgainMail: [['https://l']],
  resetMail: [['https://l']],
  webhookDeactivatedMail: [true, false].map((gone) => [{ url: 'https://w', gone }]),
  originatorKeyMail: ['ADDED', 'REVOKED'].map((change) => [{ client: 'X', change, fingerprint: 'f', at }]),
  newNetworkMail: [[{ network: '203.0.113.0/24', createdAt: at }]],
  newKeyMail: [[key]],
  keyRotatedMail: [at, null].map((revokedAt) => [{ oldKey: { ...key, revokedAt }, newKey: key, moment: at }]),
  webhookChangedMail: ['CREATED', 'MOVED'].map((change) => [{ webhookId: 'w', change, at }]),
  passwordResetMail: [2, undefined].map((keys) => [{ moment: at, keys }]),
  keysExpireMail: [[[key]], [[key, key]]],
  keyLinkMail: [[at, 'https://l']],
  keyIssuedMail: [[at, 'o@b.co', 'i@b.co']],
};

test('every letter has its own text in English, without a word of Portuguese, and the same in Portuguese', () => {
  const letters = Object.entries({ ...mails, ...notices, ...factors }).filter(([name]) => name.endsWith('Mail'));
  expect(letters.length).toBeGreaterThan(23);
  for (const [name, write] of letters) {
    for (const owner of owners) {
      for (const values of given[name] ?? [[at, 2]]) {
        const written = (mailLanguage: MailLanguage) =>
          (write as (...all: readonly unknown[]) => Mail)({ ...ana, ...owner, mailLanguage }, ...values);
        const [portuguese, english] = [written('PT_BR'), written('EN')];
        const foreign = /[ãõçáéóúâêô]|\b(?:de|que|se|foi|uma|para|chave|senha|sua|em|com|por|nova)\b/i;
        const text = `${english.subject}\n${english.text}`.replaceAll('Brasília', '');
        expect([name, foreign.exec(text)?.[0]]).toEqual([name, undefined]);
        expect([name, /\b(?:the|your|was|you)\b/.exec(portuguese.text)?.[0]]).toEqual([name, undefined]);
        expect([name, portuguese.text.split('\n\n').length]).toEqual([name, english.text.split('\n\n').length]);
        expect(english.html).toContain('<html lang="en">');
      }
    }
  }
});
