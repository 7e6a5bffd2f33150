import { expect, test } from '@jest/globals';
import { compose } from './compose-mail.js';

test('a message shows what it is given as text, never as markup', () => {
  const action = { label: 'Abrir <já>', link: 'https://lastro.test/a?b=1&c="2"' };
  const { text, html } = compose(
    { email: 'a@b.co', name: 'Ana' },
    { subject: '', paragraphs: ["Um & dois's"], action },
  );
  expect(text).toContain(`Um & dois's\n\nAbrir <já>: ${action.link}\n`);
  expect(html).toContain('<p>Um &amp; dois&#39;s</p>');
  expect(html).toContain('<a href="https://lastro.test/a?b=1&amp;c=&quot;2&quot;">Abrir &lt;já&gt;</a>');
});

test('a message greets with at most 60 letters of a name, else as account holder', () => {
  const greet = (name: string) =>
    compose({ email: 'a@b.co', name }, { subject: '', paragraphs: [] }).text.split('\n')[0];
  expect(greet('𝒜'.repeat(70))).toBe(`Olá, ${'𝒜'.repeat(60)}.`);
  expect(greet('123 456')).toBe('Olá, titular da conta.');
});
