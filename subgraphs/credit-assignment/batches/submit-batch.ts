import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { wakeProcessing } from '../processing/wake.js';
import { announceBatches } from './batch-event.js';
import type { BatchKind } from './batch-kind.js';
import { saveBatch, type BatchRow, type OwnedBatch } from './batch.store.js';
import { requireLockedBatch } from './require-batch.js';
import { transition } from './transitions.js';

/** Processing begins once the grace period is over. @param graceMs how long it can still be cancelled @throws {ApiError} that of the kind, BATCH_STATUS; FORBIDDEN and UNPROCESSABLE by the estate */
export async function submitBatch<Row extends BatchRow>(
  context: Context,
  kind: BatchKind<Row>,
  graceMs: number,
  id: string,
): Promise<Row> {
  return inTransaction(context, async (tx) => {
    const draft = await requireLockedBatch(tx, kind, id);
    const submittedAt = tx.clock.now();
    const batch = submitted(draft, submittedAt, graceMs);
    await kind.requireSubmittable?.(tx, batch);
    await saveBatch(tx, kind, batch);
    await announceSubmission(tx, kind, batch, submittedAt);
    return batch;
  });
}

/** @throws {ApiError} BATCH_STATUS */
export function submitted<Row extends BatchRow>(batch: Row, submittedAt: Date, graceMs: number): Row {
  const processAfter = new Date(submittedAt.getTime() + graceMs);
  return { ...batch, status: transition(batch.status, 'SUBMIT'), submittedAt, processAfter };
}

/** Announces a submitted batch, and wakes its processing once the transaction is committed. */
export async function announceSubmission<Row extends BatchRow>(
  tx: Context,
  kind: BatchKind<Row>,
  batch: OwnedBatch<Row>,
  submittedAt: Date,
): Promise<void> {
  await announceBatches(tx, kind, 'SUBMITTED', [batch], submittedAt);
  afterCommit(tx, () => wakeProcessing(tx));
}
