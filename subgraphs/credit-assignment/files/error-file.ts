import { csvLine } from '../../../shared/kernel/format/csv-line.js';
import { splitCells } from '../../../shared/import/read/csv-records.js';
import { delimiterOf, namesSeparator } from './csv-file.js';
import { placeText, placeTextPt, type FileError } from './file-errors.js';
import type { SentFile } from './file-format.js';
import { decode, inSlices, linesAtOnce, linesOf } from './lines.js';

export type ErrorLanguage = 'EN' | 'PT_BR';

export function messageIn(error: Readonly<Record<'message' | 'messagePt', string>>, language: ErrorLanguage): string {
  return language === 'EN' ? error.message : error.messagePt;
}

const words = {
  EN: { errors: 'errors', line: 'line', record: 'record' },
  PT_BR: { errors: 'erros', line: 'linha', record: 'registro' },
} as const;

/**
 * Returns a file with a further column for the errors of each line, as CSV: a CSV file with its own columns and separator; a file of fixed columns, which has
 * no room for another, as number of the line, the line, and its errors. A cell that a spreadsheet would read as a formula gets a leading apostrophe.
 * @param errors in the order of their lines
 */
export function errorFile(file: SentFile, errors: readonly FileError[], language: ErrorLanguage): Promise<string> {
  return inSlices(
    file.format === 'CSV' ? addColumn(file.text, errors, language) : listLines(file.text, errors, language),
  );
}

function* addColumn(text: string, errors: readonly FileError[], language: ErrorLanguage): Generator<undefined, string> {
  const cell = errorCells(errors, language);
  const lines: string[] = [];
  let [number, header] = [0, ''];
  for (const { line } of linesOf(decode(text))) {
    number += 1;
    if (number % linesAtOnce === 0) yield;
    if (line.trim() === '' || (header === '' && namesSeparator(line))) continue;
    const isHeader = header === '';
    if (isHeader) header = line;
    const delimiter = delimiterOf(header);
    const own = splitCells(line, delimiter) ?? [line];
    const wrong = cell(number);
    lines.push(csvLine([...own, isHeader && wrong === '' ? words[language].errors : wrong], delimiter));
  }
  return lines.join('');
}

function* listLines(text: string, errors: readonly FileError[], language: ErrorLanguage): Generator<undefined, string> {
  const cell = errorCells(errors, language);
  const { line: number, record, errors: column } = words[language];
  const lines = [csvLine([number, record, column], ';')];
  let count = 0;
  for (const { line } of linesOf(decode(text))) {
    count += 1;
    if (count % linesAtOnce === 0) yield;
    lines.push(csvLine([String(count), line, cell(count)], ';'));
  }
  return lines.join('');
}

/** Returns a function that formats the errors of a line, for lines in their order. */
function errorCells(errors: readonly FileError[], language: ErrorLanguage): (line: number) => string {
  let next = 0;
  return (line) => {
    const texts: string[] = [];
    for (let error = errors[next]; error !== undefined && error.line <= line; error = errors[next]) {
      texts.push(sentence(error, language));
      next += 1;
    }
    return texts.join(' | ');
  };
}

function sentence({ rule, ...place }: FileError, language: ErrorLanguage): string {
  // The line is the one that the cell stands in.
  const where = (language === 'EN' ? placeText(place) : placeTextPt(place)).replace(/^\S+ \d+(, )?/, '');
  const field = place.columns === undefined || place.field === undefined ? '' : ` (${place.field})`;
  return `${where}${field} ${messageIn(rule, language)}`.trim();
}
