import type { DomainEvent } from '../../../shared/outbox/outbox.js';
import type { LockedSettlementBatch } from './settlement-batch.store.js';

export type SettlementTopic = 'settlement.processed' | 'settlement_batch.processed' | 'settlement.failed';

/** What is told of a settlement batch that has just been processed or rejected. */
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
