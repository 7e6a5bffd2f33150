import type { ErrorDetail } from '../../../shared/kernel/errors.js';
import { JsonPlace } from './json-place.js';

/** Maximum nesting of a JSON body: documented bodies have four levels, GraphQL variables some more. */
export const maxJsonDepth = 64;
/** Maximum number of values in one body: 50,000 contracts with nine fields each, of which four are read. */
export const maxJsonValues = 500_000;

/** The bytes of JSON's punctuation. */
export const bytesOf = {
  lineFeed: 0x0a,
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  colon: 0x3a,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/**
 * Returns the error of a body that is not parsed although it may be JSON: it is nested too deeply, holds too many values, or has a name
 * twice in one object, which another reader of the same bytes would take for the other value. Undefined when it may be parsed. Reads the
 * bytes once, without a parser: the limits would cost a parser more than they cost the sender.
 */
export function jsonShapeError(
  bytes: Buffer,
  maxDepth = maxJsonDepth,
  maxValues = maxJsonValues,
): ErrorDetail | undefined {
  const place = new JsonPlace(bytes);
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === bytesOf.quote) {
      const end = stringEnd(bytes, at);
      if (place.isRepeatedName(at, end)) return repeated(place);
      at = end;
    } else if (byte === bytesOf.comma) {
      values += 1;
      place.comma();
    } else if (byte === bytesOf.openArray || byte === bytesOf.openObject) {
      values += 1;
      if (place.depth === maxDepth) return tooDeep(maxDepth);
      place.open(byte === bytesOf.openArray);
    } else if (byte === bytesOf.closeArray || byte === bytesOf.closeObject) {
      place.close();
    }
    if (values > maxValues) return tooMany(maxValues);
  }
  return undefined;
}

export function tooDeep(maxDepth: number): ErrorDetail {
  return { path: '', message: `The body is nested more than ${maxDepth} levels deep` };
}

export function tooMany(maxValues: number): ErrorDetail {
  return { path: '', message: `The body holds more than ${maxValues} values` };
}

/** Returns the error of a name that its object has already. */
export function repeated({ path }: JsonPlace): ErrorDetail {
  return { path, message: 'is given twice: send it once' };
}

/** Returns the index of the quote that ends the string beginning at `at`; the length of the bytes when there is none. */
export function stringEnd(bytes: Uint8Array, at: number): number {
  for (let end = at + 1; end < bytes.length; end++) {
    const byte = bytes[end];
    if (byte === bytesOf.quote) return end;
    if (byte === bytesOf.backslash) end += 1;
  }
  return bytes.length;
}
