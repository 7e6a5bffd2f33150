import { isVisible } from '../../../shared/kernel/identifying-text.js';
import { type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import { searchedWords } from '../../../shared/kernel/format/normalize-text.js';
import { hasMoreCharacters } from '../../../shared/kernel/echo.js';

const mostCharacters = 100;
const mostWords = 10;

/** Returns the normalised words of a search, each to be found anywhere, and what is wrong with it; an omitted or empty one has none. */
export function readSearch(
  search: string | null | undefined,
  path: string,
): { readonly words: readonly string[]; readonly errors: readonly ErrorDetail[] } {
  const text = search ?? '';
  const words = searchedWords(text);
  const errors: ErrorDetail[] = [];
  if (hasMoreCharacters(text, mostCharacters)) {
    errors.push({ path, message: `must have at most ${String(mostCharacters)} characters` });
  }
  if (!isVisible(text)) errors.push(errorAt(path, 'VISIBLE'));
  if (text !== '' && words.length === 0) errors.push({ path, message: 'must contain a letter or a digit' });
  if (words.length > mostWords) errors.push({ path, message: `must have at most ${String(mostWords)} words` });
  return { words, errors };
}
