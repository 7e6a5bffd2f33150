import { maskDocumentsIn } from './tax-id.js';

/** The longest error text that is shown, in characters. */
const maxLength = 300;

/** Text of an error for operators: e-mails, tax ids and secret parts of URLs are replaced, and it is cut to 300 characters. */
export function shownError(text: string): string {
  const masked = maskDocumentsIn(text)
    .replace(/[^\s@<>"'()[\],;:]+@[^\s@<>"'()[\],;:]+/gu, '[e-mail]')
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/giu, '$1?…');
  const characters = Array.from(masked);
  return characters.length <= maxLength ? masked : `${characters.slice(0, maxLength - 1).join('')}…`;
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}

/** Returns the code that Node, PostgreSQL or a library set on the thrown value, if any. */
export function codeOf(thrown: unknown): string | undefined {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : undefined;
}
