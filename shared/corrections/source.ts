import type { Kind } from '../import/model/kind.js';
import { fieldsOf, identityOf } from '../import/write/read-back.js';
import { keptFields } from '../import/write/sql.js';

/** Fields whose change is no correction, where a condition holds. */
export interface RoutineRule {
  /** Names in the input. */
  readonly fields: readonly string[];
  /** SQL over `o`, the row as it was, and `n`, the row that took its place; always where omitted. */
  readonly when?: string;
}

/**
 * Which rows `r` of the table can belong to what is asked for, for each thing that can be: SQL that is given a placeholder of its id.
 * It looks at the row alone, or costs as little; what it cannot say, `where` says. Undefined where it can say nothing.
 */
export type Scope = readonly (((id: string) => string) | undefined)[];

/** Where corrections of one kind of fact are found. SQL is over `o`, the row that was superseded, and what `joins` adds. */
export interface CorrectionSource {
  readonly kind: Kind;
  /** How the graph calls the kind; the name of the kind where omitted. */
  readonly name?: string;
  readonly scope: Scope;
  /** Joins that lead to what it belongs to, and to whether that is public. */
  readonly joins: string;
  /** Whether `o` had been published, and belongs to what is asked for (`$1` and so on). */
  readonly where: string;
  /** The ticker of what it belongs to; NULL for what belongs to nothing. */
  readonly subject: string;
  /** What people know the record by. */
  readonly record: string;
  /** The day that it is about; NULL where it is about none. */
  readonly date: string;
  readonly routine: readonly RoutineRule[];
  /** Fields that are never published, by their names in the input. */
  readonly hidden?: readonly string[];
  /** Whether a field without a value says something too, so that its first value is a correction. */
  readonly nullIsPublished?: boolean;
}

const keyTypes = ['uuid', 'date', 'integer', 'text'] as const;

/** A column of a key, and its type. */
export interface KeyColumn {
  readonly column: string;
  readonly type: (typeof keyTypes)[number];
}

/** Rows of which some are corrections, in the order of an index: by the moment, then by the key. */
export interface Candidates {
  readonly table: string;
  /** The column with the moment. */
  readonly at: string;
  readonly key: readonly KeyColumn[];
  /** SQL over a row: the condition of the index. */
  readonly condition: (row: string) => string;
  readonly scope: Scope;
}

/** How corrections of one kind are read. */
export interface CorrectionReading {
  /** As the graph calls it. */
  readonly kind: string;
  readonly candidates: Candidates;
  /**
   * SELECT of those that are corrections, among all candidates, or among those that `from` leads to.
   * @param from an item of FROM with the alias `o`, or `n` of a table whose rows are versions
   */
  readonly select: (from?: string) => string;
  /** The alias of `from`. */
  readonly row: 'o' | 'n';
}

/**
 * The changes of a kind that acts made to what had been published, each with the fields that are another. What the program does by
 * itself is no correction, nor is a field that had no value and gets one.
 */
export function correctionsOf(source: CorrectionSource): CorrectionReading {
  const { kind, joins, where, subject, record, date, scope, name = kind.name, nullIsPublished = false } = source;
  const key = identityOf(kind);
  const keyColumns = key.map((column) => ({ column, type: typeOf(kind, column) }));
  const table = `${kind.table}_versions`;
  const columns = [...new Set([...key, ...keptFields(kind).map(({ column }) => column)])].join(', ');
  const recorded = `${columns}, source_file, source_line`;
  const same = key.map((column) => `${column} = o.${column}`).join(' AND ');
  const condition = (row: string) => `${row}.superseded_by IS NOT NULL AND ${row}.recorded_at < ${row}.superseded_at`;
  const select = (from = `${table} o`) => `
    SELECT '${name}' AS kind, (${subject})::text AS subject, ${isName(kind) ? `(${record})` : `(CASE WHEN NOT o.voided THEN ${record} END)`}::text AS record, (${date})::text AS date,
      o.superseded_at AS at, o.superseded_by AS act, n.source_file AS file, n.source_line AS line,
      ${keyText(keyColumns, 'o')} AS key, CASE WHEN o.voided THEN '{}' ELSE ${shownFields(source, 'o')} END AS before,
      CASE WHEN n.source_row THEN ${shownFields(source, 'n')} END AS after
    FROM ${from} ${joins}
    LEFT JOIN LATERAL (
      SELECT true AS source_row, ${recorded} FROM ${kind.table} WHERE ${same} AND recorded_at <= o.superseded_at
      UNION ALL SELECT true, ${recorded} FROM ${table}
      WHERE ${same} AND recorded_at <= o.superseded_at AND superseded_at > o.superseded_at) n ON true
    WHERE ${condition('o')} AND ${where} AND (o.voided OR n.source_row IS NULL OR ${anyDiffers(source)})`;
  return {
    kind: name,
    candidates: { table, at: 'superseded_at', key: keyColumns, condition, scope },
    select: (from) => selectChanged(select(from), nullIsPublished),
    row: 'o',
  };
}

/** Where rows stand for ever and each version is a row: the table, its key without the version, and the fields that are shown. */
export interface VersionedSource extends Pick<
  CorrectionSource,
  'joins' | 'where' | 'subject' | 'record' | 'date' | 'scope'
> {
  readonly name: string;
  readonly table: string;
  readonly key: readonly KeyColumn[];
  /** The column with the moment of a version. */
  readonly recordedAt: string;
  /** Columns by the names of the graph. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether a version remembers its line of an import. */
  readonly hasSource: boolean;
}

/** The same where a correction is a row with the next version. Here `n` is that row, and `o` the version before. */
export function versionCorrectionsOf(source: VersionedSource): CorrectionReading {
  const { name, table, key, recordedAt, fields, joins, where, subject, record, date, hasSource, scope } = source;
  const same = key.map(({ column }) => `o.${column} = n.${column}`).join(' AND ');
  const keyColumns: readonly KeyColumn[] = [...key, { column: 'version', type: 'integer' }];
  const shown = (row: string) =>
    `jsonb_build_object(${Object.entries(fields)
      .map(([field, column]) => `'${field}', ${row}.${column}::text`)
      .join(', ')})`;
  const condition = (row: string) => `${row}.version > 1`;
  const select = (from = `${table} n`) => `
    SELECT '${name}' AS kind, (${subject})::text AS subject, (${record})::text AS record, (${date})::text AS date, n.${recordedAt} AS at,
      n.recorded_by AS act, ${hasSource ? 'n.source_file' : 'NULL::integer'} AS file, ${hasSource ? 'n.source_line' : 'NULL::integer'} AS line,
      ${keyText(keyColumns, 'n')} AS key, ${shown('o')} AS before, ${shown('n')} AS after
    FROM ${from} JOIN ${table} o ON ${same} AND o.version = n.version - 1 ${joins}
    WHERE ${condition('n')} AND ${where}`;
  return {
    kind: name,
    candidates: { table, at: recordedAt, key: keyColumns, condition, scope },
    select: (from) => selectChanged(select(from), false),
    row: 'n',
  };
}

function selectChanged(changes: string, nullIsPublished: boolean): string {
  const hadValue = nullIsPublished ? '' : `field.value <> 'null'::jsonb AND `;
  return `SELECT * FROM (${changes}) AS change WHERE EXISTS (SELECT FROM jsonb_each(before) AS field
    WHERE ${hadValue}field.value IS DISTINCT FROM after -> field.key) OR (before = '{}' AND after IS NULL)`;
}

/** The key of a row, as a list of texts. */
export function keyText(key: readonly KeyColumn[], row: string): string {
  return `ARRAY[${key.map(({ column }) => `${row}.${column}::text`).join(', ')}]`;
}

/** The type of a column of the key: an id, and a reference, is a UUID; a field says its own. */
function typeOf({ name, fields }: Kind, column: string): KeyColumn['type'] {
  const own = fields.find((field) => field.column === column);
  const sql = own === undefined || own.refersTo !== undefined ? 'uuid' : own.type.sql;
  const type = keyTypes.find((known) => known === sql);
  if (type === undefined)
    throw new Error(`${name}.${column} is ${sql}: a key of corrections is one of ${keyTypes.join(', ')}`);
  return type;
}

/** Whether people know a record by a ticker, a day or a number: what was voided is told of by nothing else. */
function isName({ unique, hasId }: Kind): boolean {
  return unique || !hasId;
}

/** Whether the column of any field that is shown is another. What is shown of a row takes twenty times as long as to find out that nothing is. */
function anyDiffers({ kind, routine, hidden = [] }: CorrectionSource): string {
  const shown = keptFields(kind).filter(({ name }) => !hidden.includes(name));
  const conditions = shown.map(({ name, column }) => {
    const rules = routine.filter(({ fields }) => fields.includes(name));
    const isRoutine = rules.map(({ when = 'true' }) => ` AND (${when}) IS NOT TRUE`);
    return `(o.${column} IS DISTINCT FROM n.${column}${isRoutine.join('')})`;
  });
  return `(${conditions.join(' OR ')})`;
}

function shownFields({ kind, routine, hidden = [] }: CorrectionSource, row: 'o' | 'n'): string {
  const never = [...hidden, ...routine.filter(({ when }) => when === undefined).flatMap(({ fields }) => fields)];
  const sometimes = routine.flatMap(({ fields, when }) =>
    when === undefined ? [] : [`- CASE WHEN ${when} THEN ${textArray(fields)} ELSE '{}' END`],
  );
  return [fieldsOf(kind, row), `- ${textArray(never)}`, ...sometimes].join(' ');
}

function textArray(names: readonly string[]): string {
  return `'{${names.map((name) => `"${name}"`).join(',')}}'::text[]`;
}
