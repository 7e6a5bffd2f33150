import { normalizeText } from '../../../shared/kernel/format/normalize-text.js';
import { isNaturalPerson } from './debtor-name.js';
import { withoutTaxIds } from './tax-ids-in-text.js';

export interface SearchedAsset {
  readonly externalId: string;
  readonly debtorName: string;
  /** Tax id without punctuation. */
  readonly debtorDocument: string;
}

/**
 * Returns the content of `assets.search_text`: the external id and, without tax ids both, the debtor's name if the debtor is a legal person. Every
 * statement that writes an external id, a debtor's name or its tax id also writes this.
 */
export function assetSearchText(asset: SearchedAsset): string {
  const externalId = withoutTaxIds(asset.externalId, asset);
  return normalizeText(isNaturalPerson(asset) ? externalId : `${externalId} ${withoutTaxIds(asset.debtorName, asset)}`);
}
