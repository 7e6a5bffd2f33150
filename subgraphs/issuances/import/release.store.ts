import type { Context } from '../../../shared/kernel/context.js';
import { retractedOf } from '../../../shared/import/write/retract.js';
import { operations, series } from './model/operations.js';

/** Saves the change counts of final reports' data, of the operations to delete: their data is deleted too. */
export async function keepInputs({ manager }: Context): Promise<void> {
  await manager.execute(
    `DELETE FROM issuances.engine_prices WHERE series_id IN (SELECT own_id FROM ${retractedOf(series)})`,
  );
  await manager.execute(
    `INSERT INTO issuances.withdrawn_inputs (operation_id, month, changes)
     SELECT operation_id, month, changes FROM issuances.report_inputs i
     WHERE operation_id IN (SELECT own_id FROM ${retractedOf(operations)})
       AND EXISTS (SELECT FROM issuances.monthly_reports r WHERE r.operation_id = i.operation_id)
     ON CONFLICT (operation_id, month) DO UPDATE SET changes = excluded.changes`,
  );
}

/** Restores the saved change counts of operations that exist again, each once. */
export async function restoreInputs({ manager }: Context, operationIds: readonly string[]): Promise<void> {
  await manager.execute(
    `WITH back AS (
       DELETE FROM issuances.withdrawn_inputs w USING issuances.operations o
       WHERE o.id = w.operation_id AND o.id = ANY ($1::uuid[]) RETURNING w.operation_id, w.month, w.changes
     )
     UPDATE issuances.report_inputs i SET changes = back.changes FROM back
     WHERE i.operation_id = back.operation_id AND i.month = back.month`,
    [operationIds],
  );
}
