import { z } from 'zod';
import type { Context } from '../../../shared/kernel/context.js';
import { type Consumer, type PublishedEvent, payloadOf } from '../../../shared/events/outbox/outbox.js';
import { lockReceivables, requireSchedules, takeOperatorPayment, takeWriteOff } from './operator-payment.store.js';
import { takeReversal } from './receivable.store.js';
import { takeRenegotiation, takeReversion } from './renegotiation.store.js';

/** The event of tokenization: an operator recorded the payment of an instalment of an assigned credit. */
const paymentForm = z.object({
  paymentId: z.uuid(),
  receivableId: z.uuid(),
  installmentNumber: z.int().positive(),
  /** In BRL. */
  amount: z.string(),
  paidOn: z.iso.date(),
});

/** The event of tokenization: an operator reversed the last payment of such an instalment. */
const reversalForm = z.object({
  id: z.uuid(),
  receivableId: z.uuid(),
  installmentNumber: z.int().positive(),
  amount: z.string(),
  /** What of it was abated, and so had not been received. */
  abated: z.string(),
  /** Day of the payment that made the instalment whole; null where it was paid in part. */
  paidOn: z.iso.date().nullable(),
  paymentId: z.uuid().nullable(),
});

/** The event of tokenization: an operator wrote off an assigned credit. */
const writeOffForm = z.object({ receivableId: z.uuid() });

const amount = z.string().regex(/^\d+(\.\d+)?$/);
/** The event of tokenization: an operator replaced what was open of an assigned credit by a new schedule. */
const renegotiationForm = z.object({
  id: z.uuid(),
  receivableId: z.uuid(),
  installments: z
    .array(z.object({ number: z.int().positive(), dueDate: z.iso.date(), principal: amount, interest: amount }))
    .min(1),
  interestRate: amount.nullable(),
  dayCount: z.enum(['BUS252', 'CIVIL_365', 'CIVIL_360']).nullable(),
  raised: z.string(),
  reason: z.string(),
});

/** The event of tokenization: an operator reverted a renegotiation. */
const reversionForm = z.object({ id: z.uuid(), receivableId: z.uuid() });

/** The effect of an event, and the receivable to lock for it. */
interface Step {
  readonly receivableId: string;
  readonly take: () => Promise<void>;
}

/**
 * Subtracts payments that operators recorded on assets from their receivables, and adds reversed ones back, in the relay's transaction. Events may come in any
 * order: a payment whose reversal comes first is never subtracted, and one that was recorded after a reversal waits for it. A payment of the originator that is
 * decided at the same time may be the same money: the open balance never falls below zero, and neither does that of the asset. What follows a new schedule waits
 * for it. The contract of a credit that was written off is no longer assigned, and its open balance no longer counts.
 */
export const takeOperatorPayments: Consumer = async (tx, events) => {
  const steps = events
    .toSorted((one, other) => one.sequence - other.sequence)
    .flatMap((event) => read(tx, event).map((step) => ({ ...step, position: event.sequence })));
  if (steps.length === 0) return;
  await lockReceivables(tx, [...new Set(steps.map(({ receivableId }) => receivableId))]);
  await requireSchedules(tx, steps);
  for (const { take } of steps) await take();
};

function read(tx: Context, event: PublishedEvent): Step[] {
  if (event.topic === 'assets.paid') {
    const paid = payloadOf(tx, event, paymentForm, 'a payment by an operator');
    if (paid === undefined) return [];
    return [{ receivableId: paid.receivableId, take: () => takeOperatorPayment(tx, paid) }];
  }
  if (event.topic === 'assets.written_off') {
    const writtenOff = payloadOf(tx, event, writeOffForm, 'a write-off');
    if (writtenOff === undefined) return [];
    return [{ ...writtenOff, take: () => takeWriteOff(tx, writtenOff.receivableId) }];
  }
  if (event.topic === 'assets.renegotiated') {
    const renegotiated = payloadOf(tx, event, renegotiationForm, 'a renegotiation');
    if (renegotiated === undefined) return [];
    return [{ receivableId: renegotiated.receivableId, take: () => takeRenegotiation(tx, renegotiated) }];
  }
  if (event.topic === 'assets.renegotiation_reverted') {
    const reverted = payloadOf(tx, event, reversionForm, 'a reverted renegotiation');
    if (reverted === undefined) return [];
    return [{ receivableId: reverted.receivableId, take: () => takeReversion(tx, reverted) }];
  }
  if (event.topic !== 'assets.payment_reversed') return [];
  const reversed = payloadOf(tx, event, reversalForm, 'a reversed payment');
  if (reversed === undefined) return [];
  const reversal = { ...reversed, eventId: event.id };
  return [{ receivableId: reversed.receivableId, take: () => takeReversal(tx, reversal) }];
}
