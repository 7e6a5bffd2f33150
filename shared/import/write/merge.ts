import type { Manager } from '../../database/manager.js';
import type { Kind } from '../model/kind.js';
import { identityOf } from './read-back.js';
import { keptFields, ownerColumns, keyFields, stagedColumn, stageOf } from './sql.js';

export interface Effect {
  /** Their owner, as the kind's source defines it; null for root records. */
  readonly affected: string | null;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  /** The kind's `newest` over its new and changed rows; null for kinds without it. */
  readonly newest: string | null;
}

/**
 * Removes what a complete list no longer names, inserts new records and updates different ones (README: a generated statement). @param undoes the act to
 * be undone, the staged records being the rows before it: an absent value then empties any field, and a removed row is restored with all columns
 */
export async function merge(manager: Manager, kind: Kind, now: Date, undoes?: string): Promise<Effect[]> {
  const removed = kind.replaces ? await manager.rows<Effect>(deleteUnnamed(kind)) : [];
  const isRestore = undoes !== undefined;
  const keepsVersions = kind.recorded && !kind.versioned;
  const restored = isRestore && keepsVersions ? await columnsBesideInput(manager, kind) : [];
  const written = await manager.rows<Effect>(upsert(kind, isRestore, restored), [now, undoes ?? null]);
  const rows = written.reduce((sum, { created, changed }) => sum + created + changed, 0);
  // Later statements join with this table: the planner has to know its new size. Less than half of the table changes little for it.
  if (rows > 1000)
    await manager.execute(
      'SELECT shared.analyze_table($1) FROM pg_class WHERE oid = $1::regclass AND reltuples < $2::integer',
      [kind.table, rows],
    );
  return [...removed, ...written];
}

/** Deletes the rows of the owners with a complete list that are not in it. */
function deleteUnnamed(kind: Kind): string {
  const { owner, join, affected } = kind.source;
  const [ownerColumn = '', ownerId = ''] = owner[0] ?? [];
  const [stagedOwner] = kind.parent?.columns ?? [];
  return `
    WITH x AS MATERIALIZED (${stagedRecords(kind)}),
    removed AS (
      DELETE FROM ${kind.table} t USING (
        SELECT DISTINCT ${ownerId} AS owner, ${affected} AS affected
        FROM (SELECT owner AS ${stagedOwner?.name ?? ''} FROM import_lists WHERE kind = '${kind.name}') s ${join}
      ) l
      WHERE t.${ownerColumn} = l.owner AND NOT EXISTS (SELECT FROM x WHERE ${isSame(kind)})${kind.foreign === undefined ? '' : ` AND NOT (${kind.foreign})`}
      RETURNING l.affected
    )
    SELECT affected, 0 AS created, 0 AS changed, count(*)::integer AS removed, NULL AS newest FROM removed GROUP BY affected`;
}

/** Inserts records `x` without a row `t` and updates different ones. `$1` moment, `$2` act to be undone. @param restored columns a removed row `was` gets back */
function upsert(kind: Kind, isRestore: boolean, restored: readonly string[]): string {
  const key = keyColumns(kind);
  const isNew = `t.${key[0] ?? ''} IS NULL`;
  const origin = kind.recorded ? ['source_file', 'source_line'] : [];
  const input = inputColumns(kind, isRestore);
  // The key of a unique kind is compared too: texts that differ only in case are the same key, and still a change.
  const compared = input.filter(({ column }) => kind.unique || !key.includes(column));
  const columns: readonly Column[] = [
    ...[...(kind.hasId ? ['id'] : []), ...ownerColumns(kind), ...origin].map(asStaged),
    ...input,
    ...restored.map((column) => ({ column, value: `CASE WHEN ${isNew} THEN was.${column} ELSE t.${column} END` })),
    ...(kind.versioned ? [{ column: 'version', value: 'coalesce(t.version, 0) + 1' }] : []),
  ];
  const stamps = kind.stamps.filter(({ column }) => !restored.includes(column));
  const updated = [...namesOf(compared), ...namesOf(stamps.filter(({ onChange }) => onChange)), ...origin];
  const onConflict = `ON CONFLICT ${conflictTarget(kind)}
      DO UPDATE SET ${updated.map((column) => `${column} = excluded.${column}`).join(', ')}`;
  // The statement always has both parameters, although some kinds use neither.
  return `
    WITH parameters (moment, act) AS (SELECT $1::timestamptz, $2::uuid),
    x AS (${stagedRecords(kind)}),
    changes AS MATERIALIZED (
      SELECT ${columns.map(({ column, value }) => `${value} AS ${column}`).join(', ')}, x.affected, ${isNew} AS is_new
      FROM x LEFT JOIN ${existingRows(kind)} t ON ${isSame(kind)}
      ${restored.length > 0 ? joinRemovedRow(kind, restored, isNew) : ''}
      WHERE ${isNew} OR ROW(${namesOf(compared, 't.').join(', ')})
        IS DISTINCT FROM ROW(${compared.map(({ value }) => value).join(', ')})
    ), written AS (
      INSERT INTO ${kind.table} (${[...namesOf(columns), ...namesOf(stamps)].join(', ')})
      SELECT ${[...namesOf(columns), ...stamps.map(({ value }) => value)].join(', ')} FROM changes
      ${kind.versioned ? '' : onConflict}
    )
    SELECT affected, (count(*) FILTER (WHERE is_new))::integer AS created,
      (count(*) FILTER (WHERE NOT is_new))::integer AS changed, 0 AS removed, ${kind.newest} AS newest
    FROM changes GROUP BY affected`;
}

interface Column {
  readonly column: string;
  /** SQL for its new value, over the record `x` and the existing row `t`. */
  readonly value: string;
}

const asStaged = (column: string): Column => ({ column, value: `x.${column}` });

function namesOf(columns: readonly { readonly column: string }[], prefix = ''): string[] {
  return columns.map(({ column }) => `${prefix}${column}`);
}

/** Returns the columns that a record provides. Where it has no value, some keep the existing one, unless rows are restored. */
function inputColumns(kind: Kind, isRestore: boolean): readonly Column[] {
  const keeping = (column: string, sql: string, fallback: string | null): Column => ({
    column,
    value: `coalesce(x.${column}, t.${column}, ${fallback === null ? 'NULL' : `'${fallback}'`}::${sql})`,
  });
  return [
    ...(kind.ordered ? [asStaged('position')] : []),
    ...keptFields(kind).map(({ column, keeps, type, fallback }) =>
      keeps && !isRestore ? keeping(column, type.sql, fallback) : asStaged(column),
    ),
    ...kind.derived.map(({ column, sql, keeps }) =>
      keeps === undefined || isRestore ? asStaged(column) : keeping(column, sql, keeps),
    ),
  ];
}

/** Returns the columns of a kind's table that are not part of the input, such as when a row was created, except those about its version. */
async function columnsBesideInput(manager: Manager, kind: Kind): Promise<readonly string[]> {
  const provided = new Set([
    ...identityOf(kind),
    ...ownerColumns(kind),
    ...namesOf(inputColumns(kind, true)),
    ...namesOf(kind.stamps.filter(({ onChange }) => onChange)),
    ...kind.drawn,
    ...['record_version', 'recorded_at', 'recorded_by', 'source_file', 'source_line'],
  ]);
  const rows = await manager.rows<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [kind.table],
  );
  return rows.map(({ name }) => name).filter((name) => !provided.has(name));
}

/** Joins as `was` the row of a record `x` before the act that removed it. */
function joinRemovedRow(kind: Kind, columns: readonly string[], isNew: string): string {
  const same = identityOf(kind).map((column) => `v.${column} = x.${column}`);
  return `LEFT JOIN LATERAL (SELECT ${columns.join(', ')} FROM ${kind.table}_versions v
        WHERE ${same.join(' AND ')} AND v.superseded_by = $2 AND v.recorded_by IS DISTINCT FROM $2
        ORDER BY v.superseded_at, v.record_version LIMIT 1) was ON ${isNew}`;
}

/* SQL that finds the row `t` of a kind's table that is the staged record `x`. */

/** Selects the staged records with the columns of the table: owners and references by their ids. */
function stagedRecords(kind: Kind): string {
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
function existingRows(kind: Kind): string {
  if (kind.among !== undefined) return `(SELECT * FROM ${kind.table} WHERE ${kind.among})`;
  if (!kind.versioned) return kind.table;
  const key = keyColumns(kind).join(', ');
  return `(SELECT DISTINCT ON (${key}) * FROM ${kind.table} ORDER BY ${key}, version DESC)`;
}

function keyColumns(kind: Kind): readonly string[] {
  const own = keyFields(kind).map(({ column }) => column);
  return kind.unique ? own : [...ownerColumns(kind), ...own];
}

/** Returns the condition that the row `t` is the record `x`. */
function isSame(kind: Kind): string {
  const references = new Set(kind.fields.filter(({ refersTo }) => refersTo !== undefined).map(({ column }) => column));
  return keyColumns(kind)
    .map((column) => {
      if (references.has(column)) return `t.${column} IS NOT DISTINCT FROM x.${column}`;
      return ignoresCase(kind, column) ? `lower(t.${column}) = lower(x.${column})` : `t.${column} = x.${column}`;
    })
    .join(' AND ');
}

/** Returns the target of `ON CONFLICT`: the unique index over the key. */
function conflictTarget(kind: Kind): string {
  const columns = keyColumns(kind).map((column) => (ignoresCase(kind, column) ? `lower(${column})` : column));
  return `(${columns.join(', ')}) ${kind.among === undefined ? '' : `WHERE ${kind.among}`}`;
}

function ignoresCase({ unique, fields }: Kind, column: string): boolean {
  return unique && fields.some((field) => field.column === column && field.type.sql === 'text');
}
