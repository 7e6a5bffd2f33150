import { isUtf8 } from 'node:buffer';
import { fromWindows1252 } from '../../../shared/format/windows-1252.js';
import { slicer } from '../../../shared/turns.js';
import { columnsOf } from './by-line.js';
import { CnabErrors } from './errors.js';
import { codecs, illegible } from './field.js';
import {
  detailFields,
  headerFields,
  lineWidth,
  maxDetails,
  type Detail,
  type Field,
  type Header,
  type ValuesOf,
} from './layout.js';
import { occurrences } from './occurrence.js';

/** The parsed file, or all its errors. */
export type Outcome<T> = T | { readonly errors: CnabErrors };

/**
 * Reads a CNAB 444 file as `readLines` does, in slices, and yields to the event loop between them: 10 MiB in one piece would block the
 * process for some hundred milliseconds.
 */
export async function readCnab444<T>(...given: Parameters<typeof readLines<T>>): Promise<Read<T>> {
  const reading = readLines(...given);
  const slice = slicer();
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
    if (slice.isOver()) await slice.next();
  }
}

type Read<T> = Outcome<{ readonly header: Header; readonly kept: readonly T[] }>;

/** Lines that are read between two yields. */
const linesAtOnce = 32;

/**
 * Reads a CNAB 444 file: header, details, trailer. Bytes are UTF-8 where they are valid as such, else Windows-1252. Lines end with CR LF
 * or LF; a byte order mark, empty lines at the end and 0x1A (the end of a file under DOS) are skipped. Time and memory are linear.
 * Yields every few lines, so that the caller can let other work run.
 * @param codes the occurrences that are accepted
 * @param keep returns the part of a detail to keep: most of its fields are dropped with its line
 */
export function* readLines<T>(
  input: Uint8Array | string,
  codes: readonly string[],
  keep: (detail: Detail) => T,
): Generator<undefined, Read<T>> {
  const errors = new CnabErrors();
  let header: Header | undefined;
  const kept: T[] = [];
  let number = 0;
  for (const { line, last } of linesOf(decode(input))) {
    number += 1;
    if (number % linesAtOnce === 0) yield;
    if (number > maxDetails + 2) {
      errors.add(number, undefined, `is one record too many: a file has at most ${maxDetails} details`);
      break;
    }
    const type = readType(line, number, last, errors);
    if (type === '0') header = readRecord(headerFields, line, number, errors, ['writtenOn']);
    if (type === '1') {
      const detail = readDetail(line, number, codes, errors);
      if (detail !== undefined) kept.push(keep(detail));
    }
  }
  if (number === 0)
    errors.add(1, undefined, 'is missing: the file is empty and must have a header, details and a trailer');
  else if (number < 3)
    errors.add(number, undefined, 'is the last record: a file must have a header, details and a trailer');
  if (errors.count > 0 || header === undefined) return { errors };
  return { header, kept };
}

function decode(input: Uint8Array | string): string {
  if (typeof input !== 'string') {
    const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
    return decode(isUtf8(bytes) ? bytes.toString('utf8') : fromWindows1252(bytes.toString('latin1')));
  }
  return input.startsWith('\ufeff') ? input.slice(1) : input;
}

function* linesOf(text: string): Generator<{ line: string; last: boolean }> {
  let end = text.length;
  while (end > 0 && '\r\n\x1a'.includes(text.charAt(end - 1))) end -= 1;
  for (let start = 0; start < end;) {
    const feed = text.indexOf('\n', start);
    const last = feed === -1 || feed >= end;
    const stop = last ? end : feed;
    yield { line: text.slice(start, text.charAt(stop - 1) === '\r' && stop > start ? stop - 1 : stop), last };
    start = stop + 1;
  }
}

const typeNames: Readonly<Record<string, string>> = { '0': 'a header', '1': 'a detail', '9': 'the trailer' };

/** Returns the type of a record that can be read by its layout; undefined when it cannot. */
function readType(line: string, number: number, last: boolean, errors: CnabErrors): string | undefined {
  if (line.length !== lineWidth) {
    errors.add(number, undefined, `has ${line.length} characters and must have ${lineWidth}`);
    return undefined;
  }
  const bad = illegible.exec(line);
  if (bad !== null) {
    const column = bad.index + 1;
    errors.add(number, { from: column, to: column }, 'must be a printable character');
    return undefined;
  }
  const type = line.charAt(0);
  const due = number === 1 ? '0' : last ? '9' : '1';
  if (type !== due) {
    errors.add(number, { from: 1, to: 1 }, `must be ${due}: ${typeNames[due] ?? ''} is expected here`);
  }
  const sequence = line.slice(438);
  if (sequence !== String(number).padStart(6, '0')) {
    const message = due === '9' ? `is ${sequence}, but the file has ${number} records` : `must be ${number}`;
    errors.add(number, { from: 439, to: 444 }, `${message} (sequence)`);
  }
  return type;
}

function readDetail(line: string, number: number, codes: readonly string[], errors: CnabErrors): Detail | undefined {
  const code = line.slice(108, 110);
  if (codes.includes(code)) return readRecord(detailFields, line, number, errors, occurrences[code]?.needs);
  errors.add(number, columnsOf('occurrence'), `must be one of ${codes.join(', ')} (occurrence)`);
  return readRecord(detailFields, line, number, errors);
}

/** Returns the values of a record; undefined when a required one is missing or has another form. */
function readRecord<const Fields extends readonly Field[]>(
  fields: Fields,
  line: string,
  number: number,
  errors: CnabErrors,
  needs: readonly string[] = [],
): ValuesOf<Fields> | undefined {
  const values: Record<string, string> = {};
  for (const { name, from, to, kind, value: constant } of fields) {
    const columns = line.slice(from - 1, to);
    if (kind === 'constant' && columns !== constant) {
      errors.add(number, { from, to }, `must be ${constant ?? ''} (${name})`);
    }
    if (kind !== 'text' && kind !== 'day' && kind !== 'amount') continue;
    const value = codecs[kind].read(columns);
    if (value === undefined) errors.add(number, { from, to }, `${codecs[kind].form} (${name})`);
    else if (value === '' && needs.includes(name)) errors.add(number, { from, to }, `must be filled in (${name})`);
    else values[name] = value;
  }
  return hasAll(fields, values) ? values : undefined;
}

function hasAll<Fields extends readonly Field[]>(
  fields: Fields,
  values: Readonly<Record<string, string>>,
): values is ValuesOf<Fields> {
  return fields.every(({ name, kind }) => !(kind in codecs) || name in values);
}
