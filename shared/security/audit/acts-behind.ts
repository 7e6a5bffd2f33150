import type { Context } from '../../kernel/context.js';

/**
 * Returns the audit log entry by which an operator brought a row to its current state, also if that was withdrawn and restored since: of the entry that
 * recorded the row; if that one undid another (a withdrawal, an import), of the entry that had recorded it before; and so on. Undefined if no operator did it,
 * or if no entry was kept.
 * @param action of the entry
 * @param table one that keeps versions
 * @param row which row of it: conditions on columns of its key, with the values as $2, …
 */
export async function findActBehind(
  { manager }: Context,
  action: string,
  { table, row, values }: { readonly table: string; readonly row: string; readonly values: readonly unknown[] },
): Promise<string | undefined> {
  const found = await manager.row<{ act: string }>(
    `WITH RECURSIVE behind AS (
       SELECT recorded_by AS act FROM ${table} WHERE ${row}
       UNION
       SELECT v.recorded_by FROM behind JOIN shared.imports i ON i.id = behind.act
       JOIN ${table}_versions v ON v.superseded_by = i.reverts WHERE ${row}
     )
     SELECT act FROM behind JOIN shared.audit_log a ON a.id = act WHERE a.action = $1`,
    [action, ...values],
  );
  return found?.act;
}
