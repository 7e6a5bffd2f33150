import { bech32 } from '@scure/base';

import { sha256 } from '../../../../../shared/crypto.js';
import type { AddressKind } from '../../addresses/check-address.js';
import { withChecksum } from '../../addresses/evm-address.js';

/**
 * Derives an address of a wallet in the form of its kind, with a valid checksum. It depends on the id alone, and no key exists for it: nothing
 * real may ever be sent there.
 * @param id what it is derived from; the same id gives the same address on all networks of a kind
 */
export function deriveAddress(kind: AddressKind, id: string): string {
  const digest = sha256(`lastro/simulated-custody/${kind}/${id}`);
  return derivations[kind](digest);
}

const derivations: Readonly<Record<AddressKind, (digest: Buffer) => string>> = {
  EVM: (digest) => withChecksum(digest.toString('hex', 0, 20)),
  BITCOIN: (digest) => bech32.encode('bc', [0, ...bech32.toWords(digest.subarray(0, 20))]),
  PIX: randomKeyOf,
  BANK_ACCOUNT: (digest) => {
    const digits = 10_000_000 + (digest.readUIntBE(0, 6) % 90_000_000);
    return `999/0001/${digits}-${digest.readUInt8(6) % 10}`;
  },
};

/** Builds a UUID of version 4 from the given bytes, in the form of random PIX keys. */
function randomKeyOf(digest: Buffer): string {
  const bytes = Buffer.from(digest.subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
