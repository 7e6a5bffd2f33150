import { bech32, bech32m, createBase58check } from '@scure/base';
import { sha256 } from '../../../../shared/crypto.js';

const base58check = createBase58check((data) => Uint8Array.from(sha256(data)));

/** Version bytes of pay-to-public-key-hash and pay-to-script-hash on the main network. */
const legacyVersions: ReadonlySet<number> = new Set([0x00, 0x05]);
const hashBytes = 20;
const prefix = 'bc';

/**
 * Returns the canonical form of an address of bitcoin's main network; Segregated Witness ones in lower case. Witness versions that nobody can spend safely yet
 * (2 to 16, and lengths of version 1 other than Taproot's) are rejected.
 */
export function canonicalBitcoinAddress(text: string): string | undefined {
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
