import type { ErrorDetail } from '../../shared/errors.js';
import { slicer } from '../../shared/turns.js';
import { JsonPlace } from './json-place.js';
import { bytesOf, maxJsonDepth, maxJsonValues, repeated, stringEnd, tooDeep, tooMany } from './json-shape.js';
import { forbiddenName, parseJson, withoutMark, type ParseOptions } from './parse-json.js';

/** A body that is refused, whether or not it is JSON: see `jsonShapeError`. */
export class JsonShapeError extends Error {
  constructor(readonly detail: ErrorDetail) {
    super(detail.message);
  }
}

export interface SliceOptions extends ParseOptions {
  /** Approximate number of bytes that are parsed in one turn of the event loop. */
  readonly sliceBytes?: number;
  readonly maxDepth?: number;
}

/** An array or object that is open at the reader's position. */
interface Frame {
  readonly isArray: boolean;
  /** Index of its opening bracket. */
  readonly openedAt: number;
  /** The members that were parsed so far; undefined before the first was parsed. */
  members: unknown[] | Record<string, unknown> | undefined;
  /** Index of the first byte that was not parsed yet. */
  from: number;
  /** Whether a comma or the end has to come next: a member that was parsed by itself ends at `from`. */
  separated: boolean;
  /** Positions of the current member's name and of its colon, in an object; -1 before they were read. */
  nameAt: number;
  colonAt: number;
}

/**
 * Parses JSON as `JSON.parse` does, in slices, so that other requests get their turn in between: 10 MiB in one piece would stop the
 * process for a second. Members of long arrays and objects are parsed some at a time; short values are parsed whole.
 * Like the parser of small bodies it refuses `__proto__` as a name, and `prototype` within `constructor`.
 * @throws {SyntaxError} for what is not JSON or has such a name, {JsonShapeError} for what is too deep, has too many values or a name twice.
 */
export async function parseJsonInSlices(bytes: Buffer, options: SliceOptions = {}): Promise<unknown> {
  const { sliceBytes = 65_536, maxDepth = maxJsonDepth } = options;
  const reader = new Reader(bytes, sliceBytes, options);
  const place = new JsonPlace(bytes);
  const slice = slicer();
  let values = 1;
  let lookAt = sliceBytes;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case bytesOf.quote: {
        const end = stringEnd(bytes, at);
        if (place.isRepeatedName(at, end)) throw new JsonShapeError(repeated(place));
        reader.string(at);
        at = end;
        break;
      }
      case bytesOf.colon:
        reader.colon(at);
        break;
      case bytesOf.comma:
        values += 1;
        if (values > maxJsonValues) throw new JsonShapeError(tooMany(maxJsonValues));
        place.comma();
        reader.comma(at);
        break;
      case bytesOf.openArray:
      case bytesOf.openObject:
        values += 1;
        if (place.depth === maxDepth) throw new JsonShapeError(tooDeep(maxDepth));
        place.open(bytes[at] === bytesOf.openArray);
        reader.open(at, bytes[at] === bytesOf.openArray);
        break;
      case bytesOf.closeArray:
      case bytesOf.closeObject:
        place.close();
        reader.close(at, bytes[at] === bytesOf.closeArray);
        break;
      default:
    }
    if (at < lookAt) continue;
    lookAt = at + sliceBytes;
    if (slice.isOver()) await slice.next();
  }
  return reader.end();
}

class Reader {
  private readonly frames: Frame[] = [];
  /** Number of frames, from the outermost, that have parsed members. */
  private begun = 0;
  /** The value that was parsed by its members, with its position in the bytes. */
  private root: { readonly value: unknown; readonly from: number; readonly to: number } | undefined;

  constructor(
    private readonly bytes: Buffer,
    private readonly sliceBytes: number,
    private readonly options: ParseOptions,
  ) {}

  open(at: number, isArray: boolean): void {
    const from = at + 1;
    this.frames.push({ isArray, openedAt: at, members: undefined, from, separated: false, nameAt: -1, colonAt: -1 });
  }

  string(at: number): void {
    const frame = this.frames.at(-1);
    if (frame?.colonAt === -1) frame.nameAt = at;
  }

  colon(at: number): void {
    const frame = this.frames.at(-1);
    if (frame?.colonAt === -1) frame.colonAt = at;
  }

  comma(at: number): void {
    const frame = this.frames.at(-1);
    if (frame === undefined) throw notJson();
    frame.nameAt = -1;
    frame.colonAt = -1;
    if (at - frame.from < this.sliceBytes) return;
    this.begin();
    this.take(frame, at);
    frame.from = at;
    frame.separated = true;
  }

  close(at: number, isArray: boolean): void {
    const frame = this.frames.pop();
    if (frame?.isArray !== isArray) throw notJson();
    if (frame.members === undefined) return;
    this.take(frame, at);
    this.begun -= 1;
    const parent = this.frames.at(-1);
    if (parent === undefined) {
      if (this.root !== undefined) throw notJson();
      this.root = { value: frame.members, from: frame.openedAt, to: at + 1 };
      return;
    }
    if (Array.isArray(parent.members)) parent.members.push(frame.members);
    else if (parent.members !== undefined)
      addMember(parent.members, this.nameIn(parent, frame.openedAt), frame.members);
    parent.from = at + 1;
    parent.separated = true;
  }

  /** Returns the whole value, after the last byte was read. */
  end(): unknown {
    if (this.frames.length > 0) throw notJson();
    if (this.root === undefined) return parseJson(this.text(0, this.bytes.length), this.options);
    const { value, from, to } = this.root;
    const before = withoutMark(this.text(0, from));
    if (!isBlank(before) || !isBlank(this.text(to, this.bytes.length))) throw notJson();
    return value;
  }

  /** Gives every open frame its members: those before the frame that is open within it. */
  private begin(): void {
    if (this.begun === this.frames.length) return;
    for (const [index, frame] of this.frames.entries()) {
      frame.members ??= frame.isArray ? [] : {};
      const inner = this.frames[index + 1];
      if (inner !== undefined && index >= this.begun - 1) this.takeBefore(frame, inner.openedAt);
    }
    this.begun = this.frames.length;
  }

  /** Adds the members between the last parsed byte of a frame and `to`, where a comma or the frame's end is. */
  private take(frame: Frame, to: number): void {
    const text = withoutBlanks(this.text(frame.from, to));
    if (frame.separated && text === '') return;
    if (frame.separated && !text.startsWith(',')) throw notJson();
    this.addMembers(frame, frame.separated ? text.slice(1) : text);
  }

  /** Adds the members before the one whose value begins at `innerAt`. */
  private takeBefore(frame: Frame, innerAt: number): void {
    if (!frame.isArray) this.nameIn(frame, innerAt);
    const text = withoutBlanks(this.text(frame.from, frame.isArray ? innerAt : frame.nameAt));
    if (text === '' && !frame.separated) return;
    if (!text.endsWith(',') || (frame.separated && !text.startsWith(','))) throw notJson();
    if (frame.separated && text === ',') return;
    this.addMembers(frame, text.slice(frame.separated ? 1 : 0, -1));
  }

  /** Returns the name of the member whose value begins at `innerAt`. */
  private nameIn({ nameAt, colonAt }: Frame, innerAt: number): string {
    if (nameAt === -1 || colonAt === -1 || !isBlank(this.text(colonAt + 1, innerAt))) throw notJson();
    const name: unknown = JSON.parse(this.text(nameAt, colonAt));
    if (typeof name !== 'string') throw notJson();
    return name;
  }

  private addMembers({ members }: Frame, text: string): void {
    if (Array.isArray(members)) {
      const items = parseJson(`[${text}]`, this.options);
      if (!Array.isArray(items) || items.length === 0) throw notJson();
      for (const item of items) members.push(item);
    } else if (members !== undefined) {
      const more = Object.entries(parseJson(`{${text}}`, this.options) ?? {});
      if (more.length === 0) throw notJson();
      for (const [name, value] of more) members[name] = value;
    }
  }

  private text(from: number, to: number): string {
    return this.bytes.toString('utf8', from, to);
  }
}

function addMember(members: Record<string, unknown>, name: string, value: unknown): void {
  const hasPrototype = typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
  if (name === '__proto__' || (name === 'constructor' && hasPrototype)) throw new SyntaxError(forbiddenName);
  members[name] = value;
}

function isBlank(text: string): boolean {
  return withoutBlanks(text) === '';
}

/** Removes JSON's white space at both ends, which is less than what `trim` removes. */
function withoutBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isJsonBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isJsonBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isJsonBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function notJson(): SyntaxError {
  return new SyntaxError('The text is not JSON');
}
