import { normalizeText } from '../../../shared/kernel/format/normalize-text.js';
import { isNaturalPerson } from './debtor-name.js';
import { withoutTaxIds } from './tax-ids-in-text.js';

export interface SearchedAsset {
  readonly externalId: string;
  readonly debtorName: string;
  /** Tax id without punctuation. */
  readonly debtorDocument: string;
}

/** Joins the external id and, without tax ids both, the name of a debtor that is a legal person. Every statement that writes one of them also writes this. */
export function assetSearchText(asset: SearchedAsset): string {
  const externalId = withoutTaxIds(asset.externalId, asset);
  return normalizeText(isNaturalPerson(asset) ? externalId : `${externalId} ${withoutTaxIds(asset.debtorName, asset)}`);
}
