import { z } from 'zod';
import type { DomainEvent } from '../../../shared/outbox/outbox.js';
import type { LockedSettlementBatch } from './settlement-batch.store.js';

/** The events of a settlement batch in the stream of updates. Webhooks receive the second and the third. */
export const updateTopics = [
  'settlement_batch.submitted',
  'settlement_batch.processed',
  'settlement.failed',
  'settlement_batch.cancelled',
  'settlement_batch.payments_reversed',
] as const;
export type UpdateTopic = (typeof updateTopics)[number];
export type SettlementTopic = UpdateTopic | 'settlement.processed';

/** Returns the event of a settlement batch that has just changed its status, or of which payments were reversed. */
export function settlementBatchEvent(
  topic: SettlementTopic,
  { batch, ownerId }: LockedSettlementBatch,
  occurredAt: Date,
): DomainEvent {
  const { id, originatorId, creditBatchId, status, settlementCount, totalSettledAmount, rejectionReason } = batch;
  const data = {
    settlementBatchId: id,
    creditBatchId,
    status,
    settlementCount,
    totalSettledAmount,
    occurredAt: occurredAt.toISOString(),
    ...(rejectionReason === null ? {} : { reason: rejectionReason }),
  };
  return { topic, key: id, payload: { ownerId, originatorId, data } };
}

/** The part of such an event that a stream of updates reads. */
export const settlementBatchEventSchema = z.object({
  topic: z.enum(updateTopics),
  payload: z.object({
    originatorId: z.uuid(),
    data: z.object({ settlementBatchId: z.uuid(), occurredAt: z.iso.datetime() }),
  }),
});
