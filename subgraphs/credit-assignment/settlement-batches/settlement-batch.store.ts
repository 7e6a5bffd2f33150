import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import { commonColumns, selection, type BatchRow, type BatchTable } from '../batches/batch.store.js';
import { distinct, loadByLimit } from '../batches/load-by-limit.js';

/** A settlement batch as it is stored. Its lines are payments. */
export interface SettlementBatchRow extends BatchRow {
  readonly creditBatchId: string;
}

export const settlementBatchTable: BatchTable<SettlementBatchRow> = {
  table: 'credit_assignment.settlement_batches',
  columns: [
    ...commonColumns,
    ['creditBatchId', 'credit_batch_id'],
    ['lineCount', 'settlement_count'],
    ['total', 'total_settled_amount'],
  ],
  idFilters: [
    ['creditBatchId', 'credit_batch_id'],
    ['patrimonyId', 'patrimony_id'],
  ],
};

/** A key of batched reads: a credit batch, and how many of its newest settlement batches to return. */
export interface NewestSettlementBatches {
  readonly creditBatchId: string;
  readonly first: number;
}

/** Loads the newest settlement batches of each given credit batch, in the order of the keys. */
export function newestSettlementBatchesOf(
  { manager }: Context,
  keys: readonly NewestSettlementBatches[],
): Promise<(readonly SettlementBatchRow[])[]> {
  return loadByLimit(keys, async (first, alike) => {
    const rows = await manager.rows<SettlementBatchRow>(
      `SELECT batch.* FROM unnest($1::uuid[]) AS credit (id) CROSS JOIN LATERAL (
         SELECT ${selection(settlementBatchTable)} FROM credit_assignment.settlement_batches
         WHERE credit_batch_id = credit.id ORDER BY id DESC LIMIT $2) AS batch`,
      [distinct(alike, ({ creditBatchId }) => creditBatchId), first],
    );
    const byCreditBatch = groupBy(rows, ({ creditBatchId }) => creditBatchId);
    return ({ creditBatchId }) => byCreditBatch.get(creditBatchId);
  });
}
