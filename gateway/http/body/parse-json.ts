import sjson from 'secure-json-parse';

/** Error message for a name that would set a prototype: the one of secure-json-parse. */
export const forbiddenName = 'Object contains forbidden prototype property';

/** A number of a JSON text that a double cannot hold as it was written, such as `0.10000000000000000001`. */
export class InexactNumber {
  constructor(
    /** The number as it was written. */
    readonly text: string,
  ) {}
}

/** Options of a parser of bodies. */
export interface ParseOptions {
  /** Returns an `InexactNumber` for each number that would be rounded. */
  readonly exactNumbers?: boolean | undefined;
}

/**
 * Parses short JSON.
 * @throws {SyntaxError} for what is not JSON, or has a name that would set a prototype.
 */
export function parseJson(text: string, { exactNumbers = false }: ParseOptions = {}): unknown {
  const value: unknown = sjson.parse(text, { protoAction: 'error', constructorAction: 'error' });
  const marked = exactNumbers ? withInexactMarked(text) : undefined;
  if (marked === undefined) return value;
  return JSON.parse(withoutMark(marked), (_name, one: unknown) =>
    typeof one === 'string' && one.startsWith(mark) ? new InexactNumber(one.slice(mark.length)) : one,
  );
}

/** Removes the byte order mark that a JSON text may begin with on every interface (RFC 8259 §8.1). */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** Begins the string that replaces an inexact number while its text is parsed again. A caller's own string that begins so is taken for such a number, and refused. */
const mark = '\u0000inexact number ';

/** Finds texts that may have an inexact number: one of at most 15 digits is exact, unless its power of ten is extreme. */
const perhapsInexact = /[\d.]{16}|[eE][-+]?\d{3}/;

/** Returns a JSON text with a string in place of each inexact number; undefined where there is none. */
function withInexactMarked(text: string): string | undefined {
  if (!perhapsInexact.test(text)) return undefined;
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      at = stringEnd(text, at);
    } else if (character === '-' || isDigit(character)) {
      const end = numberEnd(text, at);
      const number = text.slice(at, end);
      if (isInexact(number)) {
        parts.push(text.slice(from, at), JSON.stringify(mark + number));
        from = end;
      }
      at = end - 1;
    }
  }
  return parts.length === 0 ? undefined : parts.join('') + text.slice(from);
}

/** Returns the index of the quote that ends the string beginning at `at`. */
function stringEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text.charAt(end) !== '"') end += text.charAt(end) === '\\' ? 2 : 1;
  return end;
}

function numberEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && /[\d.eE+-]/.test(text.charAt(end))) end += 1;
  return end;
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

/** Whether the shortest form of the double is another number than the one that was written. */
function isInexact(number: string): boolean {
  const value = Number(number);
  return !Number.isFinite(value) || canonical(number) !== canonical(String(value));
}

/** Returns the same text for all forms of one number: its digits without outer zeros, and the place of the point. Reads a text of any length once. */
function canonical(number: string): string {
  const [mantissa = '', exponent = '0'] = number.replace(/^-/, '').split(/[eE]/);
  const point = mantissa.indexOf('.');
  const digits = mantissa.replace('.', '');
  let from = 0;
  while (digits.charAt(from) === '0') from += 1;
  let to = digits.length;
  while (to > from && digits.charAt(to - 1) === '0') to -= 1;
  if (to === from) return '0';
  return `${digits.slice(from, to)}e${(point === -1 ? digits.length : point) - from + Number(exponent)}`;
}
