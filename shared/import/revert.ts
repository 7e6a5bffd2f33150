import type { Context } from '../kernel/context.js';
import { ApiError, requireFound, byRule } from '../kernel/errors.js';
import { type ImportDomain, ErrorList, type ImportReport } from './domain.js';
import { broken } from './import-rules.js';
import { importInput, type Input } from './import.js';
import { findImport, type StoredImport } from './imports.store.js';
import type { DescribedFile } from './read/files.js';
import type { Kind } from './model/kind.js';
import { beforeAct, leftBy } from './write/changes.js';
import { identityOf, ownersOf, stagedForm, stagedValue } from './write/read-back.js';
import { stageRetracted } from './write/retract.js';
import { keptFields, keyFields, stagedColumns, stageOf } from './write/sql.js';

export interface RevertOptions {
  readonly reason: string;
}

/** Reverts an import as an import of its own, which can be reverted too. @throws {ApiError} NOT_FOUND for an unknown one; CONFLICT if already reverted */
export async function revertImport(
  context: Context,
  domains: readonly ImportDomain[],
  importId: string,
  options: RevertOptions,
): Promise<ImportReport> {
  const known = await refuseTakenBack(context, importId);
  const act = { id: importId, action: 'revertImport', label: `import ${importId}` } as const;
  return takeBack(context, domains, { ...act, reverts: importId, files: known.files }, options);
}

/** @throws {ApiError} NOT_FOUND for an unknown import; CONFLICT if it has already been reverted */
async function refuseTakenBack(context: Context, importId: string): Promise<StoredImport> {
  const known = requireFound(await findImport(context, importId), `There is no import ${importId}`);
  if (known.revertedBy === null) return known;
  throw new ApiError('CONFLICT', byRule('IMPORT_REVERTED', { id: importId, by: known.revertedBy }));
}

/** Locks the existing records of a kind that an act changed: no payment and no price is written between the check and the write. */
async function lockChanged({ manager }: Context, kind: Kind, actId: string): Promise<void> {
  if (kind.versioned) return;
  const identity = identityOf(kind);
  const key = identity.join(', ');
  await manager.execute(
    `SELECT FROM ${kind.table} WHERE recorded_by = $1 OR (${key}) IN (
       SELECT ${key} FROM ${kind.table}_versions WHERE superseded_by = $1 OR recorded_by = $1)
     ORDER BY ${identity.join(', ')} FOR NO KEY UPDATE`,
    [actId],
  );
}

export interface RecordedAct {
  readonly id: string;
  readonly action: Exclude<Input['action'], 'import' | 'voidRecord'>;
  readonly label: string;
  readonly reverts?: string;
  readonly files?: readonly DescribedFile[];
}

/** Reverts an act's changes as an import of its own. Reports an error for each record changed since; nothing is reverted then. */
export function takeBack(
  context: Context,
  domains: readonly ImportDomain[],
  { id, action, label, reverts, files = [] }: RecordedAct,
  { reason }: RevertOptions,
): Promise<ImportReport> {
  const errors = new ErrorList([label]);
  const kinds = domains.flatMap((domain) => domain.kinds).filter(({ recorded }) => recorded);
  const input: Input = {
    action,
    names: [label],
    undoes: id,
    ...(reverts === undefined ? {} : { reverts }),
    stage: async ({ tx, staging }) => {
      if (reverts !== undefined) await refuseTakenBack(tx, reverts);
      for (const kind of kinds) {
        await lockChanged(tx, kind, id);
        await nameLaterChanges(tx, kind, id, errors);
        if (await stageBefore(tx, kind, id)) staging.touched.add(kind);
      }
      for (const kind of kinds.toReversed()) await stageAbove(tx, kind);
    },
    described: () => Promise.resolve(files),
  };
  return importInput(context, domains, input, { errors, correct: reason });
}

/** @throws {ApiError} UNPROCESSABLE with every error of the report */
export function requireTakenBack({ errorCount, errors }: ImportReport): void {
  if (errorCount === 0) return;
  const details = errors.map(({ field, message, rule, values }) => ({ path: field, message, rule, values }));
  throw new ApiError('UNPROCESSABLE', {
    ...byRule('IMPORT_CHANGED', { count: errorCount }),
    details,
  });
}

/** Stages the existing parents of the staged records of a kind: a domain looks records up through them. */
export async function stageAbove({ manager }: Context, kind: Kind): Promise<void> {
  const parent = kind.parent?.kind;
  if (!parent?.recorded) return;
  const columns = stagedColumns(parent).map(({ name }) => name);
  const { names, joins } = ownersOf(parent, 'o');
  const own = keyFields(parent).map((field) => stagedValue(field, 'o'));
  const above = parent.unique ? own : [...names, ...own];
  const same = (kind.parent?.columns ?? []).map(({ name, folds }, at) =>
    folds ? `lower(s.${name}) = lower(${above[at] ?? ''})` : `s.${name} = ${above[at] ?? ''}`,
  );
  await manager.execute(
    `INSERT INTO ${stageOf(parent)} (${columns.join(', ')})
     SELECT ${stagedForm(parent)} FROM ${parent.table} o ${joins}
     WHERE EXISTS (SELECT FROM ${stageOf(kind)} s WHERE ${same.join(' AND ')})
       AND NOT EXISTS (SELECT FROM ${stageOf(parent)} k WHERE k.id = o.id)${parent.among === undefined ? '' : ` AND o.${parent.among}`}`,
  );
}

/** Adds an error for each record of a kind that differs from how the import left it, or no longer exists. */
async function nameLaterChanges({ manager }: Context, kind: Kind, importId: string, errors: ErrorList): Promise<void> {
  if (kind.versioned) return nameWhatStands({ manager }, kind, importId, errors);
  const identity = identityOf(kind);
  const fields = keptFields(kind).map(({ column }) => column);
  const { names, joins } = ownersOf(kind, 'l');
  const own = keyFields(kind).map((field) => stagedValue(field, 'l'));
  const rows = await manager.rows<{ record: string; total: string }>(
    `SELECT concat_ws(' ', ${[...names, ...own].join(', ')}) AS record, count(*) OVER () AS total
     FROM (${leftBy(kind)}) l ${joins} LEFT JOIN ${kind.table} n ON ${identity.map((column) => `n.${column} = l.${column}`).join(' AND ')}
     WHERE n.${identity[0] ?? ''} IS NULL
       OR ROW(${fields.map((column) => `l.${column}`).join(', ')}) IS DISTINCT FROM ROW(${fields.map((column) => `n.${column}`).join(', ')})
     ORDER BY 1 LIMIT 1000`,
    [importId],
  );
  const again = await manager.rows<{ record: string }>(cameAgain(kind), [importId]);
  for (const { record } of [...rows, ...again])
    errors.add(0, 0, '', broken('RECORD_CHANGED', { label: kind.label, record }));
  errors.addUnshown(Number(rows[0]?.total ?? 0) - rows.length);
}

/** Returns SQL for the records that an act removed and that were created again since, possibly under another id. */
function cameAgain(kind: Kind): string {
  const keys = keyFields(kind);
  const { names, joins } = ownersOf(kind, 'o');
  const own = keys.map((field) => stagedValue(field, 'o'));
  const owner = kind.unique ? [] : kind.source.owner.map(([column]) => `n.${column} = o.${column}`);
  const same = keys.map(({ column, type }) =>
    kind.unique && type.sql === 'text'
      ? `lower(n.${column}) = lower(o.${column})`
      : `n.${column} IS NOT DISTINCT FROM o.${column}`,
  );
  const left = identityOf(kind).map((column) => `l.${column} = o.${column}`);
  // Each evaluated once rather than per record.
  return `WITH gone AS MATERIALIZED (${beforeAct(kind)}), l AS MATERIALIZED (${leftBy(kind)})
    SELECT concat_ws(' ', ${[...names, ...own].join(', ')}) AS record FROM gone o ${joins}
    WHERE NOT EXISTS (SELECT FROM l WHERE ${left.join(' AND ')})
      AND EXISTS (SELECT FROM ${kind.table} n WHERE ${[...owner, ...same].join(' AND ')}) ORDER BY 1 LIMIT 1000`;
}

/** Adds an error for each row of a versioned kind that cannot be reverted: such rows can be corrected, but never removed. */
async function nameWhatStands(
  { manager }: Pick<Context, 'manager'>,
  kind: Kind,
  importId: string,
  errors: ErrorList,
): Promise<void> {
  const identity = identityOf(kind);
  const rows = await manager.rows<{ record: string }>(
    `SELECT concat_ws(' ', ${identity.map((column) => `t.${column}`).join(', ')}) AS record FROM ${kind.table} t
     WHERE t.recorded_by = $1 AND (t.version = 1 OR EXISTS (SELECT FROM ${kind.table} n
       WHERE ${identity.map((column) => `n.${column} = t.${column}`).join(' AND ')} AND n.version > t.version)) ORDER BY 1 LIMIT 1000`,
    [importId],
  );
  for (const { record } of rows) errors.add(0, 0, '', broken('RECORD_STAYS', { label: kind.label, record }));
}

/** Stages the records of a kind as they were before an import, and in a separate table those that it created. Returns whether there are any. */
async function stageBefore({ manager }: Context, kind: Kind, importId: string): Promise<boolean> {
  const columns = stagedColumns(kind).map(({ name }) => name);
  const before = await manager.rows<unknown>(
    `INSERT INTO ${stageOf(kind)} (${columns.join(', ')})
     SELECT ${stagedForm(kind)} FROM (${beforeAct(kind)}) o ${ownersOf(kind, 'o').joins} RETURNING 1`,
    [importId],
  );
  const created = kind.versioned ? 0 : await stageRetracted(manager, kind, createdBy(kind), importId);
  return before.length + created > 0;
}

/** Returns SQL for the rows that an import created: those it wrote that did not exist before. */
function createdBy(kind: Kind): string {
  const identity = identityOf(kind);
  const same = identity.map((column) => `b.${column} = t.${column}`).join(' AND ');
  return `SELECT t.* FROM ${kind.table} t
    WHERE (t.recorded_by = $1 OR EXISTS (SELECT FROM ${kind.table}_versions b WHERE ${same} AND b.recorded_by = $1))
      AND NOT EXISTS (SELECT FROM ${kind.table}_versions b WHERE ${same} AND b.superseded_by = $1 AND b.recorded_by IS DISTINCT FROM $1)`;
}
