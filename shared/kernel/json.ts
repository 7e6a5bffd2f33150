import sjson from 'secure-json-parse';
import { cut } from './echo.js';
import type { ErrorDetail } from './errors.js';

/** Maximum nesting of a JSON body: documented bodies have four levels, GraphQL variables some more. */
export const maxJsonDepth = 64;
const maxJsonValues = 500_000;

/** A number of a JSON text that a double cannot hold as it was written, such as `0.10000000000000000001`. */
export class InexactNumber {
  constructor(readonly text: string) {}
}

export interface ParseOptions {
  /** Returns an `InexactNumber` for each number that would be rounded. */
  readonly exactNumbers?: boolean | undefined;
}

/** Parses JSON. @throws {SyntaxError} for what is not JSON, or has a name that would set a prototype (`isForbiddenName`) */
export function parseJson(text: string, { exactNumbers = false }: ParseOptions = {}): unknown {
  const value: unknown = sjson.parse(text, { protoAction: 'error', constructorAction: 'error' });
  const marked = exactNumbers ? withInexactMarked(text) : undefined;
  if (marked === undefined) return value;
  return JSON.parse(withoutMark(marked), (_name, one: unknown) =>
    typeof one === 'string' && one.startsWith(mark) ? new InexactNumber(one.slice(mark.length)) : one,
  );
}

/** Whether an error of `parseJson` is about a name that would set a prototype. */
export function isForbiddenName(error: SyntaxError): boolean {
  return error.message === 'Object contains forbidden prototype property';
}

/** Removes the byte order mark that a JSON text may begin with on every interface (RFC 8259 §8.1). */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** JSON's punctuation. Comparing codes is faster than comparing texts, which matters for a text of megabytes. */
const codes = {
  quote: 0x22,
  comma: 0x2c,
  openArray: 0x5b,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

interface Open {
  /** The names in an object so far; undefined for an array. */
  readonly names: Set<string> | undefined;
  key: string | number;
  /** Whether the next string is a name. */
  awaitsName: boolean;
}

/** Returns why possible JSON is not parsed: too deep, too many values, or a name twice in one object, which readers take differently. Reads it once. */
export function jsonShapeError(
  text: string,
  maxDepth = maxJsonDepth,
  maxValues = maxJsonValues,
): ErrorDetail | undefined {
  const frames: Open[] = [];
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const frame = frames.at(-1);
    const code = text.charCodeAt(at);
    switch (code) {
      case codes.quote: {
        const end = stringEnd(text, at);
        if (frame?.names !== undefined && frame.awaitsName) {
          frame.awaitsName = false;
          frame.key = nameOf(text.slice(at + 1, end));
          if (frame.names.has(frame.key)) return { path: pathOf(frames), message: 'is given twice: send it once' };
          frame.names.add(frame.key);
        }
        at = end;
        break;
      }
      case codes.comma:
        values += 1;
        if (frame === undefined) break;
        if (typeof frame.key === 'number') frame.key += 1;
        else frame.awaitsName = true;
        break;
      case codes.openArray:
      case codes.openObject: {
        values += 1;
        if (frames.length === maxDepth)
          return { path: '', message: `The body is nested more than ${maxDepth} levels deep` };
        const isObject = code === codes.openObject;
        frames.push({ names: isObject ? new Set() : undefined, key: isObject ? '' : 0, awaitsName: isObject });
        break;
      }
      case codes.closeArray:
      case codes.closeObject:
        frames.pop();
        break;
      default:
    }
    if (values > maxValues) return { path: '', message: `The body holds more than ${maxValues} values` };
  }
  return undefined;
}

/** Returns the field or item at a place, such as `contracts[17].faceValue`. */
function pathOf(frames: readonly Open[]): string {
  return dotted(frames.map(({ key }) => (typeof key === 'number' ? key : cut(key))));
}

/** Returns the name that a text between quotes is: `"\u0061"` is `a`. */
function nameOf(written: string): string {
  if (!written.includes('\\')) return written;
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    // The text is not JSON, which its parser reports.
    return written;
  }
}

/** Returns the index of the quote that ends the string beginning at `at`; the length of the text when there is none. */
function stringEnd(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/** Begins the string that replaces an inexact number while its text is parsed again. A caller's own string that begins so is taken for such a number, and refused. */
const mark = '\u0000inexact number ';

/** Finds texts that may have an inexact number: one of at most 15 digits is exact, unless its power of ten is extreme. */
const perhapsInexact = /[\d.]{16}|[eE][-+]?\d{3}/;

const tokens = /"|[-\d][\d.eE+-]*/g;

/** Returns a JSON text with a string in place of each inexact number; undefined where there is none. */
function withInexactMarked(text: string): string | undefined {
  if (!perhapsInexact.test(text)) return undefined;
  const parts: string[] = [];
  let from = 0;
  tokens.lastIndex = 0;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const [written] = found;
    if (written === '"') tokens.lastIndex = stringEnd(text, found.index) + 1;
    else if (isInexact(written)) {
      parts.push(text.slice(from, found.index), JSON.stringify(mark + written));
      from = tokens.lastIndex;
    }
  }
  return parts.length === 0 ? undefined : parts.join('') + text.slice(from);
}

/** Whether the shortest form of the double is another number than the one that was written. */
function isInexact(written: string): boolean {
  const value = Number(written);
  return !Number.isFinite(value) || canonical(written) !== canonical(String(value));
}

/** Returns the same text for all forms of one number: its digits without outer zeros, and the place of the point. Reads a text of any length once. */
function canonical(written: string): string {
  const [mantissa = '', exponent = '0'] = written.replace(/^-/, '').split(/[eE]/);
  const point = mantissa.indexOf('.');
  const digits = mantissa.replace('.', '');
  let from = 0;
  while (digits.charAt(from) === '0') from += 1;
  let to = digits.length;
  while (to > from && digits.charAt(to - 1) === '0') to -= 1;
  if (to === from) return '0';
  return `${digits.slice(from, to)}e${(point === -1 ? digits.length : point) - from + Number(exponent)}`;
}

/** Formats a path as `contracts[17].debtorDocument`. */
export function dotted(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  );
}
