import { z } from 'zod';
import { announceAll, type Consumer, type DomainEvent } from '../../../shared/outbox/outbox.js';
import { creditBatchEvent } from '../credit-batches/credit-batch-event.js';
import { moved } from '../credit-batches/credit-batch-transitions.js';
import { lockBatches, saveDecided } from './credit-processing.store.js';
import { removeOutstandingPieces } from './outstanding-pieces.store.js';

/** The event with which tokenization confirms that the receivables of a piece are assets. */
const answerForm = z.object({ batchId: z.uuid(), piece: z.int().nonnegative() });

/**
 * Moves a credit batch to PROCESSED with the confirmation of its last piece, and announces it, in the relay's transaction. A repeated
 * confirmation changes nothing.
 */
export const concludeCreditBatches: Consumer = async (tx, events) => {
  const answers = events
    .filter(({ topic }) => topic === 'assets.registered')
    .flatMap(({ payload }) => answerForm.safeParse(payload).data ?? []);
  if (answers.length === 0) return;
  const locked = await lockBatches(tx, [...new Set(answers.map(({ batchId }) => batchId))]);
  const answered = new Set(await removeOutstandingPieces(tx, answers));
  const processedAt = tx.clock.now();
  const told: DomainEvent[] = [];
  for (const { batch, ownerId } of locked) {
    if (!answered.has(batch.id)) continue;
    const processed = { ...batch, status: moved(batch.status, 'COMPLETE'), processedAt };
    await saveDecided(tx, processed);
    told.push(creditBatchEvent('credit_batch.processed', processed, { ownerId, occurredAt: processedAt }));
  }
  await announceAll(tx, told);
};
