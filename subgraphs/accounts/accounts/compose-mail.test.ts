import { describe, expect, test } from '@jest/globals';
import { compose } from './compose-mail.js';

const reader = { email: 'ana@casa.example', name: 'Ana' };
const action = { label: 'Abrir <já>', link: 'https://lastro.test/a?b=1&c="2"' };

describe('a message', () => {
  test('greets, says its first paragraph, shows the link, and goes on, as text and as HTML', () => {
    const mail = compose(reader, { subject: 'Assunto', paragraphs: ['Um & dois.', 'Três.', "Quatro's."], action });
    expect(mail).toEqual({
      to: 'ana@casa.example',
      subject: 'Assunto',
      text: `Olá, Ana.\n\nUm & dois.\n\nAbrir <já>: ${action.link}\n\nTrês.\n\nQuatro's.\n\nLastro\n`,
      html: [
        '<!doctype html>',
        '<html lang="pt-BR"><body>',
        '<p>Olá, Ana.</p>',
        '<p>Um &amp; dois.</p>',
        '<p><a href="https://lastro.test/a?b=1&amp;c=&quot;2&quot;">Abrir &lt;já&gt;</a></p>',
        '<p>Três.</p>',
        '<p>Quatro&#39;s.</p>',
        '<p>Lastro</p>',
        '</body></html>',
        '',
      ].join('\n'),
      links: [action.link],
    });
  });

  test.each([
    ['João d’Água', 'João dÁgua'],
    ['win at http://evil.example/x now', 'win at httpevilexamplex now'],
    ['<b>Ana</b>', 'bAnab'],
    ['𝒜'.repeat(70), '𝒜'.repeat(60)],
    ['123 456', 'titular da conta'],
    ['', 'titular da conta'],
  ])('greets %j as %j', (name, greeted) => {
    const { text } = compose({ ...reader, name }, { subject: '', paragraphs: [] });
    expect(text.split('\n')[0]).toBe(`Olá, ${greeted}.`);
  });
});
