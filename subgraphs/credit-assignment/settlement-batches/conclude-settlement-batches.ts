import { z } from 'zod';
import type { Context } from '../../../shared/context.js';
import { announceAll, type Consumer } from '../../../shared/outbox/outbox.js';
import { moved } from '../credit-batches/credit-batch-transitions.js';
import { removeOutstandingPieces } from '../processing/outstanding-pieces.store.js';
import { settlementBatchEvent } from './settlement-batch-event.js';
import { lockSettlementBatches, saveSettlementBatch, type LockedSettlementBatch } from './settlement-batch.store.js';

/** The event with which tokenization confirms that the payments of a piece are in the assets. */
const answerForm = z.object({ batchId: z.uuid(), piece: z.int().nonnegative() });

/**
 * Moves a settlement batch to PROCESSED with the confirmation of its last piece, and announces it, in the relay's transaction. A repeated
 * confirmation changes nothing.
 */
export const concludeSettlementBatches: Consumer = async (tx, events) => {
  const answers = events
    .filter(({ topic }) => topic === 'assets.settled')
    .flatMap(({ payload }) => answerForm.safeParse(payload).data ?? []);
  if (answers.length === 0) return;
  // Locked before the pieces are removed: of two relays with the last two pieces, the second then sees that it has the last.
  const locked = await lockSettlementBatches(tx, [...new Set(answers.map(({ batchId }) => batchId))]);
  const answered = new Set(await removeOutstandingPieces(tx, answers));
  for (const one of locked) {
    if (answered.has(one.batch.id)) await conclude(tx, one);
  }
};

async function conclude(tx: Context, { batch, ownerId }: LockedSettlementBatch): Promise<void> {
  const processedAt = tx.clock.now();
  const processed = { ...batch, status: moved(batch.status, 'COMPLETE'), processedAt };
  await saveSettlementBatch(tx, processed);
  const told = { batch: processed, ownerId };
  await announceAll(tx, [
    settlementBatchEvent('settlement.processed', told, processedAt),
    settlementBatchEvent('settlement_batch.processed', told, processedAt),
  ]);
}
