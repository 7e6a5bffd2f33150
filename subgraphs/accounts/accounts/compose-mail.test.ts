import { describe, expect, test } from '@jest/globals';
import { compose, momentText } from './compose-mail.js';

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

  test('without a link has none', () => {
    const mail = compose(reader, { subject: 'Assunto', paragraphs: ['Um.'] });
    expect(mail).toMatchObject({ text: 'Olá, Ana.\n\nUm.\n\nLastro\n', links: [] });
    expect(mail.html).not.toContain('<a');
  });

  test.each([
    ['João d’Água', 'João dÁgua'],
    ["Ana-Maria O'Neil", "Ana-Maria O'Neil"],
    ['  Ana  ', 'Ana'],
    ['win at http://evil.example/x now', 'win at httpevilexamplex now'],
    ['<b>Ana</b>', 'bAnab'],
    ['x'.repeat(70), 'x'.repeat(60)],
    ['𝒜'.repeat(70), '𝒜'.repeat(60)],
    ['株式会社', '株式会社'],
    ['123 456', 'titular da conta'],
    ['', 'titular da conta'],
  ])('greets %j as %j', (name, greeted) => {
    const { text } = compose({ ...reader, name }, { subject: '', paragraphs: [] });
    expect(text.split('\n')[0]).toBe(`Olá, ${greeted}.`);
  });

  test('shows a moment by the clock of Brasília', () => {
    expect(momentText(new Date('2026-12-31T21:30:59Z'))).toBe('31/12/2026, às 18:30 (horário de Brasília)');
    expect(momentText(new Date('2027-01-01T02:05:00Z'))).toBe('31/12/2026, às 23:05 (horário de Brasília)');
    expect(momentText(new Date('2027-01-01T03:00:00Z'))).toBe('01/01/2027, às 00:00 (horário de Brasília)');
  });
});
