import type { Context } from '../../../shared/context.js';
import { commonColumns, type BatchRow, type BatchTable } from '../batches/batch.store.js';

/** A credit batch as it is stored. Its lines are contracts, and its total is their face value. */
export interface CreditBatchRow extends BatchRow {
  readonly name: string;
}

export const creditBatchTable: BatchTable<CreditBatchRow> = {
  table: 'credit_assignment.credit_batches',
  columns: [...commonColumns, ['name', 'name'], ['lineCount', 'receivable_count'], ['total', 'total_face_value']],
  idFilters: [['patrimonyId', 'patrimony_id']],
};

/** Writes the status of a batch and its totals, after a change of its contracts. */
export async function saveTotals({ manager }: Context, row: CreditBatchRow): Promise<void> {
  await manager.query(
    `UPDATE credit_assignment.credit_batches SET status = $2, receivable_count = $3, total_face_value = $4 WHERE id = $1`,
    [row.id, row.status, row.lineCount, row.total],
  );
}
