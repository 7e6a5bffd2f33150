import { splitCells } from '../../../shared/import/read/csv-records.js';
import { delimiterOf, isColumn, namesSeparator } from './csv-file.js';
import type { FileError } from './file-errors.js';
import type { SentFile } from './file-format.js';
import { decode, inSlices, linesAtOnce, linesOf } from './lines.js';

/** Longest value that an error repeats, in characters. */
const maxValue = 80;

/** An error with the value that the file has at its place, cut after 80 characters; null for an error of a whole line. */
export interface FoundError extends FileError {
  readonly value: string | null;
}

/** Returns errors in the order of their lines, each with the value that the file has there. */
export function withFoundValues(file: SentFile, errors: readonly FileError[]): Promise<FoundError[]> {
  return inSlices(findValues(file, inOrder(errors)));
}

function inOrder(errors: readonly FileError[]): FileError[] {
  return errors.toSorted(
    (one, other) => one.line - other.line || (one.columns?.from ?? 0) - (other.columns?.from ?? 0),
  );
}

function* findValues({ format, text }: SentFile, errors: readonly FileError[]): Generator<undefined, FoundError[]> {
  const found: FoundError[] = [];
  let [number, header] = [0, ''];
  for (const { line } of linesOf(decode(text))) {
    number += 1;
    if (number % linesAtOnce === 0) yield;
    if (header === '' && line.trim() !== '' && !namesSeparator(line)) header = line;
    for (let error = errors[found.length]; error?.line === number; error = errors[found.length]) {
      const value = format === 'CSV' ? cellAt(line, header, error) : columnsAt(line, error);
      found.push({ ...error, value: value?.slice(0, maxValue) ?? null });
    }
    if (found.length === errors.length) break;
  }
  // What is missing at the end of a file has no line in it.
  for (const error of errors.slice(found.length)) found.push({ ...error, value: null });
  return found;
}

function columnsAt(line: string, { columns }: FileError): string | undefined {
  return columns && line.slice(columns.from - 1, columns.to).trim();
}

function cellAt(line: string, header: string, { field }: FileError): string | undefined {
  if (field === undefined) return undefined;
  const delimiter = delimiterOf(header);
  const at = splitCells(header, delimiter)?.findIndex((cell) => isColumn(cell, field)) ?? -1;
  return at === -1 ? undefined : splitCells(line, delimiter)?.[at];
}
