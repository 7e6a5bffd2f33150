import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { announce } from '../../../shared/outbox/outbox.js';
import { moved } from '../credit-batches/credit-batch-transitions.js';
import { wakeProcessing } from '../processing/wake.js';
import { lockOwnSettlementBatch } from './own-settlement-batch.js';
import { settlementBatchEvent } from './settlement-batch-event.js';
import { saveSettlementBatch, type SettlementBatchRow } from './settlement-batch.store.js';

/**
 * Submits a settlement batch for good. Its processing begins once the grace period is over.
 * @param graceMs how long it can still be cancelled
 * @throws {ApiError} SETTLEMENT_BATCH_NOT_FOUND, BATCH_STATUS
 */
export async function submitSettlementBatch(
  context: Context,
  graceMs: number,
  id: string,
): Promise<SettlementBatchRow> {
  return inTransaction(context, async (tx) => {
    const { batch, ownerId } = await lockOwnSettlementBatch(tx, id);
    const submittedAt = tx.clock.now();
    const row = submitted(batch, submittedAt, graceMs);
    await saveSettlementBatch(tx, row);
    await announce(tx, settlementBatchEvent('settlement_batch.submitted', { batch: row, ownerId }, submittedAt));
    afterCommit(tx, () => {
      wakeProcessing(tx);
    });
    return row;
  });
}

/**
 * Returns a batch with the changes of its submission.
 * @throws {ApiError} BATCH_STATUS
 */
export function submitted(batch: SettlementBatchRow, submittedAt: Date, graceMs: number): SettlementBatchRow {
  const processAfter = new Date(submittedAt.getTime() + graceMs);
  return { ...batch, status: moved(batch.status, 'SUBMIT'), submittedAt, processAfter };
}
