import type { Manager } from '../database/manager.js';
import type { ImportDomain } from './domain.js';
import { isImportRule } from '../registry.js';
import { brokenBy, violation } from './import-rules.js';
import { pathOf } from './read/source.js';
import { maxErrorsShown, type ErrorList } from './report.js';
import type { Kind } from './model/kind.js';
import { keyOf, stageOf } from './write/sql.js';

interface Finding {
  readonly file: number;
  readonly line: number;
  readonly path: string;
  readonly field: string;
  readonly rule: string;
  /** The values of the rule. */
  readonly given: Readonly<Record<string, string>>;
  /** The total number of findings of the query, of which only the first are returned. */
  readonly total: string;
}

/** Checks the staged input of a domain as a whole and against existing records. */
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

/**
 * Returns SQL for staged records that share a key with an earlier one.
 * @param found returns the columns of the violation, from SQL of the location of the earlier one
 */
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

/** Returns SQL for the owners that lines name and that do not exist, including those of lines with other errors. */
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

/**
 * Returns the SQL columns of the violation that a name is reserved for a withdrawn record.
 * @param label the singular of its kind: `series`
 * @param name SQL of the name
 * @param act SQL of the id of the act that withdrew it
 */
export function reservedFor(label: string, name: string, act: string): string {
  return violation('NAME_RESERVED', { value: name, label: `'${label}'`, import: act });
}
