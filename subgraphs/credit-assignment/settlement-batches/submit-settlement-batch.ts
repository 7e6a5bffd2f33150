import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { moved } from '../credit-batches/credit-batch-transitions.js';
import { wakeProcessing } from '../processing/wake.js';
import { lockOwnSettlementBatch } from './own-settlement-batch.js';
import { saveSettlementBatch, type SettlementBatchRow } from './settlement-batch.store.js';

/**
 * Hands a settlement batch in, for good. Its processing begins once it could be cancelled for long enough.
 * @param graceMs for how long it can be
 * @throws {Fault} SETTLEMENT_BATCH_NOT_FOUND, BATCH_STATUS
 */
export async function submitSettlementBatch(
  context: Context,
  graceMs: number,
  id: string,
): Promise<SettlementBatchRow> {
  return inTransaction(context, async (tx) => {
    const { batch } = await lockOwnSettlementBatch(tx, id);
    const row = submitted(batch, tx.clock.now(), graceMs);
    await saveSettlementBatch(tx, row);
    afterCommit(tx, () => {
      wakeProcessing(tx);
    });
    return row;
  });
}

/**
 * A batch as its submission leaves it.
 * @throws {Fault} BATCH_STATUS
 */
export function submitted(batch: SettlementBatchRow, submittedAt: Date, graceMs: number): SettlementBatchRow {
  const processAfter = new Date(submittedAt.getTime() + graceMs);
  return { ...batch, status: moved(batch.status, 'SUBMIT'), submittedAt, processAfter };
}
