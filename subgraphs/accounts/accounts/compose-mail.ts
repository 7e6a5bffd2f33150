import { civilDate } from '../../../shared/kernel/clock.js';
import { formatDate } from '../../../shared/kernel/format/format.js';
import type { Mail } from '../../../shared/work/mail/mail.js';

export type MailLanguage = 'PT_BR' | 'EN';

/** A text in Portuguese and in English. */
export type Text = readonly [portuguese: string, english: string];

export interface Reader {
  readonly email: string;
  readonly name: string;
  readonly mailLanguage: MailLanguage;
}

interface Letter {
  readonly subject: Text;
  readonly paragraphs: readonly Text[];
  /** Link for the reader, shown after the first paragraph. */
  readonly action?: { readonly label: Text; readonly link: string };
}

/** Formats a time for both languages: `31/12/2026, às 18:30 (horário de Brasília)` and `2026-12-31, 18:30 (Brasília time)`. */
export function momentTexts(moment: Date): Text {
  const [day, time] = [civilDate(moment), timeOfDay.format(moment)];
  return [`${formatDate(day)}, às ${time} (horário de Brasília)`, `${day}, ${time} (Brasília time)`];
}

const timeOfDay = new Intl.DateTimeFormat('pt-BR', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'America/Sao_Paulo',
});

/** Builds a mail in the language of its reader. */
export function compose({ email, name, mailLanguage }: Reader, { subject, paragraphs, action }: Letter): Mail {
  const side = mailLanguage === 'EN' ? 1 : 0;
  const greeting = [
    `Olá, ${greetingName(name, 'titular da conta')}.`,
    `Hello, ${greetingName(name, 'account holder')}.`,
  ] as const;
  const [first = '', ...others] = paragraphs.map((text) => text[side]);
  const label = action?.label[side] ?? '';
  const text = [
    greeting[side],
    first,
    ...(action === undefined ? [] : [`${label}: ${action.link}`]),
    ...others,
    'Lastro',
  ];
  const html = [
    paragraph(greeting[side]),
    paragraph(first),
    ...(action === undefined ? [] : [`<p><a href="${escapeHtml(action.link)}">${escapeHtml(label)}</a></p>`]),
    ...others.map(paragraph),
    paragraph('Lastro'),
  ];
  return {
    to: email,
    subject: subject[side],
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${side === 1 ? 'en' : 'pt-BR'}"><body>\n${html.join('\n')}\n</body></html>\n`,
    links: action === undefined ? [] : [action.link],
  };
}

/** Keeps letters and spaces only, at most 60: anyone who registers chooses it, and an address in it would turn our mail into a stranger's message to the owner. */
function greetingName(name: string, otherwise: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{M}' -]/gu, '').trim();
  return Array.from(plain).slice(0, 60).join('') || otherwise;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}
