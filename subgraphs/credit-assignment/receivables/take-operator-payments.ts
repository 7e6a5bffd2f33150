import { z } from 'zod';
import type { Context } from '../../../shared/kernel/context.js';
import { type Consumer, type PublishedEvent, payloadOf } from '../../../shared/events/outbox/outbox.js';
import { lockReceivables, requireOrder, takeOperatorPayment, takeWriteOff } from './operator-payment.store.js';
import { takeReversal } from './reversal.store.js';
import { takeRenegotiation, takeReversion } from './renegotiation.store.js';
import { takeLeavingOpen, unpaidForm, type LeftOpen } from './schedule.js';

/** The event of tokenization: an operator recorded the payment of an instalment of an assigned credit. */
const paymentForm = z.object({
  paymentId: z.uuid(),
  receivableId: z.uuid(),
  installmentNumber: z.int().positive(),
  /** In BRL. */
  amount: z.string(),
  paidOn: z.iso.date(),
  unpaid: unpaidForm,
});

/** The event of tokenization: an operator reversed the last payment of such an instalment. */
const reversalForm = z.object({
  id: z.uuid(),
  receivableId: z.uuid(),
  installmentNumber: z.int().positive(),
  amount: z.string(),
  /** Abated part of the amount, which had not been received. */
  abated: z.string(),
  /** Day of the payment that made the instalment whole; null where it was paid in part. */
  paidOn: z.iso.date().nullable(),
  paymentId: z.uuid().nullable(),
  unpaid: unpaidForm,
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
  unpaid: unpaidForm,
});

/** The event of tokenization: an operator reverted a renegotiation. */
const reversionForm = z.object({ id: z.uuid(), receivableId: z.uuid(), unpaid: unpaidForm });

/** The effect of an event on a receivable that is locked for it, and what the act left open. */
interface Step {
  readonly receivableId: string;
  readonly unpaid?: LeftOpen['unpaid'] | undefined;
  readonly take: () => Promise<void>;
}

/**
 * Subtracts payments that operators recorded on assets from their receivables, adds reversed ones back and follows new schedules, in the relay's transaction. The
 * acts on a receivable are taken in their order. A payment of the originator that is decided at the same time may be the same money: the open balances of
 * receivable and asset never fall below zero. The contract of a credit that was written off is no longer assigned, and its open balance no longer counts.
 */
export const takeOperatorPayments: Consumer = async (tx, events) => {
  const steps = events
    .toSorted((one, other) => one.sequence - other.sequence)
    .flatMap((event) => {
      const step = read(tx, event);
      return step === undefined ? [] : { ...step, position: event.sequence };
    });
  if (steps.length === 0) return;
  await lockReceivables(tx, [...new Set(steps.map(({ receivableId }) => receivableId))]);
  await requireOrder(tx, steps);
  for (const { receivableId, unpaid, position, take } of steps) {
    if (unpaid === undefined) await take();
    else await takeLeavingOpen(tx, { receivableId, sequence: position, unpaid }, take);
  }
};

function read(tx: Context, event: PublishedEvent): Step | undefined {
  const step = <T extends Pick<Step, 'receivableId' | 'unpaid'>>(
    form: z.ZodType<T>,
    subject: string,
    take: (told: T) => Promise<void>,
  ): Step | undefined => {
    const told = payloadOf(tx, event, form, subject);
    return told === undefined
      ? undefined
      : { receivableId: told.receivableId, unpaid: told.unpaid, take: () => take(told) };
  };
  switch (event.topic) {
    case 'assets.paid':
      return step(paymentForm, 'a payment by an operator', (paid) => takeOperatorPayment(tx, paid, event.sequence));
    case 'assets.payment_reversed':
      return step(reversalForm, 'a reversed payment', (reversed) =>
        takeReversal(tx, { ...reversed, eventId: event.id }),
      );
    case 'assets.renegotiated':
      return step(renegotiationForm, 'a renegotiation', (renegotiated) => takeRenegotiation(tx, renegotiated));
    case 'assets.renegotiation_reverted':
      return step(reversionForm, 'a reverted renegotiation', (reverted) => takeReversion(tx, reverted));
    case 'assets.written_off':
      return step(writeOffForm, 'a write-off', ({ receivableId }) => takeWriteOff(tx, receivableId));
    default:
      return undefined;
  }
}
