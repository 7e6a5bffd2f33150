import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announce } from '../../../shared/outbox/outbox.js';
import { moved } from '../credit-batches/credit-batch-transitions.js';
import { lockOwnSettlementBatch } from './own-settlement-batch.js';
import { settlementBatchEvent } from './settlement-batch-event.js';
import { saveSettlementBatch, type SettlementBatchRow } from './settlement-batch.store.js';

/**
 * Cancels a settlement batch whose processing has not begun. This is final.
 * @throws {ApiError} SETTLEMENT_BATCH_NOT_FOUND, BATCH_STATUS, also for one that is already cancelled
 */
export async function cancelSettlementBatch(context: Context, id: string): Promise<SettlementBatchRow> {
  return inTransaction(context, async (tx) => {
    const { batch, ownerId } = await lockOwnSettlementBatch(tx, id);
    const cancelledAt = tx.clock.now();
    const cancelled = { ...batch, status: moved(batch.status, 'CANCEL'), cancelledAt };
    await saveSettlementBatch(tx, cancelled);
    await announce(tx, settlementBatchEvent('settlement_batch.cancelled', { batch: cancelled, ownerId }, cancelledAt));
    return cancelled;
  });
}
