import { identifyingText } from '../../../../shared/identifying-text.js';
import { canonicalBankAccount } from './bank-account.js';
import { canonicalBitcoinAddress } from './bitcoin-address.js';
import { canonicalEvmAddress } from './evm-address.js';
import { canonicalPixKey } from './pix-key.js';

/** The kinds of addresses. */
export type AddressKind = 'EVM' | 'BITCOIN' | 'PIX' | 'BANK_ACCOUNT';

/** Return the canonical form of an address; undefined if the text is not an address, or its checksum is wrong. The rules are `ADDRESS_<kind>` of `shared/rules.ts`. */
const forms: Readonly<Record<AddressKind, (text: string) => string | undefined>> = {
  EVM: canonicalEvmAddress,
  BITCOIN: canonicalBitcoinAddress,
  PIX: canonicalPixKey,
  BANK_ACCOUNT: canonicalBankAccount,
};

/** Returns the canonical form of an address; undefined if the text is not an address of the kind. */
export function canonicalAddress(kind: AddressKind, text: string): string | undefined {
  return forms[kind](identifyingText(text));
}
