import type { Field, Kind } from '../model/kind.js';
import { keptFields, keyFields, ownerColumns } from './sql.js';

/* SQL for rows of a kind's table, or of its versions, in the form of the input: parents by name, and fields as texts. */

export function identityOf(kind: Kind): readonly string[] {
  if (kind.hasId) return ['id'];
  return [...ownerColumns(kind), ...keyFields(kind).map(({ column }) => column)];
}

/** Returns the names of the parents of the row `row`, as SQL expressions in the order of its owner columns, with their joins. */
export function ownersOf(kind: Kind, row: string): { readonly names: readonly string[]; readonly joins: string } {
  const parent = kind.parent?.kind;
  const [reference] = kind.source.owner.at(-1) ?? [];
  if (parent === undefined || reference === undefined) return { names: [], joins: '' };
  const above = `${row}_up`;
  const join = `LEFT JOIN LATERAL (${rowOf(parent, `${row}.${reference}`)}) ${above} ON true`;
  const own = keyFields(parent).map(({ column }) => `${above}.${column}`);
  if (parent.unique) return { names: own, joins: join };
  const upper = ownersOf(parent, above);
  return { names: [...upper.names, ...own], joins: `${join} ${upper.joins}` };
}

/** Selects the row of a table by its id, or its last version if it no longer exists. */
function rowOf(kind: Kind, id: string): string {
  const { table, recorded } = kind;
  const columns = [...ownerColumns(kind), ...keptFields(kind).map(({ column }) => column)];
  const current = `SELECT ${columns.join(', ')} FROM ${table} WHERE id = ${id}`;
  if (!recorded) return current;
  return `SELECT * FROM (${current} UNION ALL
    (SELECT ${columns.join(', ')} FROM ${table}_versions WHERE id = ${id} ORDER BY superseded_at DESC LIMIT 1)) either LIMIT 1`;
}

/** Returns a field of the row `row` in the form of the staging table: a reference is the name of its target. */
export function stagedValue({ column, refersTo }: Field, row: string): string {
  if (refersTo === undefined) return `${row}.${column}`;
  const { table, versions } = refersTo;
  const current = `(SELECT ticker FROM ${table} WHERE id = ${row}.${column})`;
  if (versions === undefined) return current;
  return `coalesce(${current}, (SELECT ticker FROM ${versions} WHERE id = ${row}.${column} ORDER BY superseded_at DESC LIMIT 1))`;
}

/** Returns a field of the row `row` as the text, or the JSON list, of the input. */
function textValue(field: Field, row: string): string {
  const value = stagedValue(field, row);
  if (field.type.form === 'list') return `to_jsonb(${value})`;
  if (field.type.form === 'month') return `to_jsonb(to_char(${value}, 'YYYY-MM'))`;
  // To the microsecond, as a moment may be given; without digits after the milliseconds if these are zero.
  if (field.type.sql === 'timestamptz')
    return `to_jsonb(regexp_replace(to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), '000Z$', 'Z'))`;
  return `to_jsonb((${value})::text)`;
}

/** Returns the fields of the row `row` by their names in the input, as one JSON object of texts. */
export function fieldsOf(kind: Kind, row: string): string {
  const pairs = keptFields(kind).map((field) => `('${field.name}', ${textValue(field, row)})`);
  return `(SELECT jsonb_object_agg(name, value) FROM (VALUES ${pairs.join(', ')}) AS field (name, value))`;
}

/** Returns the columns of a staging table from the row `o`, in order. */
export function stagedForm(kind: Kind): string {
  return [
    // No line of a file to refer to.
    'NULL::integer',
    'NULL::integer',
    `''`,
    kind.ordered ? 'o.position' : '0',
    ...(kind.hasId ? ['o.id'] : []),
    ...ownersOf(kind, 'o').names,
    ...keptFields(kind).map((field) => stagedValue(field, 'o')),
    ...kind.derived.map(({ column }) => `o.${column}`),
  ].join(', ');
}
