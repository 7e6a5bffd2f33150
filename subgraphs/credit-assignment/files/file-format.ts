import { readContracts, readSettlements } from '../cnab444/read-batch.js';
import { readCsvContracts, readCsvSettlements } from './csv-file.js';
import { readNdjsonContracts, readNdjsonSettlements } from './ndjson-file.js';
import type { FileErrors } from './file-errors.js';
import type { FileContract, FileLines, FilePayment } from './file-lines.js';

export type FileFormat = 'CNAB444' | 'CSV' | 'NDJSON';

export interface SentFile {
  readonly format: FileFormat;
  readonly text: string;
  /** File name, as the sender gave it. */
  readonly name?: string | null;
}

interface FormatReader {
  readContracts(text: string, errors?: FileErrors): Promise<FileLines<FileContract>>;
  readSettlements(text: string, errors?: FileErrors): Promise<FileLines<FilePayment>>;
}

const readers: Readonly<Record<FileFormat, FormatReader>> = {
  CNAB444: { readContracts, readSettlements },
  CSV: { readContracts: readCsvContracts, readSettlements: readCsvSettlements },
  NDJSON: { readContracts: readNdjsonContracts, readSettlements: readNdjsonSettlements },
};

/** Returns the contracts of an assignment file, and what is wrong with its form. */
export function contractsOf({ format, text }: SentFile, errors?: FileErrors): Promise<FileLines<FileContract>> {
  return readers[format].readContracts(text, errors);
}

export function paymentsOf({ format, text }: SentFile, errors?: FileErrors): Promise<FileLines<FilePayment>> {
  return readers[format].readSettlements(text, errors);
}
