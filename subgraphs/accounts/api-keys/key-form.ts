import { randomBytes } from 'node:crypto';
import { base62, hasChecksum, withChecksum } from '../../../shared/kernel/checked-text.js';
import { sha256 } from '../../../shared/security/crypto.js';

/**
 * Form of an API key: `svcpub_<prefix>.<secret>`, of a developer key: `svc_dev_<prefix><secret>`, and of an operator key:
 * `svc_op_<prefix><secret>`, in letters and digits.
 * - prefix: 11 characters (64 random bits); always visible
 * - secret: 27 characters (160 random bits) and 6 of a checksum over everything before it
 * The checksum is the CRC-32 of the text: it detects any one wrong character and any two swapped neighbours, so that a
 * mistyped key is rejected without a look-up. It protects only against typing errors; the random bits protect against
 * guessing.
 */
export interface ApiKeyText {
  /** `svcpub_<prefix>`, `svc_dev_<prefix>` or `svc_op_<prefix>`: identifies the key, and is the only part shown later. */
  readonly prefix: string;
  readonly text: string;
}

/** Beginnings of keys, with the separator between prefix and secret. */
const separators = { svcpub_: '.', svc_dev_: '', svc_op_: '' } as const;

/** The kinds of keys: for operation data, for developers, and for operators. */
export type KeyMark = keyof typeof separators;

const keyForm = /^(?:(svcpub_[0-9A-Za-z]{11})\.|(svc_(?:dev|op)_[0-9A-Za-z]{11}))[0-9A-Za-z]{33}$/;

/** Generates a key from random bytes; with a given prefix only its secret. */
export function mintKey(
  mark: KeyMark,
  random: (size: number) => Uint8Array = randomBytes,
  prefix = mark + base62(random(8), 11),
): ApiKeyText {
  const body = `${prefix}${separators[mark]}${base62(random(20), 27)}`;
  return { prefix, text: withChecksum(body) };
}

export function isKeyLike(text: string): boolean {
  return Object.keys(separators).some((mark) => text.startsWith(mark));
}

export function isDevelopers({ prefix }: Pick<ApiKeyText, 'prefix'>): boolean {
  return prefix.startsWith('svc_dev_' satisfies KeyMark);
}

export function isOperatorKeyLike(text: string): boolean {
  return text.startsWith('svc_op_' satisfies KeyMark);
}

export function parseKey(text: string): ApiKeyText | undefined {
  const [, ofData, others] = keyForm.exec(text) ?? [];
  const prefix = ofData ?? others;
  return prefix !== undefined && hasChecksum(text) ? { prefix, text } : undefined;
}

export function keyHash(key: ApiKeyText): Buffer {
  return sha256(key.text);
}
