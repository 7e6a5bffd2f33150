import type { BrokenRule } from '../batches/broken-rule.js';
import { FileErrors } from '../files/file-errors.js';
import { decode, hasReturns, lineEnds, linesAtOnce, linesOf } from '../files/lines.js';
import {
  columnsOf,
  detailFields,
  headerFields,
  lineWidth,
  maxDetails,
  type Detail,
  type Field,
  type Header,
  type ValuesOf,
} from './layout.js';
import {
  constant as mustBe,
  layoutRules,
  lineLength,
  occurrenceCode,
  recordCount,
  recordType,
  sequenceNumber,
  foreignAmounts,
  occurrences,
} from './layout-rules.js';
import { isDay } from '../../../shared/import/model/date-values.js';

/** Records read from a file. A header or a detail with errors is left out. */
export interface Read<T> {
  readonly errors: FileErrors;
  readonly header: Header | undefined;
  readonly kept: readonly T[];
}

/**
 * Reads a CNAB 444 file: header, details, trailer. Bytes are UTF-8 where they are valid as such, else Windows-1252. Lines end with CR LF
 * or LF; a byte order mark, empty lines at the end and 0x1A (the end of a file under DOS) are skipped. Time and memory are linear.
 * Yields every few lines, so that the caller can let other work run.
 * @param codes the occurrences that are accepted
 * @param keep returns the part of a detail to keep, given the number of its line: most of its fields are dropped with the line
 * @param errors collects what is wrong
 */
export function* readLines<T>(
  input: Uint8Array | string,
  codes: readonly string[],
  keep: (detail: Detail, line: number) => T,
  errors = new FileErrors(),
): Generator<undefined, Read<T>> {
  let header: Header | undefined;
  const kept: T[] = [];
  let number = 0;
  for (const { line, last } of linesOf(decode(input))) {
    number += 1;
    if (number % linesAtOnce === 0) yield;
    if (number > maxDetails + 2) {
      errors.add({ line: number, rule: layoutRules.tooManyRecords });
      break;
    }
    if (hasReturns(line)) {
      errors.add({ line: number, rule: lineEnds });
      return { errors, header, kept };
    }
    const type = readType(line, number, last, errors);
    if (type === '0') header = readRecord(headerFields, line, number, errors, ['writtenOn']);
    if (type === '1') {
      const detail = readDetail(line, number, codes, errors);
      if (detail !== undefined) kept.push(keep(detail, number));
    }
  }
  if (number === 0) errors.add({ line: 1, rule: layoutRules.emptyFile });
  else if (number < 3) errors.add({ line: number, rule: layoutRules.tooFewRecords });
  return { errors, header, kept };
}

/** Returns the type of a record that can be read by its layout; undefined when it cannot. */
function readType(line: string, number: number, last: boolean, errors: FileErrors): string | undefined {
  if (line.length !== lineWidth) {
    errors.add({ line: number, rule: lineLength(line) });
    return undefined;
  }
  const bad = illegible.exec(line);
  if (bad !== null) {
    const column = bad.index + 1;
    errors.add({ line: number, columns: { from: column, to: column }, rule: layoutRules.illegible });
    return undefined;
  }
  const type = line.charAt(0);
  const due = number === 1 ? '0' : last ? '9' : '1';
  if (type !== due) {
    errors.add({ line: number, columns: { from: 1, to: 1 }, rule: recordType(due) });
  }
  const sequence = line.slice(438);
  if (sequence !== String(number).padStart(6, '0')) {
    const rule = due === '9' ? recordCount(sequence, number) : sequenceNumber(number);
    errors.add({ line: number, columns: { from: 439, to: 444 }, field: 'sequence', rule });
  }
  return type;
}

function readDetail(line: string, number: number, codes: readonly string[], errors: FileErrors): Detail | undefined {
  const code = line.slice(108, 110);
  if (codes.includes(code))
    return readRecord(detailFields, line, number, errors, occurrences[code]?.needs, foreignAmounts[code]);
  const field = 'occurrence';
  errors.add({ line: number, columns: columnsOf(field), field, rule: occurrenceCode(codes) });
  return readRecord(detailFields, line, number, errors);
}

/** Returns the values of a record; undefined when a required one is missing or has another form. */
function readRecord<const Fields extends readonly Field[]>(
  fields: Fields,
  line: string,
  number: number,
  errors: FileErrors,
  needs: readonly string[] = [],
  foreign?: ReadonlyMap<string, BrokenRule>,
): ValuesOf<Fields> | undefined {
  const values: Record<string, string> = {};
  for (const field of fields as readonly Field[]) {
    const { name, from, to, kind, value: constant } = field;
    const text = line.slice(from - 1, to);
    if (kind === 'constant' && text !== constant) addAt(errors, number, field, mustBe(constant ?? ''));
    if (kind !== 'text' && kind !== 'day' && kind !== 'amount') continue;
    const value = codecs[kind].read(text);
    const unfit = value === '0.00' ? undefined : foreign?.get(name);
    if (value === undefined) addAt(errors, number, field, codecs[kind].form);
    else if (value === '' && needs.includes(name)) addAt(errors, number, field, layoutRules.notFilledIn);
    else if (unfit !== undefined) addAt(errors, number, field, unfit);
    else values[name] = value;
  }
  return hasAll(fields, values) ? values : undefined;
}

function addAt(errors: FileErrors, line: number, { name, from, to }: Field, rule: BrokenRule): void {
  errors.add({ line, columns: { from, to }, field: name, rule });
}

function hasAll<Fields extends readonly Field[]>(
  fields: Fields,
  values: Readonly<Record<string, string>>,
): values is ValuesOf<Fields> {
  return fields.every(({ name, kind }) => !(kind in codecs) || name in values);
}

interface Codec {
  /** Returns the value of a field; undefined when its columns have another form. */
  read(columns: string): string | undefined;
  readonly form: BrokenRule;
}

/** The kinds of fields that hold a value. A day or a text that is not filled in is the empty string, an amount `0.00`. */
const codecs: Readonly<Record<'text' | 'day' | 'amount', Codec>> = {
  text: { read: withoutBlanksBehind, form: layoutRules.text },
  day: {
    read: (columns) => {
      if (columns === '000000' || columns === '      ') return '';
      const day = `20${columns.slice(4)}-${columns.slice(2, 4)}-${columns.slice(0, 2)}`;
      return isDay(day) ? day : undefined;
    },
    form: layoutRules.day,
  },
  amount: {
    read: (columns) => {
      if (digits.test(columns)) return `${columns.slice(0, -2).replace(leadingZeros, '')}.${columns.slice(-2)}`;
      return withoutBlanksBehind(columns) === '' ? '0.00' : undefined;
    },
    form: layoutRules.amount,
  },
};

/** Matches control characters, and those beyond U+FFFF, which take two places in a line. The importer accepts all others too, so that a contract has the same name in every file. */
export const illegible = /[^\x20-\x7e\xa0-\ud7ff\ue000-\uffff]/;

const digits = /^\d+$/;
const leadingZeros = /^0+(?=\d)/;

// Not trimEnd(), which also removes no-break spaces.
function withoutBlanksBehind(columns: string): string {
  let end = columns.length;
  while (end > 0 && columns.charCodeAt(end - 1) === 0x20) end -= 1;
  return columns.slice(0, end);
}
