import { refuse, type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { AssetQuery } from './asset-list.js';
import type { AssetStatus } from './asset.js';
import type { AssetType } from '../../securities/asset-type.js';
import { isVisible } from '../../../shared/kernel/identifying-text.js';
import { searchedWords } from '../../../shared/kernel/format/normalize-text.js';
import { hasMoreCharacters } from '../../../shared/kernel/echo.js';

export interface AssetFilterInput {
  readonly patrimonyId?: string | null | undefined;
  readonly status?: AssetStatus | null | undefined;
  readonly type?: AssetType | null | undefined;
  readonly search?: string | null | undefined;
}

export const searchDescription =
  'Up to 10 words, 100 characters in total. Each must be part of the external id, or of the name of a debtor that is a legal person (one of one or two characters the beginning of a word there), without regard to case and accents. Names of natural persons are never searched';

/** @throws {ApiError} BAD_REQUEST with every error of the filter */
export function assetQuery({ patrimonyId, status, type, search }: AssetFilterInput): AssetQuery {
  const { words, errors: searchErrors } = readSearch(search, 'filter.search');
  const errors: ErrorDetail[] = [];
  if (patrimonyId != null && !isUuid(patrimonyId)) {
    errors.push({ path: 'filter.patrimonyId', message: 'must be a UUID' });
  }
  refuse('BAD_REQUEST', [...errors, ...searchErrors]);
  return { patrimonyId: patrimonyId?.toLowerCase() ?? null, status: status ?? null, type: type ?? null, words };
}

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
