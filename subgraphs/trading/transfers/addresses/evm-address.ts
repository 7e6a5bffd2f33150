import { keccak_256 } from '@noble/hashes/sha3';

const form = /^0x[0-9a-fA-F]{40}$/;
const ofOneCase = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/;
const zero = `0x${'0'.repeat(40)}`;

/**
 * An address of Ethereum and its kin with its checksum (EIP-55): one of mixed case whose checksum is wrong is none. (viem, which knows it
 * too, takes a second to load.)
 */
export function canonicalEvmAddress(text: string): string | undefined {
  if (!form.test(text) || text === zero) return undefined;
  const address = withChecksum(text.slice(2).toLowerCase());
  return ofOneCase.test(text) || text === address ? address : undefined;
}

/** A digit is a capital where the same digit of the hash of the address in lower case is 8 or more. */
export function withChecksum(digits: string): string {
  const hash = Buffer.from(keccak_256(digits)).toString('hex');
  const cased = Array.from(digits, (digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
}
