import type { Manager } from './manager.js';

/** Whether a table is not a partition: which partitions exist depends on the day. */
const whole = (table: string) => `(SELECT NOT relispartition FROM pg_class WHERE oid = ${table})`;

const columns = `
  SELECT table_schema AS schema, table_name AS "table",
         column_name || ' ' || data_type
           || CASE WHEN numeric_precision IS NOT NULL AND data_type = 'numeric' THEN '(' || numeric_precision || ',' || numeric_scale || ')' ELSE '' END
           || CASE WHEN is_nullable = 'NO' THEN ' NOT NULL' ELSE '' END
           || CASE WHEN is_identity = 'YES' THEN ' IDENTITY' WHEN column_default IS NOT NULL THEN ' DEFAULT ' || column_default ELSE '' END AS line
  FROM information_schema.columns WHERE table_schema = ANY ($1) AND ${whole("format('%I.%I', table_schema, table_name)::regclass")}
  ORDER BY 1, 2, ordinal_position`;

const constraints = `
  SELECT connamespace::regnamespace::text AS schema, conrelid::regclass::text AS "table", conname || ' ' || pg_get_constraintdef(oid) AS line
  FROM pg_constraint WHERE connamespace = ANY ($1::regnamespace[]) AND conrelid <> 0 AND contype <> 'n' AND ${whole('conrelid')}
  ORDER BY 1, 2, conname`;

/** Those of constraints are named with these. */
const indexes = `
  SELECT schemaname AS schema, tablename AS "table", indexdef AS line FROM pg_indexes
  WHERE schemaname = ANY ($1) AND ${whole("format('%I.%I', schemaname, tablename)::regclass")}
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE contype IN ('p', 'u', 'x') AND conindid = format('%I.%I', schemaname, indexname)::regclass)
  ORDER BY 1, 2, indexname`;

/** Functions by signature, with a digest of their text, which is in the migrations. */
const routines = `
  SELECT pronamespace::regnamespace::text AS schema, proname AS "table",
         p.oid::regprocedure || ' RETURNS ' || pg_get_function_result(p.oid) || ', ' || lanname || ' ' || md5(pg_get_functiondef(p.oid)) AS line
  FROM pg_proc p JOIN pg_language l ON l.oid = prolang WHERE pronamespace = ANY ($1::regnamespace[]) ORDER BY 1, 2, p.oid::regprocedure::text`;

const triggers = `
  SELECT tgrelid::regclass::text AS "table", pg_get_triggerdef(oid) AS line FROM pg_trigger
  WHERE NOT tgisinternal AND ${whole('tgrelid')} ORDER BY 1, tgname`;

interface Row {
  readonly schema: string;
  readonly table: string;
  readonly line: string;
}

/**
 * Describes the database schemas as text: tables with columns, constraints, indexes and triggers, then functions. The text is committed, so that a
 * review of a migration shows its effect on the whole.
 */
export async function describeDatabase(manager: Manager, schemas: readonly string[]): Promise<string> {
  const read = (query: string): Promise<Row[]> => manager.rows(query, [schemas]);
  const tables = new Map<string, string[]>();
  const add = (title: string, line: string) => tables.set(title, [...(tables.get(title) ?? []), `  ${line}`]);
  for (const { schema, table, line } of await read(columns)) add(`${schema}.${table}`, line);
  for (const { table, line } of await read(constraints)) add(table, line);
  for (const { schema, table, line } of await read(indexes)) add(`${schema}.${table}`, line);
  const triggerRows = await manager.rows<Row>(triggers);
  for (const { table, line } of triggerRows) add(table, line);
  for (const { line } of await read(routines)) add('functions', line);
  return [...tables].map(([title, lines]) => `${title}\n${lines.join('\n')}`).join('\n\n') + '\n';
}
