import type { Context } from '../../../shared/context.js';
import { retractedOf } from '../../../shared/import/write/retract.js';
import { operations } from './model/operations.js';

/** Remembers how often the data of final reports had changed, of the operations that are to go: their data goes too. */
export async function keepInputs({ manager }: Context): Promise<void> {
  await manager.query(
    `INSERT INTO issuances.withdrawn_inputs (operation_id, month, changes)
     SELECT operation_id, month, changes FROM issuances.report_inputs i
     WHERE operation_id IN (SELECT own_id FROM ${retractedOf(operations)})
       AND EXISTS (SELECT FROM issuances.monthly_reports r WHERE r.operation_id = i.operation_id)
     ON CONFLICT (operation_id, month) DO UPDATE SET changes = excluded.changes`,
  );
}

/** Gives the operations that are there again the counts that they went with, each once. */
export async function restoreInputs({ manager }: Context, operationIds: readonly string[]): Promise<void> {
  await manager.query(
    `WITH back AS (
       DELETE FROM issuances.withdrawn_inputs w USING issuances.operations o
       WHERE o.id = w.operation_id AND o.id = ANY ($1::uuid[]) RETURNING w.operation_id, w.month, w.changes
     )
     UPDATE issuances.report_inputs i SET changes = back.changes FROM back
     WHERE i.operation_id = back.operation_id AND i.month = back.month`,
    [operationIds],
  );
}
