import { z } from 'zod';
import type { Context } from '../../../shared/context.js';
import type { Consumer, PublishedEvent } from '../../../shared/outbox/outbox.js';
import { lockReceivables, takeOperatorPayment } from './operator-payment.store.js';
import { takeReversal } from './payment-reversal.store.js';

/** What tokenization announces: an operator recorded the payment of an instalment of an assigned credit. */
const paymentForm = z.object({
  // An announcement of an earlier version has none.
  paymentId: z.uuid().optional(),
  receivableId: z.uuid(),
  installmentNumber: z.int().positive(),
  /** In BRL. */
  amount: z.string(),
  paidOn: z.iso.date(),
});

/** And: an operator reversed the last payment of such an instalment. */
const reversalForm = z.object({
  id: z.uuid(),
  receivableId: z.uuid(),
  installmentNumber: z.int().positive(),
  amount: z.string(),
  paymentId: z.uuid().nullable(),
});

/** What is done about an event, and the receivable that is locked for it. */
interface Step {
  readonly receivableId: string;
  readonly take: (tx: Context) => Promise<void>;
}

/**
 * Takes payments that operators recorded on assets off their receivables, and opens again what they reversed, in the relay's transaction and in the order of the
 * events. A payment of the originator that is decided at the same time may be of the same money: what is open falls to zero and no lower, as the balance of the
 * asset does.
 */
export const takeOperatorPayments: Consumer = async (tx, events) => {
  const steps = events.flatMap((event) => read(tx, event));
  if (steps.length === 0) return;
  await lockReceivables(tx, [...new Set(steps.map(({ receivableId }) => receivableId))]);
  for (const { take } of steps) await take(tx);
};

function read({ log }: Context, event: PublishedEvent): Step[] {
  if (event.topic === 'assets.paid') {
    const { data, error } = paymentForm.safeParse(event.payload);
    if (data !== undefined) {
      const payment = { ...data, paymentId: data.paymentId ?? event.id };
      return [{ receivableId: data.receivableId, take: (tx) => takeOperatorPayment(tx, payment) }];
    }
    log.error({ event: event.id, err: error }, "An operator's payment is not of the form that is announced");
  } else if (event.topic === 'assets.payment_reversed') {
    const { data, error } = reversalForm.safeParse(event.payload);
    if (data !== undefined)
      return [{ receivableId: data.receivableId, take: (tx) => takeReversal(tx, { ...data, eventId: event.id }) }];
    log.error({ event: event.id, err: error }, 'The reversal of a payment is not of the form that is announced');
  }
  // Its own transaction wrote it as what it is not: the events after it must go on.
  return [];
}
