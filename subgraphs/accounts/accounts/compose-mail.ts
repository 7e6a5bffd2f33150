import { civilDate } from '../../../shared/kernel/clock.js';
import { formatDate } from '../../../shared/kernel/format/format.js';
import type { Mail } from '../../../shared/work/mail/mail.js';

export type MailLanguage = 'PT_BR' | 'EN';

export interface Reader {
  readonly email: string;
  readonly name: string;
  /** The language of the message's own texts; Portuguese where none is given. */
  readonly language?: MailLanguage;
}

interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Link for the reader, shown after the first paragraph. */
  readonly action?: { readonly label: string; readonly link: string };
}

/** Formats a time for mail: `31/12/2026, às 18:30 (horário de Brasília)`, or `2026-12-31, 18:30 (Brasília time)`. */
export function momentText(moment: Date, language: MailLanguage = 'PT_BR'): string {
  if (language === 'EN') return `${civilDate(moment)}, ${timeOfDay.format(moment)} (Brasília time)`;
  return `${formatDate(civilDate(moment))}, às ${timeOfDay.format(moment)} (horário de Brasília)`;
}

const timeOfDay = new Intl.DateTimeFormat('pt-BR', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'America/Sao_Paulo',
});

export function compose(reader: Reader, { subject, paragraphs, action }: Letter): Mail {
  const english = reader.language === 'EN';
  const greeting = english
    ? `Hello, ${greetingName(reader.name, 'account holder')}.`
    : `Olá, ${greetingName(reader.name, 'titular da conta')}.`;
  const [first = '', ...others] = paragraphs;
  const text = [
    greeting,
    first,
    ...(action === undefined ? [] : [`${action.label}: ${action.link}`]),
    ...others,
    'Lastro',
  ];
  const html = [
    paragraph(greeting),
    paragraph(first),
    ...(action === undefined ? [] : [`<p><a href="${escapeHtml(action.link)}">${escapeHtml(action.label)}</a></p>`]),
    ...others.map(paragraph),
    paragraph('Lastro'),
  ];
  return {
    to: reader.email,
    subject,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${english ? 'en' : 'pt-BR'}"><body>\n${html.join('\n')}\n</body></html>\n`,
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
