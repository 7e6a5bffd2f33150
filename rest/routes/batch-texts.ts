import type { Parameter, TextBody } from '../route.js';

const variable = 'file';
export const optionalTerms =
  '`debtorName`, `debtorUf`, `purchasePrice`, `baseDate`, `interestRate`, `dayCount`, `coobligation` (true or false), `assignorDocument`, `invoiceKey`, `type`; in NDJSON also `installments`';
export const optionalPaymentTerms =
  '`paymentReference`, `kind` (PAYMENT, ABATEMENT, DISCOUNT, REPURCHASE, SUBSTITUTION), `surplus`, `reason`, `substituteId`';
export const mode: Parameter = {
  description:
    '`ALL_OR_NOTHING`: one contract with an error rejects the batch when it is processed. `ELIGIBLE_ONLY`: such contracts are refused, each with its errors, and the others are assigned.',
  rule: 'must be ALL_OR_NOTHING or ELIGIBLE_ONLY',
};
export const fileName: Parameter = {
  description: 'Name of the file, by which people find its batch: at most 200 characters that can be seen.',
  schema: { maxLength: 200 },
  rule: 'must have at most 200 characters',
};
const draft = 'The file creates a batch in DRAFT, which has to be submitted. The signature covers the bytes as sent.';
const packed = 'It may be compressed (`Content-Encoding: gzip`): up to 10 MiB as sent, and 64 MiB decompressed.';
const form =
  'A CNAB 444 file: header, details, trailer, 444 characters a line, in UTF-8, or otherwise in ISO-8859-1, which is read as Windows-1252, with CR LF or LF; without control characters. It may be compressed (`Content-Encoding: gzip`): up to 10 MiB as sent, and 64 MiB decompressed, which is the size that counts for the rate limit. A file of 50,000 details has about 22 MiB and must be compressed; 10 MiB are about 23,000 details. The signature covers the bytes as sent. Errors name line and columns (`line 17, columns 38-62`). The file creates a batch in DRAFT, which has to be submitted.';

/** Returns the further forms of the body that creates a credit batch. */
export function assignmentFiles(parameters: TextBody['parameters']): TextBody[] {
  const contract = {
    externalId: 'CCB-2026-000127',
    debtorDocument: '52998224725',
    faceValue: 15_000.5,
    dueDate: '2031-01-31',
  };
  return filesOf('CreditBatch', { ...parameters, fileName }, contract, {
    description: 'Details have the occurrence 01.',
    example: [
      detailOf('CCB-2026-000125', { 109: '01', 121: '310131', 127: '0000001500050', 219: '01', 221: '00052998224725' }),
    ],
  });
}

/** Returns the further forms of the body that creates a settlement batch. */
export function settlementFiles(creditBatchId: Parameter): TextBody[] {
  const payment = { externalId: 'CCB-2026-000123', settledAmount: 1_500.5, settledDate: '2026-08-03' };
  return filesOf('SettlementBatch', { creditBatchId, fileName }, payment, {
    description: 'Details have the occurrence 04, 14, 75 or 77, and the external ids of contracts of the credit batch.',
    example: [detailOf('CCB-2026-000123', { 83: '0000150000', 95: '030826', 109: '14' })],
  });
}

function filesOf(
  noun: 'CreditBatch' | 'SettlementBatch',
  parameters: TextBody['parameters'],
  record: Readonly<Record<string, string | number>>,
  cnab: { readonly description: string; readonly example: readonly string[] },
): TextBody[] {
  const names = Object.keys(record);
  const columns = [
    ...names.map((name) => `\`${name}\``),
    noun === 'SettlementBatch' ? optionalPaymentTerms : optionalTerms,
  ];
  const lines = `1 to 50,000 records with ${columns.join(', ')}. ${packed} ${draft}`;
  const operation = (format: string) => `create${noun}From${format}`;
  return [
    {
      ...{ profile: 'cnab444', variable, parameters, operation: operation('Cnab') },
      description: `${form} ${cnab.description}`,
      example: fileOf(cnab.example),
    },
    {
      ...{ profile: 'csv', variable, parameters, operation: operation('Csv') },
      description: `CSV with a header, separated by \`;\` or \`,\`: ${lines}`,
      example: `${names.join(';')}\r\n${Object.values(record).join(';')}\r\n`,
    },
    {
      ...{ profile: 'ndjson', variable, parameters, operation: operation('Ndjson') },
      description: `A JSON object a line: ${lines}`,
      example: `${JSON.stringify(record)}\n`,
    },
  ];
}

function detailOf(externalId: string, fields: Readonly<Record<number, string>>): string {
  return lineOf({ 1: '1', 38: externalId, 83: '0'.repeat(10), 127: '0'.repeat(13), ...fields });
}

function fileOf(details: readonly string[]): string {
  const header = lineOf({ 1: '01REMESSA01COBRANCA', 47: 'CREDIARIO LTDA', 95: '030826', 109: 'MX0000001' });
  const lines = [header, ...details, lineOf({ 1: '9' })];
  return lines.map((line, index) => `${line}${String(index + 1).padStart(6, '0')}\r\n`).join('');
}

/** Returns the first 438 columns of a record, blank except for the given texts, each by its first column. */
function lineOf(fields: Readonly<Record<number, string>>): string {
  let line = '';
  for (const [column, text] of Object.entries(fields)) line = line.padEnd(Number(column) - 1) + text;
  return line.padEnd(438);
}
