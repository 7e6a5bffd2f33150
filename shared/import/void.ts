import type { Context } from '../kernel/context.js';
import { ApiError, byRule } from '../kernel/errors.js';
import { cut } from '../kernel/echo.js';
import { type ImportDomain, ErrorList, type ImportReport } from './domain.js';
import { importInput, type Input } from './import.js';
import type { Kind } from './model/kind.js';
import { ownersOf, stagedValue } from './write/read-back.js';
import { stageRetracted } from './write/retract.js';

export interface VoidOptions {
  readonly reason: string;
}

/**
 * Voids a record: it disappears, with its children, from everything published, and stays in the history. Voiding is an act like an import and can be
 * reverted like one.
 *
 * @param kindName name of the kind, as `unitPrices`
 * @param names the record's parents and its key, in the order in which reports name it: `AURORA1S1`, `2026-01-02`
 * @throws {ApiError} BAD_REQUEST for a kind that cannot be voided or a wrong number of names; NOT_FOUND if there is no such record; UNPROCESSABLE if
 *   imports do not write it; CONFLICT if something refers to it
 */
export async function voidRecord(
  context: Context,
  domains: readonly ImportDomain[],
  kindName: string,
  names: readonly string[],
  { reason }: VoidOptions,
): Promise<ImportReport> {
  const kinds = domains.flatMap((domain) => domain.kinds);
  const goes = kinds.filter(({ recorded, versioned }) => recorded && !versioned);
  const voidable = kinds.filter(({ recorded, versioned, isPart }) => recorded && !versioned && !isPart);
  const kind = voidable.find(({ name }) => name === kindName);
  if (kind === undefined)
    throw new ApiError(
      'BAD_REQUEST',
      byRule('RECORD_KIND', { kind: cut(kindName), known: voidable.map(({ name }) => name).join(', ') }),
    );
  const wanted = namesOf(kind);
  if (names.length !== wanted.length)
    throw new ApiError('BAD_REQUEST', byRule('RECORD_NAMES', { kind: kind.label, names: wanted.join(', ') }));
  const label = `${kind.label} ${names.join(' ')}`;
  const input: Input = {
    action: 'voidRecord',
    names: [label],
    stage: async ({ tx, staging }) => {
      const rows = new Map<Kind, string>([[kind, named(kind)]]);
      for (const one of goes) {
        const own = rows.get(one) ?? belowOf(one, rows);
        if (own === undefined) continue;
        rows.set(one, own);
        if ((await stageRetracted(tx.manager, one, own, names)) > 0) staging.touched.add(one);
      }
      if (!staging.touched.has(kind)) throw await whyNone(tx, kind, names, label);
    },
    described: () => Promise.resolve([]),
  };
  return importInput(context, domains, input, { errors: new ErrorList([label]), correct: reason });
}

/** Returns the fields that identify a record: its parents' fields, then its own. */
export function namesOf(kind: Kind): readonly string[] {
  return [...(kind.parent?.columns ?? []).map(({ name, field }) => field?.name ?? name), ...kind.key];
}

/** Returns the error of names that identify no record of a kind, and perhaps a row that imports do not write. */
async function whyNone({ manager }: Context, kind: Kind, names: readonly string[], label: string): Promise<ApiError> {
  if (kind.others !== undefined) {
    const rows = `SELECT ${kind.others.columns} FROM (${named({ ...kind, among: undefined })}) t LIMIT 1`;
    const found = await manager.row<Readonly<Record<string, string | null>>>(rows, [names]);
    if (found !== undefined) return new ApiError('UNPROCESSABLE', kind.others.refused(label, found));
  }
  return new ApiError('NOT_FOUND', byRule('RECORD_UNKNOWN', { record: label }));
}

/** Returns SQL for the rows of a kind that the names in `$1` identify. */
function named(kind: Kind): string {
  const { names, joins } = ownersOf(kind, 't');
  const own = kind.fields.filter(({ name }) => kind.key.includes(name)).map((field) => stagedValue(field, 't'));
  const texts = [...names, ...own].map(
    (value, at) => `lower(coalesce(${value}::text, '')) = lower(($1::text[])[${at + 1}])`,
  );
  return `SELECT t.* FROM ${kind.table} t ${joins} WHERE ${texts.join(' AND ')}${kind.among === undefined ? '' : ` AND ${kind.among}`}`;
}

/** Returns SQL for the rows of a kind that belong or refer to removed rows; undefined if it has none. */
function belowOf(kind: Kind, gone: ReadonlyMap<Kind, string>): string | undefined {
  const [reference] = kind.source.owner.at(-1) ?? [];
  const above = kind.parent === undefined ? undefined : gone.get(kind.parent.kind);
  const conditions = above === undefined ? [] : [`t.${reference ?? ''} IN (SELECT id FROM (${above}) up)`];
  for (const { column, refersTo } of kind.fields)
    for (const [other, rows] of gone)
      if (refersTo?.table === other.table) conditions.push(`t.${column} IN (SELECT id FROM (${rows}) named)`);
  // Rows that others write stay, and thereby prevent their parent from being removed.
  const own = kind.among === undefined ? '' : ` AND t.${kind.among}`;
  return conditions.length === 0
    ? undefined
    : `SELECT t.* FROM ${kind.table} t WHERE (${conditions.join(' OR ')})${own}`;
}
