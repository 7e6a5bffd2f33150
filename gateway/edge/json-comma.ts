import { JsonPlace } from './json-place.js';
import { bytesOf, maxJsonDepth, stringEnd } from './json-shape.js';

/** A number with a decimal comma in a text that should be JSON. */
export interface DecimalComma {
  /** The field that holds it, such as `contracts[17].faceValue`. */
  readonly path: string;
  readonly line: number;
  /** In bytes, from 1. */
  readonly column: number;
  /** The number as it was written: `10,50`. */
  readonly text: string;
}

/** Maximum number of characters that are examined on either side of a comma. */
const maxDigits = 40;

/**
 * Finds the first number with a decimal comma (`{"price": 10,50}`) in bytes that are not JSON: in an object no number can follow a comma.
 * In an array `10,50` are two numbers.
 */
export function findDecimalComma(bytes: Buffer): DecimalComma | undefined {
  const place = new JsonPlace(bytes);
  let line = 1;
  let lineAt = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case bytesOf.lineFeed:
        line += 1;
        lineAt = at + 1;
        break;
      case bytesOf.quote: {
        const end = stringEnd(bytes, at);
        place.isRepeatedName(at, end);
        at = end;
        break;
      }
      case bytesOf.comma:
        if (place.isInObject && isDigit(bytes[at - 1]) && isDigit(bytes[at + 1])) {
          const [from, to] = numberAround(bytes, at);
          const text = bytes.toString('latin1', from, to);
          return { path: place.path, line, column: from - lineAt + 1, text };
        }
        place.comma();
        break;
      case bytesOf.openArray:
      case bytesOf.openObject:
        if (place.depth === maxJsonDepth) return undefined;
        place.open(bytes[at] === bytesOf.openArray);
        break;
      case bytesOf.closeArray:
      case bytesOf.closeObject:
        place.close();
        break;
      default:
    }
  }
  return undefined;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** Returns the beginning and the end of the number around a comma. */
function numberAround(bytes: Buffer, comma: number): readonly [from: number, to: number] {
  let from = comma;
  while (comma - from < maxDigits && (isDigit(bytes[from - 1]) || bytes[from - 1] === bytesOf.point)) from -= 1;
  if (bytes[from - 1] === bytesOf.minus) from -= 1;
  let to = comma + 1;
  while (to - comma <= maxDigits && isDigit(bytes[to])) to += 1;
  return [from, to];
}
