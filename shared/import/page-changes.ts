import type { Context } from '../kernel/context.js';
import type { CursorCodec } from '../graphql/cursor.js';
import { connectionPage, openPage, type ConnectionArguments, type ListPage, keyset } from '../graphql/list-page.js';
import type { ImportDomain, Changes, KindCount, RecordChange } from './domain.js';
import type { StoredImport } from './imports.store.js';
import type { Kind } from './model/kind.js';
import type { Manager } from '../database/manager.js';
import { isOwn, toChange, type ChangeRow } from './write/changes.js';
import { fieldsOf, identityOf, ownersOf } from './write/read-back.js';
import { keptFields, keyFields, ownerColumns } from './write/sql.js';

export type ChangingAct = Pick<StoredImport, 'id' | 'counts'>;

interface PlacedChange {
  readonly change: RecordChange;
  readonly position: readonly string[];
}

interface ChangeRange {
  readonly position: readonly string[];
  readonly backward: boolean;
  readonly limit: number;
}

/** How many records are read at once where many were touched without a change of their fields. */
const mostAtOnce = 1_000;

/** Reads a page of an act's changes, by kind in the order of writing, then by key. @throws {ApiError} BAD_REQUEST as `openPage` */
export async function pageChanges(
  context: Context,
  codec: CursorCodec,
  domains: readonly ImportDomain[],
  act: ChangingAct,
  wanted: ConnectionArguments & { readonly kind?: string | null | undefined },
): Promise<ListPage<RecordChange>> {
  const { kind = null } = wanted;
  const page = openPage(codec, connectionPage(wanted), {
    scope: JSON.stringify(['changes', act.id, kind]),
    usual: 100,
  });
  const found = await readFrom(context, kindsOf(domains, act, kind), act.id, { ...page, limit: page.limit + 1 });
  const { rows, ...taken } = page.take(found, ({ position }) => position);
  return { ...taken, rows: rows.map(({ change }) => change) };
}

export async function readImportChanges(
  context: Context,
  domains: readonly ImportDomain[],
  act: ChangingAct,
  limit: number,
): Promise<Changes> {
  const found = await readFrom(context, kindsOf(domains, act, null), act.id, { position: [], backward: false, limit });
  return { changes: found.map(({ change }) => change), total: countChanges(act) };
}

/** Counts an act's changes as stored when written: records that only moved in their list count, although the list of changes omits them. */
export function countChanges({ counts }: Pick<ChangingAct, 'counts'>, kind: string | null = null): number {
  const all = counts.filter((count) => kind === null || count.kind === kind);
  return all.reduce((sum, count) => sum + changed(count), 0);
}

const changed = ({ created, changed: others, removed }: KindCount) => created + others + removed;

/** The kinds of which an act changed records, in the order in which they are written. */
function kindsOf(domains: readonly ImportDomain[], { counts }: ChangingAct, wanted: string | null): readonly Kind[] {
  const touched = new Set(counts.map(({ kind }) => kind));
  return domains
    .flatMap(({ kinds }) => kinds)
    .filter(({ name, recorded }) => recorded && touched.has(name) && (wanted === null || name === wanted));
}

async function readFrom(
  context: Context,
  all: readonly Kind[],
  actId: string,
  { position: [kindName, ...key], backward, limit }: ChangeRange,
): Promise<PlacedChange[]> {
  const kinds = backward ? all.toReversed() : all;
  const first = kindName === undefined ? 0 : kinds.findIndex(({ name }) => name === kindName);
  const changes: PlacedChange[] = [];
  for (const kind of first < 0 ? [] : kinds.slice(first)) {
    const beyond = kind.name === kindName ? key : undefined;
    changes.push(...(await readKind(context, kind, { actId, beyond, backward, limit: limit - changes.length })));
    if (changes.length >= limit) break;
  }
  return changes;
}

/** Reads changes of a kind until there are `limit`, or no more. */
async function readKind(
  { manager }: Context,
  kind: Kind,
  { limit, beyond: begin, ...range }: Parameters<typeof readTouched>[2],
): Promise<PlacedChange[]> {
  const changes: PlacedChange[] = [];
  let beyond = begin;
  let step = limit;
  for (;;) {
    const found: readonly TouchedRecord[] = await readTouched(manager, kind, { ...range, beyond, limit: step });
    for (const { key, change } of found)
      if (change !== undefined && changes.length < limit) changes.push({ change, position: [kind.name, ...key] });
    if (changes.length >= limit || found.length < step) return changes;
    beyond = found.at(-1)?.key;
    step = Math.max(step, mostAtOnce);
  }
}

/** The records of a kind that an act touched, in the order of their keys: up to `limit` of those beyond a key, or from an end of the list on. */
interface TouchedRange {
  readonly actId: string;
  readonly beyond: readonly string[] | undefined;
  readonly backward: boolean;
  readonly limit: number;
}

/** A record that an act touched; `change` is undefined where none of its fields differs. */
interface TouchedRecord {
  readonly key: readonly string[];
  readonly change: RecordChange | undefined;
}

/** Reads records that an act touched, before and after it. Costs as much as `limit`: keys come from indexes (`shared.order_by_act`). */
async function readTouched(manager: Manager, kind: Kind, range: TouchedRange): Promise<TouchedRecord[]> {
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
