import type { Kind } from '../import/model/kind.js';
import { fieldsOf, identityOf } from '../import/write/read-back.js';
import { keptFields } from '../import/write/sql.js';

/** Fields whose changes do not count as corrections while a condition holds. */
export interface RoutineRule {
  /** Names in the input. */
  readonly fields: readonly string[];
  /** SQL over `o`, the old row, and `n`, the row that replaced it; always true when omitted. */
  readonly when?: string;
}

/**
 * SQL that preselects the rows `r` belonging to each requested thing, given a placeholder for its id. It uses only the row itself, or something as cheap;
 * `where` decides what it cannot. Undefined where no preselection is possible.
 */
export type Scope = readonly (((id: string) => string) | undefined)[];

/** Describes where corrections of one kind are found. SQL is over `o`, the superseded row, and what `joins` adds. */
export interface CorrectionSource {
  readonly kind: Kind;
  /** The GraphQL name of the kind; the kind's own name when omitted. */
  readonly name?: string;
  readonly scope: Scope;
  /** Joins to what the row belongs to, and to whether that is public. */
  readonly joins: string;
  /** Whether `o` had been published and belongs to what is requested (`$1` and so on). */
  readonly where: string;
  /** SQL for the ticker of its operation or estate; NULL if it has none. */
  readonly subject: string;
  /** SQL for the human-readable name of the record. */
  readonly record: string;
  /** SQL for the day that it is about; NULL if none. */
  readonly date: string;
  readonly routine: readonly RoutineRule[];
  /** Fields that are never published, by their names in the input. */
  readonly hidden?: readonly string[];
  /** Whether an empty field is published information too, so that its first value is a correction. */
  readonly nullIsPublished?: boolean;
}

const keyTypes = ['uuid', 'date', 'integer', 'text'] as const;

/** A column of a key, and its type. */
export interface KeyColumn {
  readonly column: string;
  readonly type: (typeof keyTypes)[number];
}

/** Rows among which the corrections are, in the order of an index: by timestamp, then by key. */
export interface Candidates {
  readonly table: string;
  /** The column with the timestamp. */
  readonly at: string;
  readonly key: readonly KeyColumn[];
  /** SQL over a row: the condition of the partial index. */
  readonly condition: (row: string) => string;
  readonly scope: Scope;
}

/** The statements that read corrections of one kind. */
export interface CorrectionReading {
  /** The GraphQL name. */
  readonly kind: string;
  readonly candidates: Candidates;
  /**
   * Returns the SELECT of the corrections among all candidates, or among those that `from` yields.
   * @param from an item of FROM with the alias `o`, or `n` for a table whose rows are versions
   */
  readonly select: (from?: string) => string;
  /** The alias of `from`. */
  readonly row: 'o' | 'n';
}

/**
 * Builds the reading of a kind: changes that acts made to published data, each with the fields that differ. Changes that the program makes on its own
 * are not corrections, nor is the first value of an empty field.
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

/** Describes a table whose rows never change and in which each version is a row of its own: its key without the version, and the fields shown. */
export interface VersionedSource extends Pick<
  CorrectionSource,
  'joins' | 'where' | 'subject' | 'record' | 'date' | 'scope'
> {
  readonly name: string;
  readonly table: string;
  readonly key: readonly KeyColumn[];
  /** The column with the timestamp of a version. */
  readonly recordedAt: string;
  /** Columns by GraphQL name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether a version stores the line of its import. */
  readonly hasSource: boolean;
}

/** Builds the reading of a table of versions, in which a correction is the row of the next version: `n` is that row, `o` the previous version. */
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

/** Returns SQL for the key of a row as an array of texts. */
export function keyText(key: readonly KeyColumn[], row: string): string {
  return `ARRAY[${key.map(({ column }) => `${row}.${column}::text`).join(', ')}]`;
}

/** Returns the type of a key column: ids and references are UUIDs, other fields declare their own. */
function typeOf({ name, fields }: Kind, column: string): KeyColumn['type'] {
  const own = fields.find((field) => field.column === column);
  const sql = own === undefined || own.refersTo !== undefined ? 'uuid' : own.type.sql;
  const type = keyTypes.find((known) => known === sql);
  if (type === undefined)
    throw new Error(`${name}.${column} is ${sql}: a key of corrections is one of ${keyTypes.join(', ')}`);
  return type;
}

/** Whether records are identified by a ticker, day or number: a voided record is described by nothing else. */
function isName({ unique, hasId }: Kind): boolean {
  return unique || !hasId;
}

/** Whether any shown field differs. Building the shown values takes twenty times as long as finding that none does. */
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
