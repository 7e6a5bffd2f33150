import { isDay } from '../../../shared/import/model/date-values.js';
import { illegible, readLines } from '../../../subgraphs/credit-assignment/cnab444/parse-cnab444.js';
import {
  detailFields,
  headerFields,
  maxDetails,
  trailerFields,
  type Detail,
  type Field,
  type Header,
  type Kind,
  type ValuesOf,
} from '../../../subgraphs/credit-assignment/cnab444/layout.js';
import { codesOf } from '../../../subgraphs/credit-assignment/cnab444/occurrence.js';
import type { FileErrors } from '../../../subgraphs/credit-assignment/files/file-errors.js';

/** A CNAB 444 file. Its trailer holds only the number of records. */
export interface Cnab444File {
  readonly header: Header;
  readonly details: readonly Detail[];
}

/** Reads a whole CNAB 444 file, with any supported occurrence. */
export function parseCnab444(
  input: Uint8Array | string,
): { readonly file: Cnab444File } | { readonly errors: FileErrors } {
  const reading = readLines(input, codesOf(), (detail) => detail);
  let step = reading.next();
  while (step.done !== true) step = reading.next();
  const { errors, header, kept } = step.value;
  return errors.count > 0 || header === undefined ? { errors } : { file: { header, details: kept } };
}

/**
 * Writes a CNAB 444 file, numbers its records and closes it with the trailer. Lines end with CR LF, as the published layouts require;
 * no character is a control character.
 * @throws {RangeError} for a value that its field cannot hold, no details, or more than 50,000
 */
export function formatCnab444({ header, details }: Cnab444File): string {
  if (details.length === 0 || details.length > maxDetails) {
    throw new RangeError(`A file has 1 to ${maxDetails} details, not ${details.length}`);
  }
  const lines = [
    writeRecord(headerFields, header, 1),
    ...details.map((detail, index) => writeRecord(detailFields, detail, index + 2)),
    writeRecord(trailerFields, {}, details.length + 2),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function writeRecord<const Fields extends readonly Field[]>(
  fields: Fields,
  values: ValuesOf<Fields>,
  number: number,
): string {
  const named: Readonly<Record<string, string>> = values;
  return fields.map((field) => writeField(field, named[field.name] ?? '', number)).join('');
}

function writeField({ name, from, to, kind, value: fixed = '' }: Field, value: string, number: number): string {
  const width = to - from + 1;
  if (kind === 'constant' || kind === 'filler') return fixed.repeat(width / fixed.length);
  if (kind === 'sequence') return String(number).padStart(width, '0');
  const columns = writers[kind](value, width);
  if (columns === undefined) throw new RangeError(`Record ${number} cannot hold "${value}" as ${name}`);
  return columns;
}

const amount = /^(0|[1-9]\d*)\.\d\d$/;

/** Return the columns of a value; undefined when the value has another form or does not fit. */
const writers: Readonly<
  Record<Exclude<Kind, 'constant' | 'filler' | 'sequence'>, (value: string, width: number) => string | undefined>
> = {
  text: (value, width) =>
    value.length <= width && !value.endsWith(' ') && !illegible.test(value) ? value.padEnd(width) : undefined,
  day: (value) => {
    if (value === '') return '000000';
    return value.startsWith('20') && isDay(value)
      ? `${value.slice(8)}${value.slice(5, 7)}${value.slice(2, 4)}`
      : undefined;
  },
  amount: (value, width) =>
    amount.test(value) && value.length <= width + 1 ? value.replace('.', '').padStart(width, '0') : undefined,
};
