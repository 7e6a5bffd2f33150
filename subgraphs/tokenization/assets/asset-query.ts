import { refuse, type ErrorDetail } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { AssetQuery } from './asset-list.js';
import type { AssetStatus } from './asset.js';
import type { AssetType } from '../../securities/asset-type.js';
import { readSearch } from './read-search.js';

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
