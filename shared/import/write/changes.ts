import { isImportRule } from '../../registry.js';
import { brokenBy, settledBy, type BrokenImportRule } from '../import-rules.js';
import type { Field, Kind, SettledLimits } from '../model/kind.js';
import type { ErrorList, RecordChange } from '../domain.js';
import { fieldsOf, identityOf, ownersOf } from './read-back.js';
import { keptFields, keyFields, ownerColumns } from './sql.js';
import { maskDocumentsIn } from '../../kernel/tax-id.js';
import type { Manager } from '../../database/manager.js';

/** Returns SQL for the rows that an act wrote and that nothing has changed since. */
export function broughtBy({ table }: Kind): string {
  return `SELECT * FROM ${table} WHERE recorded_by = $1`;
}

/** Returns SQL for the rows of a kind as an act left them, whatever happened to them later. */
export function leftBy(kind: Kind): string {
  if (kind.versioned) return broughtBy(kind);
  const columns = [
    ...identityOf(kind),
    ...ownerColumns(kind),
    ...keptFields(kind).map(({ column }) => column),
    'source_file',
    'source_line',
  ];
  const all = [...new Set(columns)].join(', ');
  return `SELECT ${all} FROM ${kind.table} WHERE recorded_by = $1
    UNION ALL SELECT ${all} FROM ${kind.table}_versions WHERE recorded_by = $1 AND superseded_by IS DISTINCT FROM $1`;
}

export function beforeAct(kind: Kind): string {
  const key = identityOf(kind).join(', ');
  if (kind.versioned)
    return `SELECT o.* FROM ${kind.table} o JOIN ${kind.table} n USING (${key}) WHERE n.recorded_by = $1 AND o.version = n.version - 1`;
  return `SELECT DISTINCT ON (${key}) * FROM ${kind.table}_versions v
    WHERE superseded_by = $1 AND recorded_by IS DISTINCT FROM $1 AND ${isOwn(kind)} ORDER BY ${key}, superseded_at, record_version`;
}

/** SQL for whether a version `v` is a record of the kind: it or its parent may be a row that others write. */
export function isOwn(kind: Kind): string {
  if (kind.among !== undefined) return kind.among;
  const [reference] = kind.source.owner.at(-1) ?? [];
  const { table, among } = kind.parent?.kind ?? {};
  if (table === undefined || among === undefined) return 'true';
  const isOwnIn = (rows: string) => `EXISTS (SELECT FROM ${rows} up WHERE up.id = v.${reference ?? ''} AND ${among})`;
  return `(${isOwnIn(table)} OR ${isOwnIn(`${table}_versions`)})`;
}

/** Pairs the rows before an act, `o`, with their state after it, `n`. */
function pairs(kind: Kind, left: string): string {
  const same = identityOf(kind)
    .map((column) => `o.${column} = n.${column}`)
    .join(' AND ');
  return `(${beforeAct(kind)}) o FULL JOIN (${left}) n ON ${same}`;
}

export interface ChangeRow {
  readonly names: readonly (string | null)[];
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly file: number | null;
  readonly line: number | null;
  readonly moved?: string | null;
  readonly total: string;
}

/** SQL for the changes of a kind that require a reason, by file and line. @param settled SQL, over `o` and `n`, of why a change requires one */
function settledChanges(kind: Kind, settled: string): string {
  const identity = identityOf(kind)[0] ?? '';
  const owner = kind.source.owner.map(([column]) => `coalesce(o.${column}, n.${column}) AS ${column},`);
  const { names, joins } = ownersOf(kind, 'p');
  const own = keyFields(kind).map(({ name }) => `coalesce(p.after ->> '${name}', p.before ->> '${name}')`);
  return `
    SELECT jsonb_build_array(${[...names, ...own].join(', ')}) AS names, p.before, p.after, p.file, p.line, p.settled,
      count(*) OVER () AS total
    FROM (
      SELECT ${owner.join(' ')} ${fieldsOrNull(kind, 'o', identity)} AS before, ${fieldsOrNull(kind, 'n', identity)} AS after,
        n.source_file AS file, n.source_line AS line, ${settled} AS settled
      FROM ${pairs(kind, broughtBy(kind))} WHERE (${settled}) IS NOT NULL
    ) p ${joins}
    WHERE p.before IS DISTINCT FROM p.after
    ORDER BY p.file, p.line, names LIMIT $2`;
}

function fieldsOrNull(kind: Kind, row: string, identity: string): string {
  return `CASE WHEN ${row}.${identity} IS NOT NULL THEN ${fieldsOf(kind, row)} END`;
}

export function toChange(
  kind: Kind,
  { names, before, after, file, line, moved = null }: Omit<ChangeRow, 'total'>,
): RecordChange {
  const fields = keptFields(kind)
    .map(({ name, type: { form } }) => ({
      ...{ field: name, isNumber: form === 'number' },
      ...{ before: before?.[name] ?? null, after: after?.[name] ?? null },
    }))
    .filter((field) => JSON.stringify(field.before) !== JSON.stringify(field.after));
  const change = before === null ? 'CREATED' : after === null ? 'REMOVED' : 'CHANGED';
  const record = names.filter((name) => name !== null).join(' ');
  return { kind: kind.name, change, record, file, line, movedPercent: moved, fields };
}

/** Reports as errors every settled record of a kind that an act changed or removed, and every field that it emptied: such changes require a reason. */
export async function refuseSettled(
  manager: Manager,
  kind: Kind,
  { actId, limits, errors, limit }: SettledCheck,
): Promise<void> {
  const settled = kind.settled?.(limits) ?? 'NULL';
  const reason = `CASE WHEN o.${identityOf(kind)[0] ?? ''} IS NOT NULL THEN coalesce(${settled}, ${emptied(kind)}) END`;
  const rows = await manager.rows<ChangeRow & { readonly settled: SettledReason }>(settledChanges(kind, reason), [
    actId,
    limit,
  ]);
  for (const row of rows) {
    errors.add(row.file ?? 0, row.line ?? 0, '', settledError(kind, row));
  }
  errors.addUnshown(Number(rows[0]?.total ?? 0) - rows.length);
}

type SettledReason = Readonly<Record<string, string>> & { readonly rule: string };

/** Returns the error of a change of a settled record; its values name the changes without words. */
function settledError(kind: Kind, row: ChangeRow & { readonly settled: SettledReason }): BrokenImportRule {
  const { change, record, fields } = toChange(kind, row);
  const { rule, ...why } = row.settled;
  if (!isImportRule(rule)) throw new Error(`${kind.name} is settled by ${rule}, which is not registered`);
  const given = Object.entries({ label: kind.label, record, ...why });
  const isRemoved = change === 'REMOVED';
  const said = fields.map(({ field, before, after }) => `${field} ${shown(before)} would become ${shown(after)}`);
  const pairs = fields.map(({ field, before, after }) => `${field} ${brief(before)} → ${brief(after)}`);
  const { message } = brokenBy(rule, [...given, ['changes', isRemoved ? 'it would be removed' : said.join(', ')]]);
  return { ...brokenBy(rule, [...given, ['changes', isRemoved ? 'removed' : pairs.join(', ')]]), message };
}

function brief(value: unknown): string {
  return value === null ? '—' : shown(value);
}

export interface SettledCheck {
  readonly actId: string;
  readonly limits: SettledLimits;
  readonly errors: ErrorList;
  /** The most errors of a kind that are listed; further ones are only counted. */
  readonly limit: number;
}

/** SQL for why an emptied field requires a reason; NULL if none was emptied. */
function emptied(kind: Kind): string {
  const fields = keptFields(kind).filter(({ name, required }) => !required && !kind.mayEmpty.includes(name));
  if (fields.length === 0 || kind.versioned) return 'NULL';
  const names = fields.map(
    (field) => `CASE WHEN NOT (${isEmpty(field, 'o')}) AND ${isEmpty(field, 'n')} THEN '${field.name}' END`,
  );
  // The removal of a record does not count as emptying its fields.
  return `CASE WHEN n.${identityOf(kind)[0] ?? ''} IS NOT NULL THEN ${settledBy('SETTLED_EMPTIED', { fields: `nullif(concat_ws(', ', ${names.join(', ')}), '')` })} END`;
}

function isEmpty({ column, fallback, type }: Field, row: string): string {
  const empty = fallback === '' || fallback === '{}' ? ` OR ${row}.${column} = '${fallback}'::${type.sql}` : '';
  return `(${row}.${column} IS NULL${empty})`;
}

/** Formats a value for a sentence; tax ids show only their last digits. */
export function shown(value: unknown): string {
  if (value === null) return 'nothing';
  return maskDocumentsIn(typeof value === 'string' ? value : JSON.stringify(value));
}
