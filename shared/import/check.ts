import type { Manager } from '../database/manager.js';
import { type ImportDomain, maxErrorsShown, type ErrorList, csvKindsOf, type ImportError } from './domain.js';
import { isImportRule } from '../registry.js';
import { brokenBy, violation } from './import-rules.js';
import { pathOf } from './read/source.js';
import type { Kind } from './model/kind.js';
import { keyOf, stageOf } from './write/sql.js';
import { detectDialect } from './read/csv-dialect.js';
import { csvRecords } from './read/csv-records.js';
import type { InputFile } from './read/files.js';
import { fromWindows1252 } from '../kernel/format/windows-1252.js';

interface Finding {
  readonly file: number;
  readonly line: number;
  readonly path: string;
  readonly field: string;
  readonly rule: string;
  readonly given: Readonly<Record<string, string>>;
  /** The total number of findings of the query, of which only the first are returned. */
  readonly total: string;
}

export async function checkStaged(manager: Manager, { kinds, checks }: ImportDomain, errors: ErrorList): Promise<void> {
  for (const check of [...kinds.flatMap((kind) => [duplicates(kind), ...unknownOwners(kind)]), ...checks])
    await addFindings(manager, check, errors);
}

/** Runs a query for violations (`checks` of a domain), and adds what it finds to the errors. */
export async function addFindings(
  manager: Manager,
  check: string,
  errors: ErrorList,
  parameters: readonly unknown[] = [],
): Promise<void> {
  const found = await manager.rows<Finding>(
    `SELECT c.*, count(*) OVER () AS total FROM (${check}) c ORDER BY c.file, c.line LIMIT ${maxErrorsShown}`,
    parameters,
  );
  for (const { file, line, path, field, rule, given } of found) {
    if (!isImportRule(rule)) throw new Error(`A check names the rule ${rule}, which is not registered`);
    errors.add(file, line, pathOf({ path }, field), brokenBy(rule, Object.entries(given)));
  }
  errors.addUnshown(Number(found[0]?.total ?? 0) - found.length);
}

/** Returns SQL for the records that the input contains more than once; the later ones are the errors. */
export function duplicates(kind: Kind): string {
  const field = kind.unique ? (kind.key.at(-1) ?? '') : (kind.key[0] ?? '');
  return repeated(kind, keyOf(kind), field, (place) => violation('REPEATS', { label: `'${kind.label}'`, place }));
}

/** SQL for staged records that share a key with an earlier one. @param found the violation's columns, from SQL of the earlier one's location */
export function repeated(kind: Kind, key: readonly string[], field: string, found: (place: string) => string): string {
  return `
    SELECT d.file, d.line, d.path, '${field}' AS field, ${found(`f.name || ':' || d.first_line`)}
    FROM (
      SELECT s.file, s.line, s.path, row_number() OVER records AS nth,
        first_value(s.file) OVER records AS first_file, first_value(s.line) OVER records AS first_line
      FROM ${stageOf(kind)} s
      WINDOW records AS (PARTITION BY ${key.join(', ')} ORDER BY s.file, s.line, s.ctid)
    ) d JOIN import_files f ON f.file = d.first_file
    WHERE d.nth > 1`;
}

/*
 * Dangling references. Only a CSV line can name an owner that does not exist: in JSON a record is nested in its owner. A record that the input contains
 * with errors does not count as missing.
 */

/** Whether a staged row `s` is a line of a CSV file. */
export const inCsv = `s.path = ''`;

/** Whether the input contains no faulty record of that owner and name, both SQL expressions. */
export function notFaulty({ name: kind }: Kind, owner: string, name: string): string {
  return `NOT EXISTS (SELECT FROM import_faulty b WHERE b.kind = '${kind}' AND lower(b.owner) = ${owner} AND lower(b.name) = lower(${name}))`;
}

/** Whether the input contains no faulty record of that owner, an SQL expression. */
export function noneFaulty({ name: kind }: Kind, owner: string): string {
  return `NOT EXISTS (SELECT FROM import_faulty b WHERE b.kind = '${kind}' AND lower(b.owner) = ${owner})`;
}

/** Returns SQL for the owners that lines name and that do not exist, including owners in lines with other errors. */
export function unknownOwners(kind: Kind): string[] {
  const [column] = kind.parent?.columns ?? [];
  if (column?.known === undefined || column.field === undefined) return [];
  const { table, kind: owner } = column.known;
  return [
    `SELECT s.file, s.line, s.path, '${column.field.name}' AS field, ${violation('OWNER_UNKNOWN', { value: 's.owner', label: `'${owner.label}'` })}
    FROM (
      SELECT s.file, s.line, s.path, s.${column.name} AS owner FROM ${stageOf(kind)} s WHERE ${inCsv}
      UNION ALL SELECT file, line, '', owner FROM import_mentions WHERE kind = '${kind.name}'
    ) s
    WHERE lower(s.owner) NOT IN (SELECT ticker FROM ${table}) AND ${notFaulty(owner, `''`, 's.owner')}`,
  ];
}

/** SQL columns of the violation of a withdrawn record's name. @param label its kind's singular @param name SQL of it @param act SQL of the withdrawing act's id */
export function reservedFor(label: string, name: string, act: string): string {
  return violation('NAME_RESERVED', { value: name, label: `'${label}'`, import: act });
}

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
