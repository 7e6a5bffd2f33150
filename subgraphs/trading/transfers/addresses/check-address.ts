import { bech32, bech32m, createBase58check } from '@scure/base';
import { keccak_256 } from '@noble/hashes/sha3';
import { sha256 } from '../../../../shared/security/crypto.js';
import { identifyingText } from '../../../../shared/kernel/identifying-text.js';
import { isCnpj, isCpf, documentKind, maskDocument } from '../../../../shared/kernel/tax-id.js';

const bankAccountForm = /^(\d{3}\/\d{4})(-[\dX])?\/0*(\d{1,13}-[\dX])$/;

/** Reads `bank/branch/account`, each with its check digit after a hyphen, the account without zeros in front; the branch may have no check digit. */
function canonicalBankAccount(text: string): string | undefined {
  const [, branch, digit = '', account] = bankAccountForm.exec(text.toUpperCase()) ?? [];
  return account === undefined || text.length > 30 ? undefined : `${branch}${digit}/${account}`;
}

/** Returns all spellings of one account, in canonical bankAccountForm: with and without the check digit of its branch. */
export function spellingsOf(account: string): string[] {
  const [, branch, , rest] = bankAccountForm.exec(account) ?? [];
  return branch === undefined
    ? [account]
    : ['', '-X', ...Array.from({ length: 10 }, (_none, digit) => `-${digit}`)].map(
        (digit) => `${branch}${digit}/${rest}`,
      );
}

export type AddressKind = 'EVM' | 'BITCOIN' | 'PIX' | 'BANK_ACCOUNT';

/** Return the canonical form of an address; undefined if the text is not an address, or its checksum is wrong. The rules are `ADDRESS_<kind>`. */
const forms: Readonly<Record<AddressKind, (text: string) => string | undefined>> = {
  EVM: canonicalEvmAddress,
  BITCOIN: canonicalBitcoinAddress,
  PIX: canonicalPixKey,
  BANK_ACCOUNT: canonicalBankAccount,
};

export function canonicalAddress(kind: AddressKind, text: string): string | undefined {
  return forms[kind](identifyingText(text));
}

/** Masks for events and the audit log: shows a chain's address whole, a PIX key or bank account by its last four characters (at most half), since those are data of a person; so are unknown kinds. */
export function maskAddress(kind: AddressKind | undefined, address: string): string {
  if (kind === 'EVM' || kind === 'BITCOIN') return address;
  const shown = Math.min(4, Math.floor(address.length / 2));
  return documentKind(address) === undefined ? `***${address.slice(-shown)}` : maskDocument(address);
}

const base58check = createBase58check((data) => Uint8Array.from(sha256(data)));

/** Version bytes of pay-to-public-key-hash and pay-to-script-hash on the main network. */
const legacyVersions: ReadonlySet<number> = new Set([0x00, 0x05]);
const hashBytes = 20;
const prefix = 'bc';

/** Accepts the main network; Segregated Witness is returned in lower case. Witness versions that nobody can spend safely yet (2 to 16, and version 1 other than Taproot's) are rejected. */
function canonicalBitcoinAddress(text: string): string | undefined {
  if (text.length > 90) return undefined;
  return /^bc1/i.test(text) ? witnessAddress(text) : legacyAddress(text);
}

/** BIP 173 and 350: version 0 has Bech32 and 20 or 32 bytes, version 1 has Bech32m and 32 bytes. */
function witnessAddress(text: string): string | undefined {
  const isMixed = text !== text.toLowerCase() && text !== text.toUpperCase();
  if (isMixed) return undefined;
  const address = text.toLowerCase();
  const isVersion0 = programOf(bech32, address, 0).some((length) => length === 20 || length === 32);
  const isVersion1 = programOf(bech32m, address, 1).includes(32);
  return isVersion0 || isVersion1 ? address : undefined;
}

/** Returns the length of the witness program in bytes, in a list; empty if the address is not of this coder and version. */
function programOf(coder: typeof bech32, address: string, version: number): number[] {
  const decoded = coder.decodeUnsafe(address);
  if (decoded?.prefix !== prefix || decoded.words[0] !== version) return [];
  const program = coder.fromWordsUnsafe(decoded.words.slice(1));
  return program ? [program.length] : [];
}

function legacyAddress(text: string): string | undefined {
  try {
    const [version = -1, ...hash] = base58check.decode(text);
    return legacyVersions.has(version) && hash.length === hashBytes ? text : undefined;
  } catch {
    return undefined;
  }
}

const form = /^0x[0-9a-fA-F]{40}$/;
const ofOneCase = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/;
const zero = `0x${'0'.repeat(40)}`;

/** Returns an address with its checksum (EIP-55): one in mixed case with a wrong checksum is invalid. (viem can check it too, but takes a second to load.) */
function canonicalEvmAddress(text: string): string | undefined {
  if (!form.test(text) || text === zero) return undefined;
  const address = withChecksum(text.slice(2).toLowerCase());
  return ofOneCase.test(text) || text === address ? address : undefined;
}

/** Adds the checksum: a letter is upper case where the digit of the hash of the lower-case address at its place is 8 or more. */
export function withChecksum(digits: string): string {
  const hash = Buffer.from(keccak_256(digits)).toString('hex');
  const cased = Array.from(digits, (digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
}

/** The kinds of PIX keys (Banco Central do Brasil, Manual Operacional do DICT). */
export type PixKeyKind = 'CPF' | 'CNPJ' | 'EMAIL' | 'PHONE' | 'EVP';

const email =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;
/** In country 55, an area code without zeros, and 8 digits, or 9 of a mobile that begin with 9; in others, any number (E.164). */
const phone = /^\+(?:55[1-9]{2}(?:[2-8][0-9]{7}|9[0-9]{8})|(?!55)[1-9][0-9]{2,15})$/;
const randomKey = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const longestEmail = 77;

export function pixKeyKind(key: string): PixKeyKind | undefined {
  if (isCpf(key)) return 'CPF';
  if (isCnpj(key)) return 'CNPJ';
  if (phone.test(key)) return 'PHONE';
  if (randomKey.test(key)) return 'EVP';
  return key.length <= longestEmail && email.test(key) ? 'EMAIL' : undefined;
}

/** Returns a PIX key as the directory stores it: e-mails and random keys in lower case. */
function canonicalPixKey(text: string): string | undefined {
  const key = /[@-]/.test(text) ? text.toLowerCase() : text;
  return pixKeyKind(key) === undefined ? undefined : key;
}
