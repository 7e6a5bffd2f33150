import { z } from 'zod';
import type { Context } from '../../../shared/kernel/context.js';
import { announceAll, type Consumer, type DomainEvent } from '../../../shared/events/outbox/outbox.js';
import { takeMoves } from './assigned-asset.store.js';

/** Two triggers: credit assignment announces that a batch is processed, or this domain that more changes of it are to be announced. */
const processedForm = z.object({ data: z.object({ settlementBatchId: z.uuid() }) });
const moreForm = z.object({ batchId: z.uuid() });

/**
 * Announces the assets whose status a settlement batch changed, once the batch is processed: nobody waits for it, and there are as
 * many events as the batch has payments. Handles one part at a time, each queued behind the events announced in the meantime.
 */
export const tellMoves: Consumer = async (tx, events) => {
  const batches = events.flatMap(({ topic, payload }) => {
    if (topic === 'assets.moved') return moreForm.safeParse(payload).data?.batchId ?? [];
    if (topic === 'settlement_batch.processed')
      return processedForm.safeParse(payload).data?.data.settlementBatchId ?? [];
    return [];
  });
  for (const batchId of new Set(batches)) await tellNext(tx, batchId);
};

async function tellNext(tx: Context, batchId: string): Promise<void> {
  const next = await takeMoves(tx, batchId);
  if (next === undefined) return;
  const { ownerId, moves } = next;
  await announceAll(tx, [
    ...moves.map((data): DomainEvent => ({
      topic: 'contract.status_changed',
      key: data.assetId,
      payload: { ownerId, data },
    })),
    { topic: 'assets.moved', key: batchId, payload: { batchId }, internal: true },
  ]);
}
