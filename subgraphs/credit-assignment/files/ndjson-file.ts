import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { brokenRule, type BrokenRule } from '../batches/broken-rule.js';
import { maxLines } from '../batches/check-lines.js';
import { FileErrors } from './file-errors.js';
import type { FileContract, FileLines, FilePayment } from './file-lines.js';
import { decode, inSlices, linesAtOnce, linesOf } from './lines.js';

/** Returns the contracts of an NDJSON file: a contract a line, as in the list of a JSON body. */
export async function readNdjsonContracts(file: string, errors = new FileErrors()): Promise<FileLines<FileContract>> {
  const fields = ['externalId', 'debtorDocument', 'faceValue', 'dueDate'] as const;
  const lines = await inSlices(
    readNdjson(file, { fields }, errors, ({ externalId, ...contract }, line) => ({
      line,
      externalId: identifyingText(externalId),
      ...contract,
    })),
  );
  return { errors, lines, placeAt: (index, field) => ({ line: lines[index]?.line ?? 0, field }) };
}

/** Returns the payments of an NDJSON file, which names contracts by their external ids, as a CSV file does. */
export async function readNdjsonSettlements(file: string, errors = new FileErrors()): Promise<FileLines<FilePayment>> {
  const fields = ['externalId', 'settledAmount', 'settledDate'] as const;
  const lines = await inSlices(
    readNdjson(file, { fields, options: ['paymentReference'] }, errors, (values, line) => ({
      line,
      externalId: identifyingText(values.externalId),
      settledAmount: values.settledAmount,
      settledDate: values.settledDate,
      paymentReference: values.paymentReference === undefined ? null : identifyingText(values.paymentReference),
    })),
  );
  const nameOf = (field?: string) => (field === 'contractId' ? 'externalId' : field);
  return { errors, lines, placeAt: (index, field) => ({ line: lines[index]?.line ?? 0, field: nameOf(field) }) };
}

type Values<Field extends string, Option extends string> = Readonly<Record<Field, string>> &
  Readonly<Partial<Record<Option, string>>>;

/** Reads a file of JSON objects, one a line; blank lines are skipped. Yields every few lines, so that the caller can let other work run. */
function* readNdjson<Field extends string, Line, Option extends string = never>(
  file: string,
  { fields, options = [] }: { readonly fields: readonly Field[]; readonly options?: readonly Option[] },
  errors: FileErrors,
  keep: (values: Values<Field, Option>, line: number) => Line,
): Generator<undefined, Line[]> {
  const kept: Line[] = [];
  let [number, records] = [0, 0];
  for (const { line } of linesOf(decode(file))) {
    number += 1;
    if (number % linesAtOnce === 0) yield;
    if (line.trim() === '') continue;
    records += 1;
    if (records > maxLines) {
      errors.add({ line: number, rule: rules.tooManyRecords });
      break;
    }
    const record = objectOf(line);
    if (typeof record === 'string') {
      errors.add({ line: number, rule: rules[record] });
      continue;
    }
    const known: readonly string[] = [...fields, ...options];
    const wrong = [
      ...fields.flatMap((field) => (textOf(record[field]) === undefined ? { field, rule: rules.value } : [])),
      ...options.flatMap((field) =>
        record[field] != null && textOf(record[field]) === undefined ? { field, rule: rules.value } : [],
      ),
      ...Object.keys(record).flatMap((field) => (known.includes(field) ? [] : { field, rule: rules.unknownField })),
    ];
    for (const error of wrong) errors.add({ line: number, ...error });
    const given = known.flatMap((field) => (record[field] == null ? [] : [[field, textOf(record[field])]]));
    if (wrong.length === 0) kept.push(keep(Object.fromEntries(given) as Values<Field, Option>, number));
  }
  if (records === 0) errors.add({ line: 1, rule: rules.emptyFile });
  return kept;
}

/** Returns the object of a line, or the rule that it breaks. */
function objectOf(line: string): Readonly<Record<string, unknown>> | 'lineLength' | 'notAnObject' | 'repeatedName' {
  if (line.length > maxLineLength) return 'lineLength';
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'notAnObject';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'notAnObject';
  const names = [...line.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)].flatMap(([, name = '', colon]) =>
    colon === undefined ? [] : [JSON.parse(name) as string],
  );
  return new Set(names).size < names.length ? 'repeatedName' : { ...value };
}

/** Returns a value as text; a number only where JSON gives exactly the digits that were sent. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Math.abs(value) < mostExact && /^-?\d+(\.\d+)?$/.test(String(value))
    ? String(value)
    : undefined;
}

/** Below it a number with two decimals has at most the 15 digits that JSON keeps exactly. */
const mostExact = 1e13;

/** Longest line, in characters, as in CSV files. */
const maxLineLength = 10_000;

const rules = {
  emptyFile: brokenRule('FILE_EMPTY', 'is missing: the file is empty', 'falta: o arquivo está vazio'),
  tooManyRecords: brokenRule(
    'TOO_MANY_RECORDS',
    `is one line too many: a file has at most ${maxLines} lines`,
    `é uma linha a mais: um arquivo tem no máximo ${maxLines} linhas`,
  ),
  lineLength: brokenRule(
    'LINE_LENGTH',
    `is longer than ${maxLineLength} characters`,
    `tem mais de ${maxLineLength} caracteres`,
  ),
  notAnObject: brokenRule('NOT_AN_OBJECT', 'is not a JSON object', 'não é um objeto JSON'),
  repeatedName: brokenRule('NAME_REPEATED', 'has the same name twice', 'tem o mesmo nome duas vezes'),
  value: brokenRule(
    'VALUE',
    'must be a text, or a number with at most 15 digits',
    'deve ser um texto, ou um número com até 15 algarismos',
  ),
  unknownField: brokenRule('FIELD_UNKNOWN', 'is no field of this file', 'não é um campo deste arquivo'),
} as const satisfies Record<string, BrokenRule>;
