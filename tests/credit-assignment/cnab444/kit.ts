import fc from 'fast-check';
import {
  detailFields,
  headerFields,
  type Detail,
  type Field,
  type Header,
} from '../../../subgraphs/credit-assignment/cnab444/layout.js';
import { codesOf, foreignAmounts } from '../../../subgraphs/credit-assignment/cnab444/layout-rules.js';
import type { Cnab444File } from './files.js';

const noHeader = unfilled(headerFields);
const noDetail = unfilled(detailFields);

function unfilled(fields: readonly Field[]): Record<string, string> {
  return Object.fromEntries(valuesOf(fields).map(({ name, kind }) => [name, kind === 'amount' ? '0.00' : '']));
}

function valuesOf(fields: readonly Field[]): Field[] {
  return fields.filter(({ kind }) => kind === 'text' || kind === 'day' || kind === 'amount');
}

/** A file of the details given, each of which says only what matters to a test. */
export function fileOf(...details: readonly Partial<Detail>[]): Cnab444File {
  return {
    header: { ...noHeader, originatorName: 'CREDIARIO LTDA', writtenOn: '2026-08-03' } as unknown as Header,
    details: details.map((detail) => ({ ...noDetail, ...detail }) as unknown as Detail),
  };
}

/** A contract of an assignment file. */
export function assigned(externalId: string, changed: Partial<Detail> = {}): Partial<Detail> {
  return {
    occurrence: '01',
    externalId,
    debtorKind: '02',
    debtorDocument: '11222333000181',
    faceValue: '1000.00',
    dueDate: '2031-01-31',
    ...changed,
  };
}

/** A text with other characters from a column on; lines and columns are counted from 1. */
export function put(text: string, line: number, column: number, characters: string): string {
  const lines = text.split('\r\n');
  const old = lines[line - 1] ?? '';
  lines[line - 1] = old.slice(0, column - 1) + characters + old.slice(column - 1 + characters.length);
  return lines.join('\r\n');
}

const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const legible = fc
  .oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0xa0, max: 0xff }),
    fc.constantFrom(0x20ac, 0x2013, 0x142),
  )
  .map((code) => String.fromCharCode(code));

function anyValue({ from, to, kind }: Field): fc.Arbitrary<string> {
  const width = to - from + 1;
  if (kind === 'day') return fc.oneof(day, fc.constant(''));
  if (kind === 'amount') {
    return fc
      .bigInt({ min: 0n, max: 10n ** BigInt(width) - 1n })
      .map((cents) => `${String(cents / 100n)}.${String(cents % 100n).padStart(2, '0')}`);
  }
  return fc.string({ unit: legible, maxLength: width }).map((text) => text.replace(/ +$/, ''));
}

function anyOf(fields: readonly Field[]): fc.Arbitrary<Record<string, string>> {
  return fc.record(Object.fromEntries(valuesOf(fields).map((field) => [field.name, anyValue(field)])));
}

const filled = fc.string({ unit: legible, minLength: 1, maxLength: 14 }).filter((text) => !text.endsWith(' '));

export const anyFile: fc.Arbitrary<Cnab444File> = fc.record({
  header: fc
    .tuple(anyOf(headerFields), day)
    .map(([values, writtenOn]) => ({ ...values, writtenOn }) as unknown as Header),
  details: fc.array(
    fc
      .record({
        values: anyOf(detailFields),
        occurrence: fc.constantFrom(...codesOf()),
        externalId: filled,
        debtorDocument: filled,
        dueDate: day,
        paidOn: day,
      })
      .map(({ values, ...needed }) => {
        const foreign = [...(foreignAmounts[needed.occurrence]?.keys() ?? [])].map((field) => [field, '0.00'] as const);
        return { ...values, ...Object.fromEntries<string>(foreign), ...needed } as unknown as Detail;
      }),
    { minLength: 1, maxLength: 5 },
  ),
});
