import type { Context } from '../kernel/context.js';
import { type ImportDomain, ErrorList, type ImportReport } from './domain.js';
import { importInput, type Input } from './import.js';
import type { Kind } from './model/kind.js';
import { stageAbove } from './revert.js';
import { ownersOf, stagedForm } from './write/read-back.js';
import { stagedColumns, stageOf } from './write/sql.js';

export interface ReplacedRow {
  readonly kind: Kind;
  /** SQL for which row `t` of the table it is; the values are `$2`, … */
  readonly where: string;
  readonly values: readonly unknown[];
  readonly changes: Readonly<Record<string, string | number | null>>;
}

export interface Replacement {
  readonly action: Exclude<Input['action'], 'import' | 'voidRecord' | 'revertImport'>;
  readonly label: string;
  readonly reason: string;
}

/** An id that belongs to no act: the replacement undoes no other act. */
const noAct = '00000000-0000-0000-0000-000000000000';

/** Changes rows as an import of its own, with audit entry, reason and consequences. The caller has locked them. */
export function replaceRows(
  context: Context,
  domain: ImportDomain,
  rows: readonly ReplacedRow[],
  { action, label, reason }: Replacement,
): Promise<ImportReport> {
  const input: Input = {
    action,
    names: [label],
    // An empty value empties a field, also one that keeps its value where a file says nothing.
    undoes: noAct,
    stage: async ({ tx, staging }) => {
      for (const row of rows) {
        await stageRow(tx, row);
        staging.touched.add(row.kind);
      }
      for (const kind of domain.kinds.toReversed()) await stageAbove(tx, kind);
    },
    described: () => Promise.resolve([]),
  };
  return importInput(context, [domain], input, { errors: new ErrorList([label]), correct: reason });
}

async function stageRow({ manager }: Context, { kind, where, values, changes }: ReplacedRow): Promise<void> {
  const columns = stagedColumns(kind).map(({ name }) => name);
  await manager.execute(
    `INSERT INTO ${stageOf(kind)} (${columns.join(', ')})
     SELECT ${stagedForm(kind)}
     FROM (SELECT changed.* FROM ${kind.table} t, jsonb_populate_record(t, $1::jsonb) changed WHERE ${where}) o ${ownersOf(kind, 'o').joins}`,
    [JSON.stringify(changes), ...values],
  );
}
