import { keccak_256 } from '@noble/hashes/sha3';

const form = /^0x[0-9a-fA-F]{40}$/;
const ofOneCase = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/;
const zero = `0x${'0'.repeat(40)}`;

/**
 * Returns an address of Ethereum and compatible networks with its checksum (EIP-55): a mixed-case address with a wrong checksum is invalid. (viem can check it
 * too, but takes a second to load.)
 */
export function canonicalEvmAddress(text: string): string | undefined {
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
