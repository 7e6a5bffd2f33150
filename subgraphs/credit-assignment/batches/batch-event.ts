import { z } from 'zod';
import type { Context } from '../../../shared/kernel/context.js';
import { announceAll, type DomainEvent } from '../../../shared/events/outbox/outbox.js';
import type { BatchChange, BatchKind } from './batch-kind.js';
import type { BatchRow, OwnedBatch } from './batch.store.js';

/** Runs in the current transaction; changes for which the kind has no topic are not announced. @param occurredAt when they changed */
export async function announceBatches<Row extends BatchRow>(
  tx: Context,
  kind: BatchKind<Row>,
  change: BatchChange,
  batches: readonly OwnedBatch<Row>[],
  occurredAt: Date,
): Promise<void> {
  const topics = kind.topics[change] ?? [];
  await announceAll(
    tx,
    batches.flatMap((batch) => topics.map((topic) => batchEvent(kind, topic, batch, occurredAt))),
  );
}

function batchEvent<Row extends BatchRow>(
  kind: BatchKind<Row>,
  topic: string,
  batch: OwnedBatch<Row>,
  occurredAt: Date,
): DomainEvent {
  const { id, ownerId, originatorId, status, rejectionReason } = batch;
  const reason = rejectionReason === null ? {} : { reason: rejectionReason };
  const data = { ...kind.eventData(batch), status, occurredAt: occurredAt.toISOString(), ...reason };
  return { topic, key: id, payload: { ownerId, originatorId, data } };
}

/** The part of such an event that a stream of updates reads. */
export const batchEventSchema = z.object({
  key: z.uuid(),
  payload: z.object({ data: z.object({ occurredAt: z.iso.datetime() }) }),
});
