import { isDay } from '../../../shared/import/model/date-values.js';
import type { Field, Kind, ValuesOf } from './layout.js';
import { illegible } from './parse-cnab444.js';

/** Leaves out the end of its line. @throws {RangeError} for a value that its field cannot hold */
export function writeRecord<const Fields extends readonly Field[]>(
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
