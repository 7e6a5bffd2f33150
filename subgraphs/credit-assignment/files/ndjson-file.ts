import { z } from 'zod';
import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { jsonShapeError, parseJson } from '../../../shared/kernel/json.js';
import { brokenRule, type BrokenRule } from '../batches/broken-rule.js';
import { maxLines } from '../batches/check-lines.js';
import { FileErrors } from './file-errors.js';
import type { Installment } from '../credit-batches/check-contracts.js';
import { contractOf, optionalTerms, type FileContract, type FileLines, type FilePayment } from './file-lines.js';
import { decode, inSlices, linesAtOnce, linesOf } from './lines.js';

/** Returns the contracts of an NDJSON file: a contract a line, as in the list of a JSON body. */
export async function readNdjsonContracts(file: string, errors = new FileErrors()): Promise<FileLines<FileContract>> {
  const fields = ['externalId', 'debtorDocument', 'faceValue', 'dueDate'] as const;
  const lines = await inSlices(
    readNdjson(file, { fields, options: optionalTerms, lists: ['installments'] }, errors, (values, line, record) => {
      const installments = installmentsOf(record['installments']);
      return { line, ...contractOf(values), ...(installments == null ? {} : { installments }) };
    }),
  );
  return { errors, lines, placeAt: (index, field) => ({ line: lines[index]?.line ?? 0, field }) };
}

/** Returns the payments of an NDJSON file, which names contracts by their external ids, as a CSV file does. */
export async function readNdjsonSettlements(file: string, errors = new FileErrors()): Promise<FileLines<FilePayment>> {
  const fields = ['externalId', 'settledAmount', 'settledDate'] as const;
  const options = ['paymentReference', 'kind', 'surplus', 'reason', 'substituteId'] as const;
  const lines = await inSlices(
    readNdjson(file, { fields, options }, errors, (values, line) => ({
      line,
      externalId: identifyingText(values.externalId),
      settledAmount: values.settledAmount,
      settledDate: values.settledDate,
      paymentReference: values.paymentReference === undefined ? null : identifyingText(values.paymentReference),
      kind: values.kind,
      surplus: values.surplus,
      reason: values.reason,
      substituteId: values.substituteId,
    })),
  );
  const nameOf = (field?: string) => (field === 'contractId' ? 'externalId' : field);
  return { errors, lines, placeAt: (index, field) => ({ line: lines[index]?.line ?? 0, field: nameOf(field) }) };
}

/** Returns the instalments of a contract; null where it has none, undefined for a value of another form. */
function installmentsOf(value: unknown): readonly Installment[] | null | undefined {
  return value == null ? null : installmentsForm.safeParse(value).data;
}

type Values<Field extends string, Option extends string> = Readonly<Record<Field, string>> &
  Readonly<Partial<Record<Option, string>>>;

/** The names of the values in a line; `lists` are instalments. */
interface NdjsonFields<Field extends string, Option extends string> {
  readonly fields: readonly Field[];
  readonly options?: readonly Option[];
  readonly lists?: readonly 'installments'[];
}

/** Reads a file of JSON objects, one a line; blank lines are skipped. Yields every few lines, so that the caller can let other work run. */
function* readNdjson<Field extends string, Line, Option extends string = never>(
  file: string,
  { fields, options = [], lists = [] }: NdjsonFields<Field, Option>,
  errors: FileErrors,
  keep: (values: Values<Field, Option>, line: number, record: Readonly<Record<string, unknown>>) => Line,
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
        record[field] != null && valueOf(record, field) === undefined ? { field, rule: rules.value } : [],
      ),
      ...lists.flatMap((field) =>
        installmentsOf(record[field]) === undefined ? { field, rule: rules.installments } : [],
      ),
      ...Object.keys(record).flatMap((field) =>
        [...known, ...lists].includes(field) ? [] : { field, rule: rules.unknownField },
      ),
    ];
    for (const error of wrong) errors.add({ line: number, ...error });
    const given = known.flatMap((field) => (record[field] == null ? [] : [[field, valueOf(record, field)]]));
    // The known fields are checked also if there are unknown ones.
    if (wrong.every(({ rule }) => rule === rules.unknownField))
      kept.push(keep(Object.fromEntries(given) as Values<Field, Option>, number, record));
  }
  if (records === 0) errors.add({ line: 1, rule: rules.emptyFile });
  return kept;
}

/** Returns the object of a line, or the rule that it breaks. A number that would be rounded is no value of any field. */
function objectOf(line: string): Readonly<Record<string, unknown>> | 'lineLength' | 'notAnObject' | 'repeatedName' {
  if (line.length > maxLineLength) return 'lineLength';
  let value: unknown;
  try {
    value = parseJson(line, { exactNumbers: true });
  } catch {
    return 'notAnObject';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'notAnObject';
  return jsonShapeError(line, Infinity, Infinity) === undefined ? { ...value } : 'repeatedName';
}

/** Returns a value as text; a number only where JSON gives exactly the digits that were sent. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Math.abs(value) < mostExact && /^-?\d+(\.\d+)?$/.test(String(value))
    ? String(value)
    : undefined;
}

/** Returns a value of a line as text: one of them is a truth value. */
function valueOf(record: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = record[field];
  return field === 'coobligation' && typeof value === 'boolean' ? String(value) : textOf(value);
}

const amount = z.unknown().transform(textOf).pipe(z.string());
const installmentsForm = z.array(
  z.strictObject({ number: z.int(), dueDate: z.string(), principal: amount, interest: amount }),
);

/** Below it a number with two decimals has at most the 15 digits that JSON keeps exactly. */
const mostExact = 1e13;

/** Longest line, in characters: room for all instalments of a contract. */
const maxLineLength = 60_000;

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
  installments: brokenRule(
    'INSTALLMENTS',
    'must be a list of objects with number, dueDate, principal and interest',
    'deve ser uma lista de objetos com number, dueDate, principal e interest',
  ),
  unknownField: brokenRule('FIELD_UNKNOWN', 'is no field of this file', 'não é um campo deste arquivo'),
} as const satisfies Record<string, BrokenRule>;
