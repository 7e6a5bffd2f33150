const marks = /\p{Mark}+/gu;
const separators = /[^\p{Letter}\p{Number}]+/gu;

/** A text as it is stored and looked for: without accents, in lower case, words separated by single spaces. */
export function normalizeText(text: string): string {
  return text.normalize('NFKD').replace(marks, '').toLowerCase().replace(separators, ' ').trim();
}

/**
 * What a search looks for, each anywhere in a text that was normalized: the words of the search, as spaces part them. What is
 * written in one, as `CCB-00041` is, is looked for in one.
 */
export function searchedWords(search: string): string[] {
  return [...new Set(search.split(/\s+/).map(normalizeText))].filter((word) => word !== '').sort();
}
