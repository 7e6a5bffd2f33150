import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { stateOfPostalCode } from '../../securities/state.js';
import { invoiceKeyForm } from '../credit-batches/invoice-key.js';
import { FileErrors } from '../files/file-errors.js';
import { contractOf, type FileContract, type FileLines, type FilePayment } from '../files/file-lines.js';
import { inSlices } from '../files/lines.js';
import { columnsOf, type Detail } from './layout.js';
import { codesOf, occurrences } from './layout-rules.js';
import { readLines } from './parse-cnab444.js';

export async function readContracts(
  file: Uint8Array | string,
  errors = new FileErrors(),
): Promise<FileLines<FileContract>> {
  const keep = (detail: Detail, line: number): FileContract => ({
    line,
    ...contractOf({
      externalId: detail.externalId,
      debtorDocument: documentOf(detail.debtorKind, detail.debtorDocument),
      faceValue: detail.faceValue,
      dueDate: detail.dueDate,
      debtorName: detail.debtorName,
      debtorUf: stateOfPostalCode(detail.postalCode) ?? '',
      purchasePrice: detail.presentValue === '0.00' ? '' : detail.presentValue,
      coobligation: { '01': 'true', '02': 'false' }[detail.coobligation] ?? blankOf(detail.coobligation),
      assignorDocument: blankOf(documentOf(detail.assignorKind, detail.assignorDocument)),
      invoiceKey: invoiceKeyOf(detail),
      type: detail.titleKind === '13' ? 'PRECATORIO' : '',
    }),
  });
  const { kept } = await inSlices(readLines(file, codesOf('assignment'), keep, errors));
  const placeAt = (index: number, field?: string) => ({
    line: kept[index]?.line ?? 0,
    ...fieldAt(contractFields, field),
  });
  return { errors, lines: kept, placeAt };
}

const contractFields: FieldsOf = {
  externalId: 'externalId',
  debtorDocument: 'debtorDocument',
  faceValue: 'faceValue',
  dueDate: 'dueDate',
  debtorName: 'debtorName',
  debtorUf: 'postalCode',
  purchasePrice: 'presentValue',
  coobligation: 'coobligation',
  assignorDocument: 'assignorDocument',
  invoiceKey: 'invoiceKey',
};

/** Returns the payments of a settlement file. An abatement without a day takes the day on which the file was written. No record has a payment reference. */
export async function readSettlements(
  file: Uint8Array | string,
  errors = new FileErrors(),
): Promise<FileLines<FilePayment>> {
  const keep = (detail: Detail, line: number) => ({
    line,
    externalId: identifyingText(detail.externalId),
    amountField: amountOf(detail),
    kind: detail.occurrence === '04' ? 'ABATEMENT' : 'PAYMENT',
    settledAmount: detail[amountOf(detail)],
    settledDate: detail.paidOn,
  });
  const { kept, header } = await inSlices(readLines(file, codesOf('settlement'), keep, errors));
  const lines = kept.flatMap((each) => {
    if (each.settledDate !== '') return each;
    return header === undefined ? [] : { ...each, settledDate: header.writtenOn };
  });
  const placeAt = (index: number, field?: string) => {
    const { line = 0, amountField } = lines[index] ?? {};
    const fields: FieldsOf = { contractId: 'externalId', settledDate: 'paidOn', settledAmount: amountField };
    return { line, ...fieldAt(fields, field) };
  };
  return { errors, lines, placeAt };
}

/** The fields of a detail, by the names that a batch gives them. */
type FieldsOf = Readonly<Record<string, keyof Detail | undefined>>;

function fieldAt(fields: FieldsOf, name: string | undefined) {
  const field = name === undefined ? undefined : fields[name];
  return field === undefined ? {} : { field, columns: columnsOf(field) };
}

function amountOf({ occurrence }: Pick<Detail, 'occurrence'>): keyof Detail {
  return occurrences[occurrence]?.amount ?? 'faceValue';
}

// A CPF has 11 digits, after three zeros in a field as wide as the 14 of a CNPJ. Some writers leave the zeros out.
function documentOf(kind: string, document: string): string {
  const bare = document.trim();
  return kind === '01' && bare.length === 14 && bare.startsWith('000') ? bare.slice(3) : bare;
}

/** Returns a text; the empty one for zeros and blanks, which mean that nothing is stated. */
function blankOf(text: string): string {
  return /^[0 ]*$/.test(text) ? '' : text;
}

const invoices = new Set(['01', '14', '50']);
const bankNotes = new Set(['41', '70', '71', '72', '74']);

/** Returns the key of an invoice. Credit notes (CCB) have their IPOC in its place; of other titles only what can be a key is one. */
function invoiceKeyOf({ titleKind, invoiceKey }: Detail): string {
  const key = blankOf(invoiceKey);
  return invoices.has(titleKind) || (!bankNotes.has(titleKind) && invoiceKeyForm.test(key)) ? key : '';
}
