import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announce, type Consumer } from '../../../shared/events/outbox/outbox.js';
import { announceBatches } from '../batches/batch-event.js';
import type { BatchKind, Refused, Rejection } from '../batches/batch-kind.js';
import { lockLeasedBatch, saveBatch, type BatchRow, type OwnedBatch, lockBatches } from '../batches/batch.store.js';
import { transition } from '../batches/transitions.js';
import { addOutstandingPieces, removeOutstandingPieces } from './outstanding-pieces.store.js';
import { z } from 'zod';

/** Positions per event to tokenization: the lines of a batch at so many positions form a piece. */
export const pieceSize = 1000;

/** Decides a claimed batch in one transaction: it is rejected, or accepted without its refused lines. Does nothing when the lease is no longer valid. */
export async function processBatch<Row extends BatchRow>(
  context: Context,
  kind: BatchKind<Row>,
  id: string,
  lease: string,
): Promise<void> {
  await inTransaction(context, async (tx) => {
    const batch = await lockLeasedBatch(tx, kind, id, lease);
    if (batch === undefined) return;
    const verdict = await kind.check(tx, batch);
    if (verdict !== undefined && 'reason' in verdict) await reject(tx, kind, batch, verdict);
    else await accept(tx, kind, batch, verdict);
  });
}

async function reject<Row extends BatchRow>(
  tx: Context,
  kind: BatchKind<Row>,
  batch: OwnedBatch<Row>,
  { reason, rules, errorCount, errors }: Rejection,
): Promise<void> {
  const processedAt = tx.clock.now();
  const status = transition(batch.status, 'REJECT');
  const rejected = { ...batch, status, rejectionReason: reason, rejectionRules: rules, errorCount, processedAt };
  await saveBatch(tx, kind, rejected, errors);
  await announceBatches(tx, kind, 'REJECTED', [rejected], processedAt);
}

/** Applies a batch, and announces it to tokenization piece by piece. It is PROCESSED once all pieces are confirmed. */
async function accept<Row extends BatchRow>(
  tx: Context,
  kind: BatchKind<Row>,
  checked: OwnedBatch<Row>,
  { errorCount, errors }: Refused = { errorCount: 0, errors: [] },
): Promise<void> {
  const batch = { ...(await kind.accept(tx, checked)), errorCount };
  const { id: batchId, lineCount } = batch;
  await announceBatches(tx, kind, 'APPROVED', [batch], tx.clock.now());
  const pieces = Math.ceil(lineCount / pieceSize);
  await addOutstandingPieces(tx, batchId, pieces);
  for (let piece = 0; piece < pieces; piece += 1) {
    const payload = { batchId, piece, ...(await kind.piece(tx, batch, piece * pieceSize, pieceSize)) };
    await announce(tx, { topic: kind.pieceTopic, key: batchId, payload, internal: true });
  }
  await saveBatch(tx, kind, batch, errors);
}

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
