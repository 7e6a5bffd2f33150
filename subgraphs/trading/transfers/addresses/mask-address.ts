import { documentKind, maskDocument } from '../../../../shared/tax-id.js';
import type { AddressKind } from './check-address.js';

/**
 * Returns an address as events show it, which leave the house, and the audit log, which cannot be erased: an address on a chain whole, a PIX key or a bank account by
 * its last four characters (at most half of it), since those are data of a person. An address of an unknown kind counts as one of a person.
 */
export function maskAddress(kind: AddressKind | undefined, address: string): string {
  if (kind === 'EVM' || kind === 'BITCOIN') return address;
  const shown = Math.min(4, Math.floor(address.length / 2));
  return documentKind(address) === undefined ? `***${address.slice(-shown)}` : maskDocument(address);
}
