import type { ReceivableRow } from '../receivables/receivable.store.js';
import { headerFields, trailerFields, type Field, type Kind, type ValuesOf } from './layout.js';
import { illegible } from './parse-cnab444.js';
import { isDay } from '../../../shared/import/model/date-values.js';

const returnHeader = headerFields.map((field) => (field.name === 'fileType' ? { ...field, value: '2RETORNO' } : field));

/** The detail of a return, in the columns of the remittance. The reasons stand where returns of CNAB 400 have them. */
const returnFields = [
  { name: 'recordType', from: 1, to: 1, kind: 'constant', value: '1', meaning: '' },
  { name: 'filler2', from: 2, to: 37, kind: 'filler', value: ' ', meaning: '' },
  { name: 'externalId', from: 38, to: 62, kind: 'text', meaning: '' },
  { name: 'filler63', from: 63, to: 108, kind: 'filler', value: ' ', meaning: '' },
  { name: 'occurrence', from: 109, to: 110, kind: 'text', meaning: '' },
  { name: 'decidedOn', from: 111, to: 116, kind: 'day', meaning: '' },
  { name: 'filler117', from: 117, to: 120, kind: 'filler', value: ' ', meaning: '' },
  { name: 'dueDate', from: 121, to: 126, kind: 'day', meaning: '' },
  { name: 'faceValue', from: 127, to: 139, kind: 'amount', meaning: '' },
  { name: 'filler140', from: 140, to: 192, kind: 'filler', value: ' ', meaning: '' },
  { name: 'presentValue', from: 193, to: 205, kind: 'amount', meaning: '' },
  { name: 'filler206', from: 206, to: 218, kind: 'filler', value: ' ', meaning: '' },
  { name: 'debtorKind', from: 219, to: 220, kind: 'text', meaning: '' },
  { name: 'debtorDocument', from: 221, to: 234, kind: 'text', meaning: '' },
  { name: 'debtorName', from: 235, to: 274, kind: 'text', meaning: '' },
  { name: 'filler275', from: 275, to: 318, kind: 'filler', value: ' ', meaning: '' },
  { name: 'reasons', from: 319, to: 328, kind: 'text', meaning: '' },
  { name: 'filler329', from: 329, to: 438, kind: 'filler', value: ' ', meaning: '' },
  { name: 'sequence', from: 439, to: 444, kind: 'sequence', meaning: '' },
] as const satisfies readonly Field[];

/** Reasons of a rejected entry by rule and by field, as FEBRABAN's table C047 numbers them; 99 for any other. */
const reasonsByRule: Readonly<Record<string, string>> = {
  CONTRACT_ASSIGNED: '63',
  INVOICE_ASSIGNED: '63',
  DUE_DATE_NOT_FUTURE: '16',
  TERM_ABOVE_MAXIMUM: '18',
  AVERAGE_TERM_ABOVE_MAXIMUM: '18',
  // Nothing is wrong with the document itself.
  DEBTOR_SHARE_ABOVE_MAXIMUM: '99',
  DEBTOR_GROUP_SHARE_ABOVE_MAXIMUM: '99',
  ASSIGNOR_SHARE_ABOVE_MAXIMUM: '99',
  UF_SHARE_ABOVE_MAXIMUM: '99',
};
const reasonsByField: Readonly<Record<string, string>> = {
  debtorDocument: '46',
  assignorDocument: '53',
  faceValue: '20',
  purchasePrice: '20',
};

/** @param writtenOn `YYYY-MM-DD` */
export function returnHeaderLine(originatorName: string, writtenOn: string): string {
  const values = { serviceCode: '01', serviceName: 'COBRANCA', originatorName: fitting(originatorName, 30), writtenOn };
  const others = { originatorCode: '', bankNumber: '', bankName: '', system: '', fileNumber: '', assignorAccount: '' };
  return writeRecord(returnHeader, { ...others, ...values }, 1);
}

/** Writes a line of a decided batch. @param number of the record @param decidedOn `YYYY-MM-DD` */
export function returnLine(
  row: Pick<ReceivableRow, 'externalId' | 'debtorDocument' | 'debtorName' | 'faceValue' | 'purchasePrice' | 'dueDate'>,
  reasons: string,
  { number, decidedOn }: { readonly number: number; readonly decidedOn: string },
): string {
  // A key sees only the last characters, which are no document.
  const document = row.debtorDocument.includes('*') ? '' : row.debtorDocument;
  return writeRecord(
    returnFields,
    {
      externalId: fitting(row.externalId, 25),
      occurrence: '03',
      reasons,
      decidedOn,
      dueDate: row.dueDate < '2100' ? row.dueDate : '',
      faceValue: row.faceValue,
      presentValue: row.purchasePrice ?? '0.00',
      debtorKind: document === '' ? '' : document.length === 11 ? '01' : '02',
      debtorDocument: document.length === 11 ? `000${document}` : document,
      debtorName: fitting(row.debtorName ?? '', 40),
    },
    number,
  );
}

export function returnTrailerLine(number: number): string {
  return writeRecord(trailerFields, {}, number);
}

/** Returns the reasons of a refusal, two digits each, at most five. */
export function reasonsOf(refusal: ReceivableRow['refusal']): string {
  const codes = (refusal ?? []).map(({ rule, field }) => reasonsByRule[rule] ?? reasonsByField[field] ?? '99');
  return [...new Set(codes)].slice(0, 5).join('') || '99';
}

function fitting(text: string, width: number): string {
  return text.replace(new RegExp(illegible, 'g'), '?').slice(0, width).trimEnd();
}

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
