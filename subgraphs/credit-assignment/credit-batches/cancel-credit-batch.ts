import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announce } from '../../../shared/outbox/outbox.js';
import { creditBatchEvent } from './credit-batch-event.js';
import { moved } from './credit-batch-transitions.js';
import { saveBatch, type CreditBatchRow } from './credit-batch.store.js';
import { lockOwnCreditBatch } from './own-credit-batch.js';

/**
 * Cancels a batch whose processing has not begun. This is final.
 * @throws {ApiError} BATCH_NOT_FOUND, BATCH_STATUS, also for one that is already cancelled
 */
export async function cancelCreditBatch(context: Context, id: string): Promise<CreditBatchRow> {
  return inTransaction(context, async (tx) => {
    const { batch, ownerId } = await lockOwnCreditBatch(tx, id);
    const cancelledAt = tx.clock.now();
    const cancelled = { ...batch, status: moved(batch.status, 'CANCEL'), cancelledAt };
    await saveBatch(tx, cancelled);
    await announce(tx, creditBatchEvent('credit_batch.cancelled', cancelled, { ownerId, occurredAt: cancelledAt }));
    return cancelled;
  });
}
