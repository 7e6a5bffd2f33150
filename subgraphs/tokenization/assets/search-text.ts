import { normalizeText } from '../../../shared/format/normalize-text.js';
import { isNaturalPerson } from './debtor-name.js';

/** What of an asset its search text is made from. */
export interface SearchedAsset {
  readonly externalId: string;
  readonly debtorName: string;
  /** Tax id without punctuation. */
  readonly debtorDocument: string;
}

/**
 * The content of `assets.search_text`: the external id, and the debtor's name where the debtor is a legal person. Whoever writes an external
 * id, a debtor's name or its tax id writes this with it.
 */
export function assetSearchText(asset: SearchedAsset): string {
  return normalizeText(isNaturalPerson(asset) ? asset.externalId : `${asset.externalId} ${asset.debtorName}`);
}
