import type { Context } from '../../../../shared/context.js';
import type { ErrorDetail } from '../../../../shared/errors.js';
import { errorAt } from '../../../../shared/rule-error.js';
import { isHouseAddress } from '../deposits/deposit-address.store.js';
import { spellingsOf } from './bank-account.js';
import { canonicalAddress, type AddressKind } from './check-address.js';
import { isLostAddress } from './lost-address.js';

/** Returns the errors of an address to which funds are to be sent: one that is none, from which nothing comes back, or of the house itself. */
export async function destinationIssues(context: Context, kind: AddressKind, given: string): Promise<ErrorDetail[]> {
  const address = canonicalAddress(kind, given);
  if (address === undefined) return [errorAt('address', `ADDRESS_${kind}`)];
  if (isLostAddress(kind, address)) return [errorAt('address', 'ADDRESS_LOST')];
  return (await isHouseAddress(context, kind === 'BANK_ACCOUNT' ? spellingsOf(address) : [address]))
    ? [errorAt('address', 'ADDRESS_OF_HOUSE')]
    : [];
}
