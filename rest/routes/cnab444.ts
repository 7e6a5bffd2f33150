import type { Parameter, TextBody } from '../route.js';

const profile = 'cnab444';
const variable = 'file';
const form =
  'A CNAB 444 file: header, details, trailer, 444 characters a line, in UTF-8, or otherwise in ISO-8859-1, which is read as Windows-1252, with CR LF or LF; without control characters. It may be compressed (`Content-Encoding: gzip`): up to 10 MiB as sent, and 64 MiB decompressed, which is the size that counts for the rate limit. A file of 50,000 details has about 22 MiB and must be compressed; 10 MiB are about 23,000 details. The signature covers the bytes as sent. Errors name line and columns (`line 17, columns 38-62`). The file creates a batch in DRAFT, which has to be submitted.';

/** Returns the second form of the body that creates a credit batch. */
export function assignmentFile(patrimonyId: Parameter): TextBody {
  return {
    profile,
    variable,
    operation: 'createCreditBatchFromCnab',
    description: `${form} Details have the occurrence 01.`,
    parameters: { patrimonyId },
    example: fileOf([
      detailOf('CCB-2026-000125', { 109: '01', 121: '310131', 127: '0000001500050', 219: '01', 221: '00052998224725' }),
    ]),
  };
}

/** Returns the second form of the body that creates a settlement batch. */
export function settlementFile(creditBatchId: Parameter): TextBody {
  return {
    profile,
    variable,
    operation: 'createSettlementBatchFromCnab',
    description: `${form} Details have the occurrence 04, 14, 75 or 77, and the external ids of contracts of the credit batch.`,
    parameters: { creditBatchId },
    example: fileOf([detailOf('CCB-2026-000123', { 83: '0000150000', 95: '030826', 109: '14' })]),
  };
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
