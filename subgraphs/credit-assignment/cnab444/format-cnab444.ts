import { codecs } from './field.js';
import {
  detailFields,
  headerFields,
  maxDetails,
  trailerFields,
  type Cnab444File,
  type Field,
  type ValuesOf,
} from './layout.js';

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
  const columns = codecs[kind].write(value, width);
  if (columns === undefined) throw new RangeError(`Record ${number} cannot hold "${value}" as ${name}`);
  return columns;
}
