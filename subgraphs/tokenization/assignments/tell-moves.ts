import { z } from 'zod';
import type { Context } from '../../../shared/context.js';
import { announceAll, type Consumer, type DomainEvent } from '../../../shared/outbox/outbox.js';
import { takeMoves } from './settled-piece.store.js';

/** Credit assignment announces that a batch is processed; this domain, that more of it is to be told. */
const processedForm = z.object({ data: z.object({ settlementBatchId: z.uuid() }) });
const moreForm = z.object({ batchId: z.uuid() });

/**
 * Announces the assets that a settlement batch moved to another status, once it is processed: nobody waits for that, and it is as many
 * events as the batch has payments. A piece at a time, each behind what was announced meanwhile.
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
