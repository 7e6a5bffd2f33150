import type { Kind } from '../model/kind.js';
import { keptFields, keyFields, ownerColumns, stagedColumn, stageOf } from './sql.js';

/* SQL that finds the row `t` of a kind's table that is the staged record `x`. */

/** Selects the staged records with the columns of the table: owners and references by their ids. */
export function stagedRecords(kind: Kind): string {
  const { owner, join, affected } = kind.source;
  const fields = keptFields(kind);
  const columns = [
    ...(kind.hasId ? ['s.id'] : []),
    ...owner.map(([column, from]) => `${from} AS ${column}`),
    ...(kind.ordered ? ['s.position'] : []),
    ...fields.map((field) =>
      field.refersTo === undefined ? `s.${stagedColumn(field)}` : `${field.refersTo.staged}_of.id AS ${field.column}`,
    ),
    ...kind.derived.map(({ column }) => `s.${column}`),
    `${affected} AS affected`,
    ...(kind.recorded ? ['s.file AS source_file', 's.line AS source_line'] : []),
  ];
  const joins = fields
    .flatMap(({ refersTo }) => refersTo ?? [])
    .map(({ staged, known }) => `LEFT JOIN ${known} ${staged}_of ON ${staged}_of.ticker = lower(s.${staged})`);
  return `SELECT ${columns.join(', ')} FROM ${stageOf(kind)} s ${join} ${joins.join(' ')}`;
}

/** Selects the rows that records are compared with; of a versioned kind only the last version. */
export function existingRows(kind: Kind): string {
  if (kind.among !== undefined) return `(SELECT * FROM ${kind.table} WHERE ${kind.among})`;
  if (!kind.versioned) return kind.table;
  const key = keyColumns(kind).join(', ');
  return `(SELECT DISTINCT ON (${key}) * FROM ${kind.table} ORDER BY ${key}, version DESC)`;
}

/** Returns the columns that identify a record in the table. */
export function keyColumns(kind: Kind): readonly string[] {
  const own = keyFields(kind).map(({ column }) => column);
  return kind.unique ? own : [...ownerColumns(kind), ...own];
}

/** Returns the condition that the row `t` is the record `x`. */
export function isSame(kind: Kind): string {
  const references = new Set(kind.fields.filter(({ refersTo }) => refersTo !== undefined).map(({ column }) => column));
  return keyColumns(kind)
    .map((column) => {
      if (references.has(column)) return `t.${column} IS NOT DISTINCT FROM x.${column}`;
      return ignoresCase(kind, column) ? `lower(t.${column}) = lower(x.${column})` : `t.${column} = x.${column}`;
    })
    .join(' AND ');
}

/** Returns the target of `ON CONFLICT`: the unique index over the key. */
export function conflictTarget(kind: Kind): string {
  const columns = keyColumns(kind).map((column) => (ignoresCase(kind, column) ? `lower(${column})` : column));
  return `(${columns.join(', ')}) ${kind.among === undefined ? '' : `WHERE ${kind.among}`}`;
}

function ignoresCase({ unique, fields }: Kind, column: string): boolean {
  return unique && fields.some((field) => field.column === column && field.type.sql === 'text');
}
