import type { Manager } from '../../database/manager.js';
import { keyset } from '../../graphql/list-page.js';
import type { Kind } from '../model/kind.js';
import type { RecordChange } from '../domain.js';
import { isOwn, toChange, type ChangeRow } from './changes.js';
import { fieldsOf, identityOf, ownersOf } from './read-back.js';
import { keptFields, keyFields, ownerColumns } from './sql.js';

/** The records of a kind that an act touched, in the order of their keys: up to `limit` of those beyond a key, or from an end of the list on. */
export interface TouchedRange {
  readonly actId: string;
  readonly beyond: readonly string[] | undefined;
  readonly backward: boolean;
  readonly limit: number;
}

/** A record that an act touched; `change` is undefined where none of its fields differs. */
export interface TouchedRecord {
  readonly key: readonly string[];
  readonly change: RecordChange | undefined;
}

/** Reads records that an act touched, before and after it. Costs as much as `limit`: keys come from indexes (`shared.order_by_act`). */
export async function readTouched(manager: Manager, kind: Kind, range: TouchedRange): Promise<TouchedRecord[]> {
  const { actId, beyond, limit } = range;
  type Row = Omit<ChangeRow, 'total'> & { readonly key: readonly string[] };
  const rows = await manager.rows<Row>(touchedSql(kind, range), [
    actId,
    limit,
    ...(beyond === undefined ? [] : [beyond]),
  ]);
  return rows.map(({ key, ...row }) => ({
    key,
    // PostgreSQL has compared the fields: an act may have touched only what is not part of the input.
    change: JSON.stringify(row.before) === JSON.stringify(row.after) ? undefined : toChange(kind, row),
  }));
}

function touchedSql(kind: Kind, range: TouchedRange): string {
  const identity = identityOf(kind);
  const { direction } = keyset('ASC', range);
  const same = (row: string) => identity.map((column) => `${row}.${column} = k.${column}`).join(' AND ');
  const { names, joins } = ownersOf(kind, 'p');
  const own = keyFields(kind).map(({ name }) => `coalesce(p.after ->> '${name}', p.before ->> '${name}')`);
  const owner = kind.source.owner.map(([column]) => `coalesce(o.${column}, n.${column}) AS ${column},`);
  const fields = (row: string) => `CASE WHEN ${row}.${identity[0] ?? ''} IS NOT NULL THEN ${fieldsOf(kind, row)} END`;
  const key = identity.map((column) => `k.${column}::text`).join(', ');
  return `
    SELECT jsonb_build_array(${[...names, ...own].join(', ')}) AS names, p.before, p.after, p.file, p.line, p.moved, p.key FROM (
      SELECT ${owner.join(' ')} ${fields('o')} AS before, ${fields('n')} AS after, n.source_file AS file, n.source_line AS line,
        (${kind.moved})::text AS moved, jsonb_build_array(${key}) AS key, row_number() OVER (ORDER BY ${ordered(identity, 'k.', direction)}) AS nth
      FROM (${touchedKeys(kind, range)}) k
        LEFT JOIN LATERAL (${left(kind, same)}) n ON true
        LEFT JOIN LATERAL (${before(kind, same)}) o ON true
    ) p ${joins} ORDER BY p.nth`;
}

const ordered = (columns: readonly string[], prefix: string, direction: string) =>
  columns.map((column) => `${prefix}${column} ${direction}`).join(', ');

/** SQL for the keys that an act touched: of the rows that it wrote, as they are or as others have replaced them since, and of those that it replaced. */
function touchedKeys(kind: Kind, range: TouchedRange): string {
  const identity = identityOf(kind);
  const { beyond, direction } = keyset('ASC', range);
  const columns = identity.join(', ');
  const order = ordered(identity, '', direction);
  const types = keyTypes(kind);
  const place = types.map((type, at) => `($3::text[])[${at + 1}]::${type}`).join(', ');
  const from = range.beyond === undefined ? '' : ` AND (${columns}) ${beyond} (${place})`;
  const part = (rows: string, condition: string) =>
    `(SELECT DISTINCT ${columns} FROM ${rows} v WHERE ${condition}${from} ORDER BY ${order} LIMIT $2::integer)`;
  const versions = `${kind.table}_versions`;
  const parts = kind.versioned
    ? [part(kind.table, 'recorded_by = $1')]
    : [
        part(kind.table, 'recorded_by = $1'),
        part(versions, 'recorded_by = $1 AND superseded_by IS DISTINCT FROM $1'),
        part(versions, `superseded_by = $1 AND recorded_by IS DISTINCT FROM $1 AND ${isOwn(kind)}`),
      ];
  return `SELECT DISTINCT ${columns} FROM (${parts.join(' UNION ALL ')}) all_keys ORDER BY ${order} LIMIT $2::integer`;
}

/** SQL for the row `k` as the act left it. */
function left(kind: Kind, same: (row: string) => string): string {
  const columns = [
    ...new Set([
      ...identityOf(kind),
      ...ownerColumns(kind),
      ...keptFields(kind).map(({ column }) => column),
      'source_file',
      'source_line',
    ]),
  ].join(', ');
  const rows = (table: string) => `SELECT ${columns} FROM ${table} t WHERE ${same('t')} AND t.recorded_by = $1`;
  if (kind.versioned)
    return `SELECT * FROM ${kind.table} t WHERE ${same('t')} AND t.recorded_by = $1 ORDER BY t.version DESC LIMIT 1`;
  return `${rows(kind.table)} UNION ALL ${rows(`${kind.table}_versions`)} AND t.superseded_by IS DISTINCT FROM $1 LIMIT 1`;
}

/** SQL for the row `k` before the act. */
function before(kind: Kind, same: (row: string) => string): string {
  if (kind.versioned) return `SELECT * FROM ${kind.table} t WHERE ${same('t')} AND t.version = n.version - 1`;
  return `SELECT * FROM ${kind.table}_versions v WHERE ${same('v')} AND v.superseded_by = $1 AND v.recorded_by IS DISTINCT FROM $1
    AND ${isOwn(kind)} ORDER BY v.superseded_at, v.record_version LIMIT 1`;
}

function keyTypes(kind: Kind): readonly string[] {
  if (kind.hasId) return ['uuid'];
  const own = keyFields(kind).map(({ type, refersTo }) => (refersTo === undefined ? type.sql : 'uuid'));
  return [...ownerColumns(kind).map(() => 'uuid'), ...own];
}
