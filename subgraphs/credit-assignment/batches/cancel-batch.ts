import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announceBatches } from './batch-event.js';
import type { BatchKind } from './batch-kind.js';
import { saveBatch, type BatchRow } from './batch.store.js';
import { requireLockedBatch } from './require-batch.js';
import { transition } from './transitions.js';

/** Cancels before its processing has begun, and finally. @throws {ApiError} that of the kind for a missing batch, BATCH_STATUS, also for one that is already cancelled */
export async function cancelBatch<Row extends BatchRow>(
  context: Context,
  kind: BatchKind<Row>,
  id: string,
): Promise<Row> {
  return inTransaction(context, async (tx) => {
    const batch = await requireLockedBatch(tx, kind, id);
    const cancelledAt = tx.clock.now();
    const cancelled = { ...batch, status: transition(batch.status, 'CANCEL'), cancelledAt };
    await saveBatch(tx, kind, cancelled);
    await announceBatches(tx, kind, 'CANCELLED', [cancelled], cancelledAt);
    return cancelled;
  });
}
