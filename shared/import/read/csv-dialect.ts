import { broken, type BrokenImportRule } from '../import-rules.js';
import type { Kind, Field } from '../model/kind.js';
import { csvRecords, namesSeparator, type CsvRecord, type Delimiter } from './csv-records.js';
import { wholeOf, type FileContent } from './file-content.js';
import { styleOfNumber, type NumberStyle } from './number.js';
import { columnsOf } from '../model/csv-columns.js';

export interface CsvDialect extends CsvHeader {
  readonly encoding: 'utf-8' | 'latin1';
  readonly delimiter: Delimiter;
  readonly numbers: NumberStyle;
}

export interface DialectError {
  readonly line: number;
  readonly field: string;
  readonly error: BrokenImportRule;
}

/** Scans a whole file for its kind and format: one encoding, one delimiter, one style of numbers. Anything ambiguous is an error. */
export async function detectDialect(
  content: FileContent,
  kinds: readonly Kind[],
  onBytes: (count: number) => void,
): Promise<CsvDialect | readonly DialectError[]> {
  const start = await wholeOf(content, 16_384);
  if (start[0] === 0xff || start[0] === 0xfe || start.subarray(0, 200).includes(0)) {
    return [{ line: 0, field: '', error: broken('CSV_ENCODING') }];
  }
  const delimiter = delimiterOf(start.toString('latin1'));
  if (delimiter === undefined) {
    return [{ line: 1, field: '', error: broken('CSV_DELIMITER') }];
  }
  const utf8 = createUtf8Check();
  const onChunk = (chunk: Buffer) => {
    utf8.write(chunk);
    onBytes(chunk.length);
  };
  const evidence = await lookThrough(csvRecords({ content, encoding: 'latin1', delimiter, onChunk }), kinds);
  if ('errors' in evidence) return evidence.errors;
  return { ...evidence, delimiter, encoding: utf8.holds() ? 'utf-8' : 'latin1' };
}

function delimiterOf(start: string): Delimiter | undefined {
  const header = start.trimStart().split(/\r|\n/, 1)[0] ?? '';
  const [semicolons, commas] = [header.includes(';'), header.includes(',')];
  if (semicolons === commas) return undefined;
  return semicolons ? ';' : ',';
}

function createUtf8Check(): { write(chunk: Buffer): void; holds(): boolean } {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let valid = true;
  const attempt = (decode: () => void) => {
    try {
      if (valid) decode();
    } catch {
      valid = false;
    }
  };
  return {
    write: (chunk) => attempt(() => decoder.decode(chunk, { stream: true })),
    holds: () => {
      attempt(() => decoder.decode());
      return valid;
    },
  };
}

type Evidence = (CsvHeader & { numbers: NumberStyle }) | { errors: readonly DialectError[] };

/** Reads the header, then every number of the file. Lines with errors are reported by the actual read. */
async function lookThrough(batches: AsyncGenerator<CsvRecord[]>, kinds: readonly Kind[]): Promise<Evidence> {
  let header: CsvHeader | undefined;
  const seen = new Map<string, Sighting>();
  for await (const records of batches) {
    for (const record of records) {
      if (header !== undefined) {
        if ('cells' in record) noteNumbers(header, record.line, record.cells, seen);
        continue;
      }
      if ('error' in record) return { errors: [{ line: record.line, field: '', error: record.error }] };
      if (namesSeparator(record.cells)) continue;
      const read = readHeader(record.cells, kinds);
      if (!('kind' in read)) return { errors: read.map((error) => ({ line: record.line, ...error })) };
      header = read;
    }
  }
  if (header === undefined) return { errors: [{ line: 0, field: '', error: broken('FILE_EMPTY') }] };
  return decideNumbers(header, seen);
}

interface Sighting {
  readonly line: number;
  readonly field: string;
  readonly text: string;
}

function noteNumbers(
  { columns }: CsvHeader,
  line: number,
  cells: readonly string[],
  seen: Map<string, Sighting>,
): void {
  for (const [at, { name, type }] of columns.entries()) {
    const text = type.form === 'number' ? (cells[at] ?? '') : '';
    // Plain digits are the same in both styles, and most cells are of this kind.
    if (text === '' || /^\d+$/.test(text)) continue;
    const style = styleOfNumber(text);
    if (!seen.has(style)) seen.set(style, { line, field: name, text });
  }
}

function decideNumbers(header: CsvHeader, seen: ReadonlyMap<string, Sighting>): Evidence {
  const [plain, brazilian, either] = [seen.get('plain'), seen.get('brazilian'), seen.get('either')];
  if (plain !== undefined && brazilian !== undefined) {
    const [first, later] = plain.line < brazilian.line ? [plain, brazilian] : [brazilian, plain];
    const error = broken('NUMBER_STYLES', {
      value: later.text,
      field: first.field,
      line: first.line,
      other: first.text,
    });
    return { errors: [{ line: later.line, field: later.field, error }] };
  }
  if (plain === undefined && brazilian === undefined && either !== undefined) {
    const { line, field, text } = either;
    const error = broken('NUMBER_STYLE', { value: text, whole: text.replace('.', '') });
    return { errors: [{ line, field, error }] };
  }
  return { ...header, numbers: brazilian === undefined ? 'plain' : 'brazilian' };
}

interface CsvHeader {
  readonly kind: Kind;
  readonly columns: readonly Field[];
}

export interface HeaderError {
  readonly field: string;
  readonly error: BrokenImportRule;
}

/** Identifies a file by its header: the kind that shares the most columns with it, provided that all its required ones are present. */
function readHeader(names: readonly string[], kinds: readonly Kind[]): CsvHeader | readonly HeaderError[] {
  const kind = closestKind(names, kinds);
  if (kind === undefined) {
    const known = kinds.map((one) => one.name).join(', ');
    return [{ field: '', error: broken('CSV_HEADER', { known }) }];
  }
  const known = columnsOf(kind);
  const columns = names.map((name) => known.find((column) => isNamed(column, name)));
  const errors = names.flatMap((name, at): HeaderError[] => {
    const column = columns[at];
    if (column === undefined) return [{ field: name, error: broken('CSV_COLUMN', { kind: kind.name }) }];
    return columns.indexOf(column) === at ? [] : [{ field: name, error: broken('CSV_COLUMN_TWICE') }];
  });
  const missing = known.filter((column) => column.required && !columns.includes(column));
  const all = [
    ...errors,
    ...missing.map(({ name }) => ({ field: name, error: broken('CSV_COLUMN_MISSING', { kind: kind.name }) })),
  ];
  return all.length > 0 ? all : { kind, columns: columns.filter((column) => column !== undefined) };
}

/** Returns the kind with the most columns in common, then with the fewest missing; at least half of the header must be known. */
function closestKind(names: readonly string[], kinds: readonly Kind[]): Kind | undefined {
  const scored = kinds.map((kind) => {
    const columns = columnsOf(kind);
    const shared = columns.filter((column) => names.some((name) => isNamed(column, name)));
    const missing = columns.filter((column) => column.required && !shared.includes(column));
    return { kind, shared: shared.length, missing: missing.length };
  });
  const [best] = scored.sort((one, other) => other.shared - one.shared || one.missing - other.missing);
  return best !== undefined && best.shared >= 2 && best.shared * 2 >= names.length ? best.kind : undefined;
}

function isNamed(column: Field, name: string): boolean {
  return column.name.toLowerCase() === name.toLowerCase();
}
