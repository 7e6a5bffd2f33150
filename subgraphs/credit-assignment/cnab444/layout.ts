export type Kind = 'constant' | 'filler' | 'sequence' | 'text' | 'day' | 'amount';

/** A field of a record. Columns are counted from 1; `to` is inclusive. */
export interface Field {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly kind: Kind;
  /** The fixed content of the field: all of a `constant`, the repeated character of a `filler`. */
  readonly value?: string;
  readonly meaning: string;
}

/** The values of a record by field name, without constants, fillers and the record's number. */
export type ValuesOf<Fields extends readonly Field[]> = Readonly<
  Record<Exclude<Fields[number], { kind: 'constant' | 'filler' | 'sequence' }>['name'], string>
>;

/** Width of every record, in characters. */
export const lineWidth = 444;

/** Source: "Troca Eletrônica Padrão, Cobrança, Remessa V3" of Apex Group (17/07/2025); FEBRABAN has no standard. The parser, the tests' writer and the README's test use it. */
export const headerFields = [
  { name: 'recordType', from: 1, to: 1, kind: 'constant', value: '0', meaning: 'record type: header' },
  { name: 'fileType', from: 2, to: 9, kind: 'constant', value: '1REMESSA', meaning: 'type of file: sent to the fund' },
  { name: 'serviceCode', from: 10, to: 11, kind: 'text', meaning: 'service, 01' },
  { name: 'serviceName', from: 12, to: 26, kind: 'text', meaning: 'service, COBRANCA' },
  { name: 'originatorCode', from: 27, to: 46, kind: 'text', meaning: 'originator, as the custodian numbers it' },
  { name: 'originatorName', from: 47, to: 76, kind: 'text', meaning: 'originator' },
  { name: 'bankNumber', from: 77, to: 79, kind: 'text', meaning: 'bank' },
  { name: 'bankName', from: 80, to: 94, kind: 'text', meaning: 'bank' },
  { name: 'writtenOn', from: 95, to: 100, kind: 'day', meaning: 'day on which the file was written' },
  { name: 'filler101', from: 101, to: 108, kind: 'filler', value: ' ', meaning: 'blank' },
  { name: 'system', from: 109, to: 110, kind: 'text', meaning: 'system, MX' },
  { name: 'fileNumber', from: 111, to: 117, kind: 'text', meaning: 'number of the file' },
  { name: 'assignorAccount', from: 118, to: 139, kind: 'text', meaning: 'bank, branch and account of the assignor' },
  { name: 'filler140', from: 140, to: 438, kind: 'filler', value: ' ', meaning: 'blank' },
  { name: 'sequence', from: 439, to: 444, kind: 'sequence', meaning: 'number of the record, 000001' },
] as const satisfies readonly Field[];

export const detailFields = [
  { name: 'recordType', from: 1, to: 1, kind: 'constant', value: '1', meaning: 'record type: detail' },
  {
    name: 'interestTerms',
    from: 2,
    to: 20,
    kind: 'text',
    meaning: 'days of grace, index and rate; before V3 automatic debit',
  },
  { name: 'coobligation', from: 21, to: 22, kind: 'text', meaning: '01 with recourse to the assignor, 02 without' },
  { name: 'specialFeature', from: 23, to: 24, kind: 'text', meaning: 'SCR 3040: special feature' },
  { name: 'modality', from: 25, to: 28, kind: 'text', meaning: 'SCR 3040: modality' },
  { name: 'nature', from: 29, to: 30, kind: 'text', meaning: 'SCR 3040: nature' },
  { name: 'funding', from: 31, to: 34, kind: 'text', meaning: 'SCR 3040: origin of the funds' },
  { name: 'riskClass', from: 35, to: 36, kind: 'text', meaning: 'SCR 3040: class of risk' },
  { name: 'filler37', from: 37, to: 37, kind: 'filler', value: '0', meaning: 'zero' },
  { name: 'externalId', from: 38, to: 62, kind: 'text', meaning: "participant's control number: the contract" },
  { name: 'chequeBank', from: 63, to: 65, kind: 'text', meaning: 'bank of a cheque' },
  { name: 'filler66', from: 66, to: 70, kind: 'filler', value: '0', meaning: 'zeros' },
  {
    name: 'bankTitle',
    from: 71,
    to: 82,
    kind: 'text',
    meaning: "the title's number at the bank, with its check digit",
  },
  { name: 'paidAmount', from: 83, to: 92, kind: 'amount', meaning: 'amount paid' },
  { name: 'slip', from: 93, to: 94, kind: 'text', meaning: 'who prints the slip; automatic debit' },
  { name: 'paidOn', from: 95, to: 100, kind: 'day', meaning: 'day of settlement' },
  { name: 'duplicateNumber', from: 101, to: 104, kind: 'text', meaning: 'number of the duplicata' },
  { name: 'debitNotice', from: 105, to: 106, kind: 'text', meaning: 'apportionment; notice of debit' },
  { name: 'filler107', from: 107, to: 108, kind: 'filler', value: ' ', meaning: 'blank' },
  { name: 'occurrence', from: 109, to: 110, kind: 'text', meaning: 'occurrence: what the record is for' },
  { name: 'documentNumber', from: 111, to: 120, kind: 'text', meaning: 'number of the document' },
  { name: 'dueDate', from: 121, to: 126, kind: 'day', meaning: 'due date' },
  { name: 'faceValue', from: 127, to: 139, kind: 'amount', meaning: 'face value' },
  { name: 'collectingBank', from: 140, to: 147, kind: 'text', meaning: 'bank and branch that collect' },
  { name: 'titleKind', from: 148, to: 149, kind: 'text', meaning: 'kind of title' },
  { name: 'identification', from: 150, to: 150, kind: 'text', meaning: 'identification' },
  { name: 'issuedOn', from: 151, to: 156, kind: 'day', meaning: 'day of issue' },
  { name: 'instructions', from: 157, to: 159, kind: 'text', meaning: 'instructions' },
  { name: 'assignorKind', from: 160, to: 161, kind: 'text', meaning: 'assignor: 01 person, 02 company' },
  { name: 'lateInterest', from: 162, to: 173, kind: 'text', meaning: 'interest for a day of delay' },
  { name: 'assignmentTerm', from: 174, to: 192, kind: 'text', meaning: 'number of the term of assignment' },
  { name: 'presentValue', from: 193, to: 205, kind: 'amount', meaning: 'present value: the price of acquisition' },
  { name: 'abatement', from: 206, to: 218, kind: 'amount', meaning: 'abatement' },
  { name: 'debtorKind', from: 219, to: 220, kind: 'text', meaning: 'debtor: 01 person, 02 company' },
  {
    name: 'debtorDocument',
    from: 221,
    to: 234,
    kind: 'text',
    meaning: "debtor's CPF (with three zeros before it) or CNPJ",
  },
  { name: 'debtorName', from: 235, to: 274, kind: 'text', meaning: 'debtor' },
  { name: 'debtorAddress', from: 275, to: 314, kind: 'text', meaning: "debtor's address" },
  { name: 'invoiceNumber', from: 315, to: 323, kind: 'text', meaning: 'number of the invoice' },
  { name: 'invoiceSeries', from: 324, to: 326, kind: 'text', meaning: 'series of the invoice' },
  { name: 'postalCode', from: 327, to: 334, kind: 'text', meaning: "debtor's postal code" },
  { name: 'assignorName', from: 335, to: 380, kind: 'text', meaning: 'assignor' },
  { name: 'assignorDocument', from: 381, to: 394, kind: 'text', meaning: "assignor's CPF or CNPJ, as of the debtor" },
  { name: 'invoiceKey', from: 395, to: 438, kind: 'text', meaning: 'access key of the invoice (NF-e), or IPOC' },
  { name: 'sequence', from: 439, to: 444, kind: 'sequence', meaning: 'number of the record' },
] as const satisfies readonly Field[];

export const trailerFields = [
  { name: 'recordType', from: 1, to: 1, kind: 'constant', value: '9', meaning: 'record type: trailer' },
  { name: 'filler2', from: 2, to: 438, kind: 'filler', value: ' ', meaning: 'blank' },
  { name: 'sequence', from: 439, to: 444, kind: 'sequence', meaning: 'number of the record: how many the file has' },
] as const satisfies readonly Field[];

export function columnsOf(name: keyof Detail | undefined): { from: number; to: number } | undefined {
  const field = detailFields.find((each) => each.name === name);
  return field && { from: field.from, to: field.to };
}

export type Header = ValuesOf<typeof headerFields>;
export type Detail = ValuesOf<typeof detailFields>;

export const maxDetails = 50_000;
