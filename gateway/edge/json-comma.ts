import { slicer } from '../../shared/turns.js';
import { dotted } from '../../shared/subgraph/variables.js';
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

/** An array or object that is open at the reader's position. */
interface Frame {
  readonly isArray: boolean;
  index: number;
  /** Position of the current member's name in an object, without its quotes. */
  name: readonly [from: number, to: number];
}

/** Maximum number of characters that are examined on either side of a comma, and of bytes in a name. */
const maxDigits = 40;
const maxNameBytes = 200;
/** Bytes between two checks of the time. */
const bytesBetweenLooks = 65_536;

/**
 * Finds the first number with a decimal comma (`{"price": 10,50}`) in bytes that are not JSON: in an object no number can follow a comma.
 * In an array `10,50` are two numbers. Long inputs are read in slices, so that other requests get their turn in between.
 */
export async function findDecimalComma(bytes: Buffer): Promise<DecimalComma | undefined> {
  const frames: Frame[] = [];
  const slice = slicer();
  let last: readonly [number, number] = [0, 0];
  let line = 1;
  let lineAt = 0;
  let lookAt = bytesBetweenLooks;
  for (let at = 0; at < bytes.length; at++) {
    const frame = frames.at(-1);
    switch (bytes[at]) {
      case bytesOf.lineFeed:
        line += 1;
        lineAt = at + 1;
        break;
      case bytesOf.quote: {
        const end = stringEnd(bytes, at);
        last = [at + 1, end];
        at = end;
        break;
      }
      case bytesOf.colon:
        if (frame !== undefined) frame.name = last;
        break;
      case bytesOf.comma:
        if (frame?.isArray === true) frame.index += 1;
        else if (frame !== undefined && isDigit(bytes[at - 1]) && isDigit(bytes[at + 1])) {
          const [from, to] = numberAround(bytes, at);
          const text = bytes.toString('latin1', from, to);
          return { path: pathOf(frames, bytes), line, column: from - lineAt + 1, text };
        }
        break;
      case bytesOf.openArray:
      case bytesOf.openObject:
        if (frames.length === maxJsonDepth) return undefined;
        frames.push({ isArray: bytes[at] === bytesOf.openArray, index: 0, name: [0, 0] });
        break;
      case bytesOf.closeArray:
      case bytesOf.closeObject:
        frames.pop();
        break;
      default:
    }
    if (at < lookAt) continue;
    lookAt = at + bytesBetweenLooks;
    if (slice.isOver()) await slice.next();
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

function pathOf(frames: readonly Frame[], bytes: Buffer): string {
  return dotted(
    frames.map(({ isArray, index, name: [from, to] }) =>
      isArray ? index : bytes.toString('utf8', from, Math.min(to, from + maxNameBytes)),
    ),
  );
}
