const marks = /\p{Mark}+/gu;
const separators = /[^\p{Letter}\p{Number}]+/gu;

/** A text as it is stored and looked for: without accents, in lower case, words separated by single spaces. */
export function normalizeText(text: string): string {
  return text.normalize('NFKD').replace(marks, '').toLowerCase().replace(separators, ' ').trim();
}
