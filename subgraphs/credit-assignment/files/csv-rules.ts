import { brokenRule, type BrokenRule } from '../batches/broken-rule.js';
import { maxLines } from '../batches/check-lines.js';

/** Longest line of a CSV file, in characters. */
export const maxLineLength = 10_000;

/** The rules of CSV files, as the sender of a file reads them when one is broken. */
export const csvRules = {
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

export function missingColumns(names: readonly string[]): BrokenRule {
  const list = names.join(', ');
  return brokenRule(
    'COLUMNS_MISSING',
    `must be a header, separated by ; or by a comma, with the columns ${list}`,
    `deve ser um cabeçalho, separado por ; ou por vírgula, com as colunas ${list}`,
  );
}

export function repeatedColumn(name: string): BrokenRule {
  return brokenRule('COLUMN_REPEATED', `has the column ${name} twice`, `tem a coluna ${name} duas vezes`);
}

export function cellCount(actual: number, expected: number): BrokenRule {
  return brokenRule(
    'CELL_COUNT',
    `has ${actual} cells and must have ${expected}, as many as the header`,
    `tem ${actual} células e deve ter ${expected}, tantas quanto o cabeçalho`,
  );
}
