import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const checksumLength = 6;

/** Returns bytes as a number of fixed length in base 62, most significant digit first. */
export function base62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let position = 0; position < length; position += 1) {
    text = digits.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

/** Appends the CRC-32 in base 62: it finds any wrong character and swapped neighbours without a look-up. No protection against guessing. */
export function withChecksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return text + base62(bytes, checksumLength);
}

export function hasChecksum(text: string): boolean {
  return withChecksum(text.slice(0, -checksumLength)) === text;
}
