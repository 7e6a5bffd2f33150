import { z } from 'zod';
import type { DomainEvent } from '../../../shared/outbox/outbox.js';
import type { CreditBatchRow } from './credit-batch.store.js';

/** The events of a credit batch, by topic. Webhooks can receive all but the last. */
export const creditBatchTopics = [
  'credit_batch.submitted',
  'credit_batch.approved',
  'credit_batch.processed',
  'credit_batch.rejected',
  'credit_batch.cancelled',
] as const;
export type CreditBatchTopic = (typeof creditBatchTopics)[number];

/**
 * Returns the event of a batch that has just changed its status.
 * @param ownerId the account whose webhooks receive it: the originator's account, or the originator's own id where it has none
 */
export function creditBatchEvent(
  topic: CreditBatchTopic,
  batch: CreditBatchRow,
  { ownerId, occurredAt }: { readonly ownerId: string; readonly occurredAt: Date },
): DomainEvent {
  const { id: batchId, originatorId, patrimonyId, status, receivableCount, totalFaceValue, rejectionReason } = batch;
  const data = {
    batchId,
    patrimonyId,
    status,
    receivableCount,
    totalFaceValue,
    occurredAt: occurredAt.toISOString(),
    ...(rejectionReason === null ? {} : { reason: rejectionReason }),
  };
  return { topic, key: batchId, payload: { ownerId, originatorId, data } };
}

/** The part of such an event that a stream of updates reads. */
export const creditBatchEventSchema = z.object({
  topic: z.enum(creditBatchTopics),
  payload: z.object({
    originatorId: z.uuid(),
    data: z.object({ batchId: z.uuid(), occurredAt: z.iso.datetime() }),
  }),
});
