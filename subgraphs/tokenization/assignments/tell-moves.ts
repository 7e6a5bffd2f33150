import { z } from 'zod';
import type { Context } from '../../../shared/kernel/context.js';
import { announceAll, type Consumer, type DomainEvent, announce } from '../../../shared/events/outbox/outbox.js';
import { takeMoves, isAssigned } from './assigned-asset.store.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { InstallmentRow, AssetRow } from '../assets/asset.store.js';

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

/**
 * Announces `assets.paid` when an operator records the payment of an instalment of an assigned credit: credit assignment deducts
 * it from the receivable.
 * @param before the instalment before the payment
 * @param after the same, paid
 * @param instalments all of the credit, as they are after it
 */
export async function tellOperatorPayment(
  tx: Context,
  before: InstallmentRow,
  after: InstallmentRow,
  instalments: readonly InstallmentRow[],
): Promise<void> {
  const { assetId, installmentNumber, paidOn } = after;
  if (!(await isAssigned(tx, assetId))) return;
  const amount = new Decimal(after.paidAmount).minus(before.paidAmount).toFixed(2);
  // Uses the audit log id of the operator's mutation, which a reversal refers to.
  const paymentId = tx.auditedAct?.id ?? newId(tx.clock.now().getTime());
  const unpaid = unpaidOf(instalments);
  const payload = { paymentId, receivableId: assetId, installmentNumber, amount, paidOn, unpaid };
  await announce(tx, { topic: 'assets.paid', key: assetId, payload, internal: true });
}

/** Returns the open amount of each pending instalment. Credit assignment gets it with each act of an operator, since it cannot know which instalments the operator chose. */
export function unpaidOf(instalments: readonly InstallmentRow[]) {
  return instalments.flatMap(({ status, dueDate, amount, paidAmount }) => {
    const open = new Decimal(amount).minus(paidAmount);
    return status === 'PENDING' && open.gt(0) ? { dueDate, amount: open.toFixed(2) } : [];
  });
}

/** Announces `assets.written_off` when an operator writes off an assigned credit: credit assignment releases its contract. A repetition changes nothing there. */
export async function tellWriteOff(tx: Context, { id, originatorId }: AssetRow): Promise<void> {
  if (originatorId === null) return;
  await announce(tx, { topic: 'assets.written_off', key: id, payload: { receivableId: id }, internal: true });
}
