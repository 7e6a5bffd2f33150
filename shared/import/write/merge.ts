import type { Manager } from '../../database/manager.js';
import type { Kind } from '../model/kind.js';
import { identityOf } from './read-back.js';
import { keptFields, keyFields, stagedColumn, stageOf } from './sql.js';

/** The effect of a merge on records of a kind that belong together. */
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
 * Merges the staged records of a kind into its table: removes what a complete list no longer names, then inserts new records and updates different ones.
 * An identical record is not touched.
 *
 * @param undoes the act to be undone; the staged records are the rows before it. An absent value then empties even a field that would otherwise keep its
 *   value, and a row that the act removed is restored completely, including columns that are not part of the input
 */
export async function merge(manager: Manager, kind: Kind, now: Date, undoes?: string): Promise<Effect[]> {
  const removed = kind.replaces ? await manager.rows<Effect>(removal(kind)) : [];
  const exact = undoes !== undefined;
  const unsaid = exact && kind.recorded && !kind.versioned ? await unsaidColumns(manager, kind) : [];
  const stamps = stampsOf(kind, unsaid);
  const text = upsert(kind, exact, { stamps, unsaid });
  const written = await manager.rows<Effect>(text, [
    ...(stamps.length > 0 ? [now] : []),
    ...(unsaid.length > 0 ? [undoes] : []),
  ]);
  const rows = written.reduce((sum, { created, changed }) => sum + created + changed, 0);
  // Later statements join with this table: the planner has to know its new size.
  if (rows > 1000) await manager.execute('SELECT shared.analyze_table($1)', [kind.table]);
  return [...removed, ...written];
}

/** Returns SQL for the staged records as rows of the table. */
function sourceOf(kind: Kind): string {
  const { owner, join, affected } = kind.source;
  const fields = keptFields(kind);
  const references = fields.flatMap(({ refersTo }) => refersTo ?? []);
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
  const joins = references.map(
    ({ staged, known }) => `LEFT JOIN ${known} ${staged}_of ON ${staged}_of.ticker = lower(s.${staged})`,
  );
  return `SELECT ${columns.join(', ')} FROM ${stageOf(kind)} s ${join} ${joins.join(' ')}`;
}

/** Returns the columns that identify a record in the table. */
function keyColumns(kind: Kind): readonly string[] {
  const own = keyFields(kind).map(({ column }) => column);
  return kind.unique ? own : [...kind.source.owner.map(([column]) => column), ...own];
}

/** SQL for whether the row `t` is the record `x`. */
function isSame(kind: Kind): string {
  const fields = new Map(kind.fields.map((field) => [field.column, field]));
  return keyColumns(kind)
    .map((column) => {
      const field = fields.get(column);
      if (field?.refersTo !== undefined) return `t.${column} IS NOT DISTINCT FROM x.${column}`;
      return kind.unique && field?.type.sql === 'text'
        ? `lower(t.${column}) = lower(x.${column})`
        : `t.${column} = x.${column}`;
    })
    .join(' AND ');
}

function conflictTarget(kind: Kind): string {
  const texts = new Set(kind.fields.filter((field) => field.type.sql === 'text').map(({ column }) => column));
  return keyColumns(kind)
    .map((column) => (kind.unique && texts.has(column) ? `lower(${column})` : column))
    .join(', ');
}

function removal(kind: Kind): string {
  const { join } = kind.source;
  const [column = '', id = ''] = kind.source.owner[0] ?? [];
  const [named] = kind.parent?.columns ?? [];
  return `
    WITH x AS MATERIALIZED (${sourceOf(kind)}),
    removed AS (
      DELETE FROM ${kind.table} t USING (
        SELECT DISTINCT ${id} AS owner, ${kind.source.affected} AS affected
        FROM (SELECT owner AS ${named?.name ?? ''} FROM import_lists WHERE kind = '${kind.name}') s ${join}
      ) l
      WHERE t.${column} = l.owner AND NOT EXISTS (SELECT FROM x WHERE ${isSame(kind)})
      RETURNING l.affected
    )
    SELECT affected, 0 AS created, 0 AS changed, count(*)::integer AS removed, NULL AS newest FROM removed GROUP BY affected`;
}

/** A column that a record provides. */
interface Brought {
  readonly column: string;
  /** SQL for its new value, over the record `x` and the existing row `t`. */
  readonly value: string;
}

function broughtBy(kind: Kind, exact: boolean): readonly Brought[] {
  const kept = (column: string, sql: string, fallback: string | null) => ({
    column,
    value: `coalesce(x.${column}, t.${column}, ${fallback === null ? 'NULL' : `'${fallback}'`}::${sql})`,
  });
  const plain = (column: string) => ({ column, value: `x.${column}` });
  return [
    ...(kind.ordered ? [plain('position')] : []),
    ...keptFields(kind).map(({ column, keeps, type, fallback }) =>
      keeps && !exact ? kept(column, type.sql, fallback) : plain(column),
    ),
    ...kind.derived.map(({ column, sql, keeps }) =>
      keeps === undefined || exact ? plain(column) : kept(column, sql, keeps),
    ),
  ];
}

/** Returns the columns of a kind's table that are not part of the input, such as when a row was created, except those about its version. */
async function unsaidColumns(manager: Manager, kind: Kind): Promise<readonly string[]> {
  const said = new Set([
    ...identityOf(kind),
    ...kind.source.owner.map(([column]) => column),
    ...broughtBy(kind, true).map(({ column }) => column),
    ...kind.stamps.filter(({ onChange }) => onChange).map(({ column }) => column),
    ...kind.drawn,
    ...['record_version', 'recorded_at', 'recorded_by', 'source_file', 'source_line'],
  ]);
  const rows = await manager.rows<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [kind.table],
  );
  return rows.map(({ name }) => name).filter((name) => !said.has(name));
}

/** Returns the stamps that are set on writing, except columns that are restored with their row. */
function stampsOf({ stamps }: Kind, unsaid: readonly string[]): Kind['stamps'] {
  return stamps.filter(({ column }) => !unsaid.includes(column));
}

/** The columns that a statement writes in addition to those of the staged records. */
interface Beside {
  /** The stamps; their moment is the first parameter. */
  readonly stamps: Kind['stamps'];
  /** Columns restored with a row; the act that removed it is the last parameter. */
  readonly unsaid: readonly string[];
}

function upsert(kind: Kind, exact: boolean, { stamps, unsaid }: Beside): string {
  const key = keyColumns(kind);
  const owner = kind.source.owner.map(([column]) => column);
  const brought = broughtBy(kind, exact);
  const own = brought.map(({ column }) => column);
  const compared = brought.filter(({ column }) => !key.includes(column) || kind.unique);
  const origin = kind.recorded ? ['source_file', 'source_line'] : [];
  const taken = [...(kind.hasId ? ['id'] : []), ...owner, ...origin];
  const inserted = [...taken, ...own, ...unsaid, ...(kind.versioned ? ['version'] : [])];
  const isNew = `t.${key[0] ?? ''} IS NULL`;
  const set = [
    ...compared.map(({ column }) => column),
    ...kind.stamps.filter(({ onChange }) => onChange).map(({ column }) => column),
    ...origin,
  ];
  const among = kind.among === undefined ? '' : `WHERE ${kind.among}`;
  const onConflict = `ON CONFLICT (${conflictTarget(kind)}) ${among} DO UPDATE SET ${set.map((column) => `${column} = excluded.${column}`).join(', ')}`;
  const columns = [
    ...[...taken, 'affected'].map((column) => `x.${column}`),
    ...brought.map(({ column, value }) => `${value} AS ${column}`),
    ...unsaid.map((column) => `CASE WHEN ${isNew} THEN was.${column} ELSE t.${column} END AS ${column}`),
    ...(kind.versioned ? ['coalesce(t.version, 0) + 1 AS version'] : []),
  ];
  return `
    WITH x AS (${sourceOf(kind)}),
    changes AS MATERIALIZED (
      SELECT ${columns.join(', ')}, ${isNew} AS is_new FROM x LEFT JOIN ${standing(kind)} t ON ${isSame(kind)}${removedRow(kind, { stamps, unsaid }, isNew)}
      WHERE ${isNew} OR ROW(${compared.map(({ column }) => `t.${column}`).join(', ')})
        IS DISTINCT FROM ROW(${compared.map(({ value }) => value).join(', ')})
    ), written AS (
      INSERT INTO ${kind.table} (${[...inserted, ...stamps.map(({ column }) => column)].join(', ')})
      SELECT ${[...inserted, ...stamps.map(({ value }) => value)].join(', ')} FROM changes
      ${kind.versioned ? '' : onConflict}
    )
    SELECT affected, (count(*) FILTER (WHERE is_new))::integer AS created,
      (count(*) FILTER (WHERE NOT is_new))::integer AS changed, 0 AS removed, ${kind.newest} AS newest
    FROM changes GROUP BY affected`;
}

/** Joins as `was` the row of a record `x` before the act that removed it. */
function removedRow(kind: Kind, { stamps, unsaid }: Beside, isNew: string): string {
  if (unsaid.length === 0) return '';
  const same = identityOf(kind).map((column) => `v.${column} = x.${column}`);
  const act = `$${stamps.length > 0 ? 2 : 1}::uuid`;
  return `
      LEFT JOIN LATERAL (SELECT ${unsaid.join(', ')} FROM ${kind.table}_versions v
        WHERE ${same.join(' AND ')} AND v.superseded_by = ${act} AND v.recorded_by IS DISTINCT FROM ${act}
        ORDER BY v.superseded_at, v.record_version LIMIT 1) was ON ${isNew}`;
}

/** Returns the rows that records are compared with; of a versioned kind only the last version. */
function standing(kind: Kind): string {
  if (kind.among !== undefined) return `(SELECT * FROM ${kind.table} WHERE ${kind.among})`;
  if (!kind.versioned) return kind.table;
  const key = keyColumns(kind).join(', ');
  return `(SELECT DISTINCT ON (${key}) * FROM ${kind.table} ORDER BY ${key}, version DESC)`;
}
