import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { announce } from '../../../shared/outbox/outbox.js';
import { requireAssignable } from '../estates/assignment.js';
import { wakeProcessing } from '../processing/wake.js';
import { creditBatchEvent } from './credit-batch-event.js';
import { moved } from './credit-batch-transitions.js';
import { saveBatch, type CreditBatchRow } from './credit-batch.store.js';
import { lockOwnCreditBatch } from './own-credit-batch.js';

/**
 * Submits a batch for good. Its processing begins once the grace period is over.
 * @param graceMs how long it can still be cancelled
 * @throws {ApiError} BATCH_NOT_FOUND, BATCH_STATUS; FORBIDDEN and UNPROCESSABLE where its estate accepts nothing from the client
 */
export async function submitCreditBatch(context: Context, graceMs: number, id: string): Promise<CreditBatchRow> {
  return inTransaction(context, async (tx) => {
    const { batch, ownerId } = await lockOwnCreditBatch(tx, id);
    const status = moved(batch.status, 'SUBMIT');
    await requireAssignable(tx, batch);
    const submittedAt = tx.clock.now();
    const submitted = {
      ...batch,
      status,
      submittedAt,
      processAfter: new Date(submittedAt.getTime() + graceMs),
    };
    await saveBatch(tx, submitted);
    await announce(tx, creditBatchEvent('credit_batch.submitted', submitted, { ownerId, occurredAt: submittedAt }));
    afterCommit(tx, () => {
      wakeProcessing(tx);
    });
    return submitted;
  });
}
