import { canonicalBankAccount } from './bank-account.js';
import { canonicalBitcoinAddress } from './bitcoin-address.js';
import { canonicalEvmAddress } from './evm-address.js';
import { canonicalPixKey } from './pix-key.js';

/** The kinds of addresses. */
export type AddressKind = 'EVM' | 'BITCOIN' | 'PIX' | 'BANK_ACCOUNT';

interface Form {
  /** Returns the canonical form of an address; undefined if the text is not an address, or its checksum is wrong. */
  readonly canonical: (text: string) => string | undefined;
  /** The rule for the address, as the caller reads it: `must be …`. */
  readonly rule: string;
}

const forms: Readonly<Record<AddressKind, Form>> = {
  EVM: {
    canonical: canonicalEvmAddress,
    rule: 'must be 0x and 40 hexadecimal digits, all of one case or with a correct checksum (EIP-55), and not the zero address',
  },
  BITCOIN: {
    canonical: canonicalBitcoinAddress,
    rule: 'must be an address of the bitcoin main network (bc1…, 1… or 3…) with a correct checksum',
  },
  PIX: {
    canonical: canonicalPixKey,
    rule: 'must be a PIX key: CPF or CNPJ without punctuation, e-mail, phone as +5511912345678, or random key (UUID)',
  },
  BANK_ACCOUNT: {
    canonical: canonicalBankAccount,
    rule: 'must be bank/branch/account, as 001/1234-5/123456-7',
  },
};

/** Returns the canonical form of an address; undefined if the text is not an address of the kind. */
export function canonicalAddress(kind: AddressKind, text: string): string | undefined {
  return forms[kind].canonical(text);
}

/** Returns the rule for addresses of the kind, as a caller reads it. */
export function addressRule(kind: AddressKind): string {
  return forms[kind].rule;
}
