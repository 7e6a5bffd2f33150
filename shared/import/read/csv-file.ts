import { fromWindows1252 } from '../../kernel/format/windows-1252.js';
import { csvKindsOf } from '../domain.js';
import { broken, type BrokenImportRule } from '../import-rules.js';
import { parentColumns } from '../model/csv-columns.js';
import type { Field } from '../model/kind.js';
import { readRecord } from '../model/read-record.js';
import { isMisread, type ValueType } from '../model/value.js';
import { detectDialect, type CsvDialect } from './csv-dialect.js';
import { csvRecords, namesSeparator } from './csv-records.js';
import type { FileContent } from './file-content.js';
import { plainNumber } from './number.js';
import type { Intake } from './source.js';
import { isDay } from '../model/date-values.js';

export async function readCsvFile(
  content: FileContent,
  file: number,
  intake: Intake,
  onBytes: (count: number) => void,
): Promise<void> {
  const dialect = await detectDialect(content, csvKindsOf(intake.domains), (count) => onBytes(count / 2));
  if (!('kind' in dialect)) {
    for (const { line, field, error } of dialect) intake.errors.add(file, line, field, error);
    return;
  }
  const { encoding, delimiter } = dialect;
  const onChunk = (chunk: Buffer) => {
    onBytes(chunk.length / 2);
  };
  const read = createLineReader(dialect, file, intake);
  let headerRead = false;
  for await (const records of csvRecords({ content, encoding, delimiter, onChunk })) {
    for (const record of records) {
      if (!headerRead) headerRead = !('cells' in record && namesSeparator(record.cells));
      else if ('error' in record) intake.errors.add(file, record.line, '', record.error);
      else await read(record.line, record.cells);
    }
  }
}

function createLineReader(dialect: CsvDialect, file: number, intake: Intake) {
  const { kind, columns } = dialect;
  const places = new Map(columns.map((column, at) => [column.name, at]));
  const parents = parentColumns(kind);
  return (line: number, cells: readonly string[]): Promise<void> | undefined => {
    const texts = cells.map((cell) => (dialect.encoding === 'utf-8' ? cell : fromWindows1252(cell)));
    if (texts.every((text) => text === '')) return undefined;
    if (texts.length !== columns.length) {
      const sizes = { count: texts.length, columns: columns.length };
      intake.errors.add(file, line, '', broken('CSV_CELLS', sizes));
      return undefined;
    }
    const given = ({ name, type }: Field): string | null => {
      const text = texts[places.get(name) ?? -1] ?? '';
      return text === '' ? null : plainText(text, type, dialect);
    };
    const report = (field: string, error: BrokenImportRule) => {
      intake.errors.add(file, line, field, error);
    };
    const owner = readOwner(parents, given, report);
    const { values, errors } = readRecord(kind, given, intake.day);
    for (const { field, error } of errors) report(field, error);
    if (owner === undefined) return undefined;
    const place = { file, line, path: '' };
    if (errors.length > 0) {
      intake.mention(kind, place, owner[0] ?? '');
      if (kind.referredTo) intake.noteFaulty(kind, owner.join(), values[kind.key.at(-1) ?? ''] ?? '');
      return undefined;
    }
    return intake.add(kind, { place, owner, values, position: 0 });
  };
}

/** Reads the parents of a line; undefined if they are missing or invalid. */
function readOwner(
  parents: readonly Field[],
  given: (field: Field) => string | null,
  report: (field: string, error: BrokenImportRule) => void,
): readonly string[] | undefined {
  const owner = parents.map((parent) => {
    const text = given(parent);
    const read = text === null ? { error: broken('FIELD_REQUIRED') } : parent.type.read(text);
    if (!isMisread(read)) return read;
    report(parent.name, read.error);
    return undefined;
  });
  return owner.every((text) => text !== undefined) ? owner : undefined;
}

function plainText(text: string, { form }: ValueType, { numbers }: CsvDialect): string {
  if (form === 'number') return numbers === 'brazilian' ? plainNumber(text) : text;
  return form === 'date' || form === 'month' ? plainDate(text) : text;
}

const brazilianDay = /^(\d{2})\/(\d{2})\/(\d{4})$/;
const brazilianMonth = /^(\d{2})\/(\d{4})$/;

/** Converts `31/12/2026` to `2026-12-31`, and `12/2026` to `2026-12`; the day comes before the month. Returns anything else unchanged. */
export function plainDate(text: string): string {
  const day = text.replace(brazilianDay, '$3-$2-$1');
  if (isDay(day)) return day;
  const month = text.replace(brazilianMonth, '$2-$1');
  return isDay(`${month}-01`) ? month : text;
}
