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

/** How many payments are named of a batch that is rejected. */
export const maxErrors = 1000;

/**
 * Decides a batch that was claimed: all of its payments are taken off the receivables, or none. Receivables are locked before
 * they are looked at, so that of two batches which race for one balance one is rejected. Does nothing when the lease is no
 * longer good.
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
    'Payments that are more than is open of their receivables',
    ...(kinds.has('REVERSED') ? ['of a reference whose payment was reversed'] : []),
    ...(kinds.has('CHANGED') ? ['not what was recorded by their reference'] : []),
  ].join(', or ');
}

/** Moves the balances, and tells tokenization piece by piece. The batch is PROCESSED once all of them are answered. */
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
