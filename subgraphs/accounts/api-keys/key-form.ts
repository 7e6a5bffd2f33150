import { randomBytes } from 'node:crypto';
import { base62, hasChecksum, withChecksum } from '../../../shared/checked-text.js';
import { sha256 } from '../../../shared/crypto.js';

/**
 * The form of an API key: `svcpub_<prefix>.<secret>`, of a developer's: `svc_dev_<prefix><secret>`, and of an operator's:
 * `svc_op_<prefix><secret>`, in letters and digits.
 * - prefix: 11 characters (64 random bits); visible for ever
 * - secret: 27 characters (160 random bits) and 6 of a checksum over all that stands before it
 *
 * The checksum is the CRC-32 of the text: any one wrong character and any two swapped neighbours change it, so a mistyped
 * key is refused without a look-up. It guards against slips only; what guards against guesses are the random bits.
 */
export interface ApiKeyText {
  /** `svcpub_<prefix>`, `svc_dev_<prefix>` or `svc_op_<prefix>`: what the key is found by, and all that is shown of it later. */
  readonly prefix: string;
  readonly text: string;
}

/** What keys begin with, and what stands between prefix and secret. */
const separators = { svcpub_: '.', svc_dev_: '', svc_op_: '' } as const;

/** The kinds of keys: for operation data, for developers, and for operators. */
export type KeyMark = keyof typeof separators;

const keyForm = /^(?:(svcpub_[0-9A-Za-z]{11})\.|(svc_(?:dev|op)_[0-9A-Za-z]{11}))[0-9A-Za-z]{33}$/;

/** Makes a key from random bytes. */
export function mintKey(mark: KeyMark, random: (size: number) => Uint8Array = randomBytes): ApiKeyText {
  const prefix = mark + base62(random(8), 11);
  const body = `${prefix}${separators[mark]}${base62(random(20), 27)}`;
  return { prefix, text: withChecksum(body) };
}

/** Whether a text is meant as a key of any kind. */
export function isKeyLike(text: string): boolean {
  return Object.keys(separators).some((mark) => text.startsWith(mark));
}

/** Whether a key, or the prefix of one, is a developer's. */
export function isDevelopers({ prefix }: Pick<ApiKeyText, 'prefix'>): boolean {
  return prefix.startsWith('svc_dev_' satisfies KeyMark);
}

/** Whether a text is meant as the key of an operator, right or not. */
export function isOperatorKeyLike(text: string): boolean {
  return text.startsWith('svc_op_' satisfies KeyMark);
}

/** Reads a key as it was sent; undefined when it is none, or was mistyped. */
export function parseKey(text: string): ApiKeyText | undefined {
  const [, ofData, others] = keyForm.exec(text) ?? [];
  const prefix = ofData ?? others;
  return prefix !== undefined && hasChecksum(text) ? { prefix, text } : undefined;
}

/** What the database keeps of a key. */
export function keyHash(key: ApiKeyText): Buffer {
  return sha256(key.text);
}
