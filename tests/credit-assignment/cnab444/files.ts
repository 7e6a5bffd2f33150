import { readLines } from '../../../subgraphs/credit-assignment/cnab444/parse-cnab444.js';
import {
  detailFields,
  headerFields,
  maxDetails,
  trailerFields,
  type Detail,
  type Header,
} from '../../../subgraphs/credit-assignment/cnab444/layout.js';
import { codesOf } from '../../../subgraphs/credit-assignment/cnab444/layout-rules.js';
import { writeRecord } from '../../../subgraphs/credit-assignment/cnab444/return-cnab444.js';
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

/** The fields of a record of a return, by their documented columns. */
export function parseReturn(line: string) {
  return {
    externalId: line.slice(37, 62).trim(),
    occurrence: line.slice(108, 110),
    faceValue: line.slice(126, 139),
    reasons: line.slice(318, 328).trim(),
  };
}
