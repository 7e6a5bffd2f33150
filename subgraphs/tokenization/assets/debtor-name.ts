import type { Principal } from '../../../shared/context.js';
import { hasRole } from '../../../shared/subgraph/roles.js';
import type { AssetRow } from './asset.store.js';

/** Placeholder name of a debtor that is known only by its tax id. It identifies nobody and is shown in full. */
export const unknownDebtor = 'Não informado';

type Debtor = Pick<AssetRow, 'debtorName' | 'debtorDocument'>;

/** Whether a debtor is a natural person: its tax id is a CPF (11 digits), not a CNPJ. */
export function isNaturalPerson({ debtorDocument }: Pick<Debtor, 'debtorDocument'>): boolean {
  return debtorDocument.length === 11;
}

/** Returns the initials of a name, one for each word with a letter: `L. D. O.` for `Luana Dias Oliveira`; `—` if no word has a letter. */
export function initialsOf(name: string): string {
  const words = name.normalize('NFC').split(/\s+/u);
  const letters = words.flatMap((word) => /\p{Letter}/u.exec(word)?.[0].toLocaleUpperCase('pt-BR') ?? []);
  return letters.length === 0 ? '—' : letters.map((letter) => `${letter}.`).join(' ');
}

/**
 * Returns the name of a debtor as a caller may see it: in full for a legal person, initials for a natural person. Operators
 * see every name in full, and an originator sees those of the credits that it assigned.
 * @param asset a present or a past version of an asset
 * @param current the present version, which decides too: a tax id may have been wrong, and corrected since. Undefined where there is none: nothing
 *   then says that the debtor is a legal person
 */
export function debtorNameFor(
  principal: Principal,
  asset: Debtor & Pick<AssetRow, 'originatorId'>,
  current: Pick<Debtor, 'debtorDocument'> | undefined,
): string {
  const isLegalPerson = !isNaturalPerson(asset) && current !== undefined && !isNaturalPerson(current);
  const isOpen = isLegalPerson || asset.debtorName === unknownDebtor;
  return isOpen || mayKnow(principal, asset.originatorId) ? asset.debtorName : initialsOf(asset.debtorName);
}

function mayKnow(principal: Principal, originatorId: string | null): boolean {
  const isItsOriginator = principal.kind === 'CLIENT' && principal.ownerId === originatorId;
  return isItsOriginator || hasRole(principal, 'read');
}
