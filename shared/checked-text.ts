import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Characters of a checksum. */
export const checksumLength = 6;

/** A number of fixed length in base 62, most significant digit first. */
export function base62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let position = 0; position < length; position += 1) {
    text = digits.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

/**
 * The text with the checksum of all of it at its end: its CRC-32 in base 62. Any one wrong character and any two swapped
 * neighbours change it, so a mistyped text is refused without a look-up. It guards against slips, not against guesses.
 */
export function withChecksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return text + base62(bytes, checksumLength);
}

/** Whether a text ends in the checksum of what stands before it. */
export function hasChecksum(text: string): boolean {
  return withChecksum(text.slice(0, -checksumLength)) === text;
}
