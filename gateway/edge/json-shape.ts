/** Maximum nesting of a JSON body: documented bodies have four levels, GraphQL variables some more. */
export const maxJsonDepth = 64;
/** Maximum number of values in one body: 50,000 contracts with nine fields each, of which four are read. */
export const maxJsonValues = 500_000;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Returns the reason why a body is not parsed although it may be JSON: it is nested too deeply or holds too many values. Undefined when it
 * may be parsed. Reads the bytes once, without a parser: both limits would cost a parser more than they cost the sender.
 */
export function jsonShapeError(
  bytes: Uint8Array,
  maxDepth = maxJsonDepth,
  maxValues = maxJsonValues,
): string | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      at = stringEnd(bytes, at);
    } else if (byte === comma) {
      values += 1;
    } else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return tooDeep(maxDepth);
    } else if (byte === closeBracket || byte === closeBrace) {
      depth -= 1;
    }
  }
  return values > maxValues ? tooMany(maxValues) : undefined;
}

export function tooDeep(maxDepth: number): string {
  return `The body is nested more than ${maxDepth} levels deep`;
}

export function tooMany(maxValues: number): string {
  return `The body holds more than ${maxValues} values`;
}

/** Returns the index of the quote that ends the string beginning at `at`; the length of the bytes when there is none. */
export function stringEnd(bytes: Uint8Array, at: number): number {
  for (let end = at + 1; end < bytes.length; end++) {
    const byte = bytes[end];
    if (byte === quote) return end;
    if (byte === backslash) end += 1;
  }
  return bytes.length;
}
