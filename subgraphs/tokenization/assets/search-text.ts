import { normalizeText } from '../../../shared/format/normalize-text.js';
import { isNaturalPerson } from './debtor-name.js';

/** The fields of an asset that its search text contains. */
export interface SearchedAsset {
  readonly externalId: string;
  readonly debtorName: string;
  /** Tax id without punctuation. */
  readonly debtorDocument: string;
}

/**
 * Returns the content of `assets.search_text`: the external id, and the debtor's name if the debtor is a legal person. Every statement that
 * writes an external id, a debtor's name or its tax id also writes this.
 */
export function assetSearchText(asset: SearchedAsset): string {
  return normalizeText(isNaturalPerson(asset) ? asset.externalId : `${asset.externalId} ${asset.debtorName}`);
}
