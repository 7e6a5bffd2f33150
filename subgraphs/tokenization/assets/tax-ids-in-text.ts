import type { Principal } from '../../../shared/context.js';
import { maskDocument, replaceCpfs } from '../../../shared/tax-id.js';
import type { AssetRow } from './asset.store.js';
import { mayKnow } from './debtor-name.js';

type Debtor = Pick<AssetRow, 'debtorDocument'>;

/**
 * Returns a text of an originator, such as an external id, as a caller may see it: only who may know the debtor sees a tax id in it whole.
 * @param current the present version of the asset, whose tax id may have been corrected
 */
export function originatorTextFor(
  principal: Principal,
  text: string,
  asset: Debtor & Pick<AssetRow, 'originatorId'>,
  current: Debtor | undefined,
): string {
  if (mayKnow(principal, asset.originatorId)) return text;
  return maskTaxIdsIn(current === undefined ? text : maskTaxIdsIn(text, current), asset);
}

/** Returns a text in which tax ids show their last digits: the debtor's own wherever it is, and any other CPF with no digit beside it. */
export function maskTaxIdsIn(text: string, debtor: Debtor): string {
  return replaceTaxIds(text, debtor, maskDocument);
}

/** Returns a text without these tax ids, for a search. */
export function withoutTaxIds(text: string, debtor: Debtor): string {
  return replaceTaxIds(text, debtor, () => ' ');
}

function replaceTaxIds(text: string, { debtorDocument }: Debtor, replacement: (taxId: string) => string): string {
  if (debtorDocument === '') return replaceCpfs(text, replacement);
  // A tax id has only digits and letters, none with a meaning in a pattern.
  const own = new RegExp(Array.from(debtorDocument).join('[^0-9a-z]?'), 'giu');
  return replaceCpfs(
    text.replace(own, () => replacement(debtorDocument)),
    replacement,
  );
}
