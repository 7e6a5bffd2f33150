import { z } from 'zod';
import type { Consumer } from '../../../shared/events/outbox/outbox.js';
import { announceBatches } from '../batches/batch-event.js';
import type { BatchKind } from '../batches/batch-kind.js';
import { lockBatches, saveBatch, type BatchRow, type OwnedBatch } from '../batches/batch.store.js';
import { transition } from '../batches/transitions.js';
import { removeOutstandingPieces } from './outstanding-pieces.store.js';

/** The event with which tokenization confirms a piece. */
const confirmationForm = z.object({ batchId: z.uuid(), piece: z.int().nonnegative() });

/** Runs in the relay's transaction: with the confirmation of its last piece a batch is PROCESSED and announced; a repeated confirmation changes nothing. */
export function concludeBatches<Row extends BatchRow>(kind: BatchKind<Row>): Consumer {
  return async (tx, events) => {
    const confirmed = events
      .filter(({ topic }) => topic === kind.confirmationTopic)
      .flatMap(({ payload }) => confirmationForm.safeParse(payload).data ?? []);
    if (confirmed.length === 0) return;
    // Locked before the pieces are removed: of two relays with the last two pieces, the second then sees that it has the last.
    const locked = await lockBatches(tx, kind, [...new Set(confirmed.map(({ batchId }) => batchId))]);
    const complete = new Set(await removeOutstandingPieces(tx, confirmed));
    const processedAt = tx.clock.now();
    const processed: OwnedBatch<Row>[] = [];
    for (const batch of locked.filter(({ id }) => complete.has(id))) {
      const concluded = { ...batch, status: transition(batch.status, 'COMPLETE'), processedAt };
      await saveBatch(tx, kind, concluded);
      processed.push(concluded);
    }
    await announceBatches(tx, kind, 'PROCESSED', processed, processedAt);
  };
}
