import { getAddress, isAddress } from 'viem/utils';

const ofOneCase = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/;
const zero = '0x0000000000000000000000000000000000000000';

/** An address of Ethereum and its kin with its checksum (EIP-55): one of mixed case whose checksum is wrong is none. */
export function canonicalEvmAddress(text: string): string | undefined {
  const given = ofOneCase.test(text) ? `0x${text.slice(2).toLowerCase()}` : text;
  if (!isAddress(given, { strict: true }) || given === zero) return undefined;
  return getAddress(given);
}
