import { randomBytes } from 'node:crypto';
import { base62, hasChecksum, withChecksum } from '../../../shared/checked-text.js';
import { sha256 } from '../../../shared/crypto.js';

/**
 * The texts with which a company logs in: `svc_trd_<random>` is its public `apiKey` (64 random bits), `svc_trd_secret_<random>` the `secretKey`
 * (256 random bits). Each ends in a checksum of six characters, so that a mistyped one is rejected without a look-up.
 */
const forms = {
  apiKey: { mark: 'svc_trd_', bytes: 8, length: 11 },
  secretKey: { mark: 'svc_trd_secret_', bytes: 32, length: 43 },
} as const;

export type TextKind = keyof typeof forms;

/** A source of random bytes. */
export type Random = (size: number) => Uint8Array;

/** Creates a text of a kind from random bytes. */
export function mint(kind: TextKind, random: Random = randomBytes): string {
  const { mark, bytes, length } = forms[kind];
  return withChecksum(mark + base62(random(bytes), length));
}

const patterns = Object.fromEntries(
  Object.entries(forms).map(([kind, { mark, length }]) => [kind, new RegExp(`^${mark}[0-9A-Za-z]{${length + 6}}$`)]),
);

/** Whether a text has the form of a kind and a correct checksum. */
export function isWellFormed(kind: TextKind, text: string): boolean {
  return patterns[kind]?.test(text) === true && hasChecksum(text);
}

/** Returns the hash of a secret or refresh token, which is all that the database stores of it. */
export function hashOf(text: string): Buffer {
  return sha256(text);
}
