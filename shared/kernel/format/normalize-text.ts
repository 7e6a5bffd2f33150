const marks = /\p{Mark}+/gu;
const separators = /[^\p{Letter}\p{Number}]+/gu;

/** Normalizes a text for storage and search: no accents, lower case, words separated by single spaces. */
export function normalizeText(text: string): string {
  return text.normalize('NFKD').replace(marks, '').toLowerCase().replace(separators, ' ').trim();
}

/** Returns normalized words, each to be found anywhere in a normalized text. Text without spaces, such as `CCB-00041`, is one. */
export function searchedWords(search: string): string[] {
  return [...new Set(search.split(/\s+/).map(normalizeText))].filter((word) => word !== '').sort();
}
