import type { Principal } from '../../../shared/kernel/context.js';
import { hasRole } from '../../../shared/graphql/roles.js';
import { bareDocument, replaceCpfs } from '../../../shared/kernel/tax-id.js';
import type { AssetRow } from './asset.store.js';

/** Placeholder name of a debtor that is known only by its tax id. It identifies nobody and is shown in full. */
export const unknownDebtor = 'Não informado';

type Debtor = Pick<AssetRow, 'debtorName' | 'debtorDocument'>;

/**
 * Whether a debtor is a natural person: its tax id is a CPF (11 digits), or it is an individual entrepreneur, whose company is registered under the
 * name of the person. Receita Federal adds the CPF to that name (`LUANA DIAS OLIVEIRA 52998224725`), or puts the root of the CNPJ before it
 * (`11.222.333 LUANA DIAS OLIVEIRA`). A company that took its own CNPJ for a name counts as one too.
 */
export function isNaturalPerson({ debtorName, debtorDocument }: Debtor): boolean {
  if (debtorDocument.length === 11 || hasCpf(debtorName)) return true;
  const name = bareDocument(debtorName);
  return name.startsWith(debtorDocument.slice(0, 8)) && /\p{Letter}/u.test(name.slice(8));
}

function hasCpf(text: string): boolean {
  return replaceCpfs(text, () => '') !== text;
}

/** Returns the initials of a name, one for each word of letters: `L. D. O.` for `Luana Dias Oliveira`; `—` if there is none. A word with a digit is part of a tax id. */
export function initialsOf(name: string): string {
  const words = name
    .normalize('NFC')
    .split(/\s+/u)
    .filter((word) => !/\p{Number}/u.test(word));
  const letters = words.flatMap((word) => /\p{Letter}/u.exec(word)?.[0].toLocaleUpperCase('pt-BR') ?? []);
  return letters.length === 0 ? '—' : letters.map((letter) => `${letter}.`).join(' ');
}

/**
 * Returns the name of a debtor as a caller may see it: in full for a legal person, initials for a natural person. Operators see every name in full, and an
 * originator the names in credits that it assigned.
 * @param asset a present or a past version of an asset
 * @param current the present version, which decides too: a tax id or a name may have been wrong, and corrected since. Undefined if there is none: nothing
 * then says that the debtor is a legal person
 */
export function debtorNameFor(
  principal: Principal,
  asset: Debtor & Pick<AssetRow, 'originatorId'>,
  current: Debtor | undefined,
): string {
  const isLegalPerson = !isNaturalPerson(asset) && current !== undefined && !isNaturalPerson(current);
  const isOpen = isLegalPerson || asset.debtorName === unknownDebtor;
  return isOpen || mayKnow(principal, asset.originatorId) ? asset.debtorName : initialsOf(asset.debtorName);
}

/** Whether a caller may see what identifies the debtors of an originator's credits. */
export function mayKnow(principal: Principal, originatorId: string | null): boolean {
  const isItsOriginator = principal.kind === 'CLIENT' && principal.ownerId === originatorId;
  return isItsOriginator || hasRole(principal, 'read');
}
