import type { Principal } from '../../../shared/context.js';
import { hasRole } from '../../../shared/subgraph/roles.js';
import type { AssetRow } from './asset.entity.js';

/** The name of a debtor that is known by its tax id alone. It names nobody, and is shown as it is. */
const unknownDebtor = 'Não informado';

type Debtor = Pick<AssetRow, 'debtorName' | 'debtorDocument'>;

/** Whether a debtor is a natural person: its tax id is a CPF, of 11 digits, and no CNPJ. */
export function isNaturalPerson({ debtorDocument }: Pick<Debtor, 'debtorDocument'>): boolean {
  return debtorDocument.length === 11;
}

/** The initials of a name, one for each word that has a letter: `L. D. O.` of `Luana Dias Oliveira`; `—` where no word has one. */
export function initialsOf(name: string): string {
  const words = name.normalize('NFC').split(/\s+/u);
  const letters = words.flatMap((word) => /\p{Letter}/u.exec(word)?.[0].toLocaleUpperCase('pt-BR') ?? []);
  return letters.length === 0 ? '—' : letters.map((letter) => `${letter}.`).join(' ');
}

/**
 * The name of a debtor as a caller may see it: that of a legal person is whole, that of a natural person is its initials.
 * Operators see every name whole, and an originator those of the credits that it assigned.
 */
export function debtorNameFor(principal: Principal, asset: Debtor & Pick<AssetRow, 'originatorId'>): string {
  const isOpen = !isNaturalPerson(asset) || asset.debtorName === unknownDebtor;
  return isOpen || mayKnow(principal, asset.originatorId) ? asset.debtorName : initialsOf(asset.debtorName);
}

function mayKnow(principal: Principal, originatorId: string | null): boolean {
  const isItsOriginator = principal.kind === 'CLIENT' && principal.ownerId === originatorId;
  return isItsOriginator || hasRole(principal, 'read');
}
