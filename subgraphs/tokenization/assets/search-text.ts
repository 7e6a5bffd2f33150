import { normalizeText } from '../../../shared/format/normalize-text.js';

/** The content of `assets.search_text`: whoever writes an external id or a debtor's name writes this with it. */
export function assetSearchText(asset: { readonly externalId: string; readonly debtorName: string }): string {
  return normalizeText(`${asset.externalId} ${asset.debtorName}`);
}
