import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { plainNumber, styleOfNumber } from '../../../shared/import/read/number.js';
import { splitCells, type Delimiter } from '../../../shared/import/read/csv-records.js';
import { maxLines } from '../batches/check-lines.js';
import { FileErrors } from './file-errors.js';
import { contractOf, optionalTerms, type FileContract, type FileLines, type FilePayment } from './file-lines.js';
import { decode, hasReturns, inSlices, lineEnds, linesAtOnce, linesOf } from './lines.js';
import { brokenRule, type BrokenRule } from '../batches/broken-rule.js';

type Cells<Column extends string> = Readonly<Record<Column, string>>;

/** Returns the contracts of a CSV file (docs/contract/credit-assignment.md §5.2). */
export async function readCsvContracts(file: string, errors = new FileErrors()): Promise<FileLines<FileContract>> {
  const columns = ['externalId', 'debtorDocument', 'faceValue', 'dueDate'] as const;
  const lines = await inSlices(
    readCsv(file, { columns, options: optionalTerms }, errors, (cells, line) => ({
      line,
      ...contractOf({
        ...cells,
        faceValue: plainAmount(cells.faceValue),
        dueDate: plainDate(cells.dueDate),
        purchasePrice: plainAmount(cells.purchasePrice),
        interestRate: plainAmount(cells.interestRate),
        baseDate: plainDate(cells.baseDate),
      }),
    })),
  );
  return { errors, lines, placeAt: (index, field) => ({ line: lines[index]?.line ?? 0, field }) };
}

/** Returns the payments of a CSV file (docs/contract/credit-assignment.md §5.2). */
export async function readCsvSettlements(file: string, errors = new FileErrors()): Promise<FileLines<FilePayment>> {
  const columns = ['externalId', 'settledAmount', 'settledDate'] as const;
  const options = ['paymentReference', 'kind', 'surplus', 'reason', 'substituteId'] as const;
  const lines = await inSlices(
    readCsv(file, { columns, options }, errors, (cells, line) => ({
      line,
      externalId: identifyingText(cells.externalId),
      settledAmount: plainAmount(cells.settledAmount),
      settledDate: plainDate(cells.settledDate),
      paymentReference: cells.paymentReference === '' ? null : identifyingText(cells.paymentReference),
      kind: cells.kind === '' ? null : cells.kind,
      surplus: cells.surplus === '' ? null : plainAmount(cells.surplus),
      reason: cells.reason === '' ? null : cells.reason,
      substituteId: cells.substituteId === '' ? null : cells.substituteId,
    })),
  );
  const columnOf = (field?: string) => (field === 'contractId' ? 'externalId' : field);
  return { errors, lines, placeAt: (index, field) => ({ line: lines[index]?.line ?? 0, field: columnOf(field) }) };
}

/** Returns the separator of a file by its header. */
export function delimiterOf(header: string): Delimiter {
  return header.includes(';') ? ';' : ',';
}

/** Whether a line before the header only names the separator, as Excel writes and reads it: `sep=;`. */
export function namesSeparator(line: string): boolean {
  return /^sep=[;,]$/i.test(line.trim());
}

/** Whether a cell of a header names a column, in any case. */
export function isColumn(cell: string, name: string): boolean {
  return cell.toLowerCase() === name.toLowerCase();
}

interface Header<Column extends string> {
  readonly delimiter: Delimiter;
  readonly width: number;
  /** Where each column is; undefined for an optional one that the file does not have. */
  readonly at: ReadonlyMap<Column, number | undefined>;
}

/** Reads RFC 4180 without line breaks in cells; other columns, blank lines and blanks around cells are ignored. Time and memory are linear; yields every few lines. */
function* readCsv<Required extends string, Line, Optional extends string = never>(
  file: string,
  wanted: { readonly columns: readonly Required[]; readonly options?: readonly Optional[] },
  errors: FileErrors,
  keep: (cells: Cells<Required | Optional>, line: number) => Line,
): Generator<undefined, Line[]> {
  const kept: Line[] = [];
  let header: Header<Required | Optional> | undefined;
  let [number, records] = [0, 0];
  for (const { line } of linesOf(decode(file))) {
    number += 1;
    if (number % linesAtOnce === 0) yield;
    // A row of a spreadsheet whose cells were cleared is blank too.
    if (line.replaceAll(header?.delimiter ?? ';', '').trim() === '' || (header === undefined && namesSeparator(line)))
      continue;
    if (hasReturns(line)) {
      errors.add({ line: number, rule: lineEnds });
      return kept;
    }
    if (header === undefined) {
      header = readHeader(line, number, wanted, errors);
      if (header === undefined) return kept;
      continue;
    }
    records += 1;
    if (records > maxLines) {
      errors.add({ line: number, rule: csvRules.tooManyRecords });
      break;
    }
    const cells = readRecord(line, number, header, errors);
    if (cells !== undefined) kept.push(keep(cells, number));
  }
  if (header === undefined) errors.add({ line: 1, rule: csvRules.emptyFile });
  else if (records === 0) errors.add({ line: number, rule: csvRules.onlyHeader });
  return kept;
}

function readHeader<Required extends string, Optional extends string>(
  line: string,
  number: number,
  { columns, options = [] }: { readonly columns: readonly Required[]; readonly options?: readonly Optional[] },
  errors: FileErrors,
): Header<Required | Optional> | undefined {
  const delimiter = delimiterOf(line);
  const cells = cellsOf(line, number, delimiter, errors);
  if (cells === undefined) return undefined;
  const all: readonly (Required | Optional)[] = [...columns, ...options];
  const names = cells.map((cell) => all.find((name) => isColumn(cell, name)) ?? cell);
  const missing = columns.filter((name) => !names.includes(name));
  if (missing.length > 0) errors.add({ line: number, rule: missingColumns(missing) });
  const repeated = all.filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
  for (const name of repeated) errors.add({ line: number, rule: repeatedColumn(name) });
  if (missing.length > 0 || repeated.length > 0) return undefined;
  const at = all.map((name) => [name, names.includes(name) ? names.indexOf(name) : undefined] as const);
  return { delimiter, width: names.length, at: new Map(at) };
}

function readRecord<Column extends string>(
  line: string,
  number: number,
  { delimiter, width, at }: Header<Column>,
  errors: FileErrors,
): Cells<Column> | undefined {
  const cells = cellsOf(line, number, delimiter, errors);
  if (cells === undefined) return undefined;
  if (cells.length !== width) {
    errors.add({ line: number, rule: cellCount(cells.length, width) });
    return undefined;
  }
  const named = [...at].map(([name, place]) => [name, place === undefined ? '' : (cells[place] ?? '')]);
  return Object.fromEntries(named) as Cells<Column>;
}

function cellsOf(line: string, place: number, delimiter: Delimiter, errors: FileErrors): readonly string[] | undefined {
  const rule = line.length > maxLineLength ? csvRules.lineLength : undefined;
  const cells = rule === undefined ? splitCells(line, delimiter) : undefined;
  if (cells === undefined) errors.add({ line: place, rule: rule ?? csvRules.quotes });
  return cells;
}

/** Returns an amount as Brazilian spreadsheets write it with a point; other texts stay as they are, also `1.000`, which means one thing or another. */
function plainAmount(cell: string): string {
  return styleOfNumber(cell) === 'brazilian' ? plainNumber(cell) : cell;
}

/** Returns a day as Brazilian spreadsheets write it, `DD/MM/YYYY`, as `YYYY-MM-DD`; other texts stay as they are. */
function plainDate(cell: string): string {
  const [, day, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(cell) ?? [];
  return day === undefined ? cell : `${year ?? ''}-${month ?? ''}-${day}`;
}

/** Longest line of a CSV file, in characters. */
const maxLineLength = 10_000;

/** The rules of CSV files, as the sender of a file reads them when one is broken. */
const csvRules = {
  emptyFile: brokenRule(
    'FILE_EMPTY',
    'is missing: the file is empty and must have a header and a line for each record',
    'falta: o arquivo está vazio e deve ter um cabeçalho e uma linha para cada registro',
  ),
  onlyHeader: brokenRule(
    'TOO_FEW_RECORDS',
    'is the last line: a file must have at least one line after its header',
    'é a última linha: um arquivo deve ter pelo menos uma linha depois do cabeçalho',
  ),
  tooManyRecords: brokenRule(
    'TOO_MANY_RECORDS',
    `is one line too many: a file has at most ${maxLines} lines after its header`,
    `é uma linha a mais: um arquivo tem no máximo ${maxLines} linhas depois do cabeçalho`,
  ),
  lineLength: brokenRule(
    'LINE_LENGTH',
    `is longer than ${maxLineLength} characters`,
    `tem mais de ${maxLineLength} caracteres`,
  ),
  quotes: brokenRule(
    'QUOTES',
    'has misplaced quotes: a cell that begins with a quote ends with one on the same line, and a quote inside it is written twice',
    'tem aspas fora do lugar: uma célula que começa com aspas termina com aspas na mesma linha, e aspas dentro dela são escritas em dobro',
  ),
} as const satisfies Record<string, BrokenRule>;

function missingColumns(names: readonly string[]): BrokenRule {
  const list = names.join(', ');
  return brokenRule(
    'COLUMNS_MISSING',
    `must be a header, separated by ; or by a comma, with the columns ${list}`,
    `deve ser um cabeçalho, separado por ; ou por vírgula, com as colunas ${list}`,
  );
}

function repeatedColumn(name: string): BrokenRule {
  return brokenRule('COLUMN_REPEATED', `has the column ${name} twice`, `tem a coluna ${name} duas vezes`);
}

function cellCount(actual: number, expected: number): BrokenRule {
  return brokenRule(
    'CELL_COUNT',
    `has ${actual} cells and must have ${expected}, as many as the header`,
    `tem ${actual} células e deve ter ${expected}, tantas quanto o cabeçalho`,
  );
}
