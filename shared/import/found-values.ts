import { csvKindsOf, type ImportDomain } from './domain.js';
import { detectDialect } from './read/csv-dialect.js';
import { csvRecords } from './read/csv-records.js';
import type { InputFile } from './read/files.js';
import type { ImportError } from './report.js';
import { fromWindows1252 } from '../kernel/format/windows-1252.js';

export interface PlacedError extends ImportError {
  /** The column of a CSV file, from 1; null in a JSON file, and for an error of a whole line or file. */
  readonly column: number | null;
  /** The value as it is in the CSV file; null where there is none. */
  readonly value: string | null;
}

/** Returns errors with their values, which are read from the files again: errors of a few lines in large files. */
export async function placeErrors(
  files: readonly InputFile[],
  domains: readonly ImportDomain[],
  errors: readonly ImportError[],
): Promise<PlacedError[]> {
  const found = new Map<string, FoundLines>();
  for (const file of files) {
    const lines = new Set(errors.filter((error) => error.file === file.name && error.line > 0).map(({ line }) => line));
    if (file.format === 'csv' && lines.size > 0) found.set(file.name, await linesOf(file, domains, lines));
  }
  return errors.map((error) => {
    const { columns = [], cells } = found.get(error.file) ?? {};
    const at = columns.findIndex((name) => name === error.field);
    return { ...error, column: at < 0 ? null : at + 1, value: at < 0 ? null : (cells?.get(error.line)?.[at] ?? null) };
  });
}

interface FoundLines {
  /** The names of the columns as errors name them. */
  readonly columns: readonly string[];
  readonly cells: ReadonlyMap<number, readonly string[]>;
}

async function linesOf(
  { content }: InputFile,
  domains: readonly ImportDomain[],
  lines: ReadonlySet<number>,
): Promise<FoundLines> {
  const dialect = await detectDialect(content, csvKindsOf(domains), () => undefined);
  const cells = new Map<number, readonly string[]>();
  if (!('kind' in dialect)) return { columns: [], cells };
  const { encoding, delimiter, columns } = dialect;
  for await (const records of csvRecords({ content, encoding, delimiter })) {
    for (const record of records)
      if ('cells' in record && lines.has(record.line))
        cells.set(record.line, encoding === 'utf-8' ? record.cells : record.cells.map(fromWindows1252));
  }
  return { columns: columns.map(({ name }) => name), cells };
}
