import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announce } from '../../../shared/outbox/outbox.js';
import { moved } from '../credit-batches/credit-batch-transitions.js';
import { addOutstandingPieces } from '../processing/outstanding-pieces.store.js';
import { detailOf } from './refused-settlement.js';
import { keepReferences, lockPaidReceivables, moveBalances, pieceSize, settledEntries } from './settle.store.js';
import { settlementBatchEvent } from './settlement-batch-event.js';
import {
  lockLeasedSettlementBatch,
  saveSettlementBatch,
  type LockedSettlementBatch,
} from './settlement-batch.store.js';
import { refusalOfBatch, type Refusal } from './settlement.store.js';

/** Maximum number of errors that are stored of a rejected batch. */
export const maxErrors = 1000;

/**
 * Decides a claimed batch: all of its payments are subtracted from the receivables, or none. Receivables are locked before
 * they are checked, so that of two batches competing for one balance one is rejected. Does nothing when the lease is no
 * longer valid.
 */
export async function processSettlementBatch(context: Context, id: string, lease: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const locked = await lockLeasedSettlementBatch(tx, id, lease);
    if (locked === undefined) return;
    await lockPaidReceivables(tx, id);
    const refusal = await refusalOfBatch(tx, locked.batch.creditBatchId, id, maxErrors);
    if (refusal.total > 0) await reject(tx, locked, refusal);
    else await accept(tx, locked);
  });
}

async function reject(tx: Context, { batch, ownerId }: LockedSettlementBatch, refusal: Refusal): Promise<void> {
  const { refused, total } = refusal;
  const processedAt = tx.clock.now();
  const rejected = {
    ...batch,
    status: moved(batch.status, 'REJECT'),
    rejectionReason: `${reasonOf(refused)}: ${total} of ${batch.settlementCount}`,
    errorCount: total,
    processedAt,
  };
  const errors = refused.map((one) => ({ index: one.position, externalId: one.externalId, ...detailOf(one) }));
  await saveSettlementBatch(tx, rejected, errors);
  await announce(tx, settlementBatchEvent('settlement.failed', { batch: rejected, ownerId }, processedAt));
}

function reasonOf(refused: Refusal['refused']): string {
  const kinds = new Set(refused.map(({ kind }) => kind));
  return [
    'Payments exceed the open balances of their receivables',
    ...(kinds.has('REVERSED') ? ['repeat the reference of a reversed payment'] : []),
    ...(kinds.has('CHANGED') ? ['differ from the payments recorded with their references'] : []),
  ].join(', or ');
}

/** Updates the balances, and announces the payments to tokenization piece by piece. The batch is PROCESSED once all pieces are confirmed. */
async function accept(tx: Context, { batch, ownerId }: LockedSettlementBatch): Promise<void> {
  const { id: batchId, settlementCount } = batch;
  await keepReferences(tx, batchId);
  await moveBalances(tx, batchId);
  const pieces = Math.ceil(settlementCount / pieceSize);
  await addOutstandingPieces(tx, batchId, pieces);
  for (let piece = 0; piece < pieces; piece += 1) {
    const entries = await settledEntries(tx, batchId, piece * pieceSize, pieceSize);
    const payload = { batchId, piece, ownerId, entries };
    await announce(tx, { topic: 'receivables.settled', key: batchId, payload, internal: true });
  }
  await saveSettlementBatch(tx, batch);
}
