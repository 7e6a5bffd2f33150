import { z } from 'zod';
import type { Context } from '../../../shared/context.js';
import type { PublishedEvent } from '../../../shared/outbox/outbox.js';
import type { Consumer } from '../../../shared/outbox/relay.js';
import { lockReceivables, takeOperatorPayment, type OperatorPayment } from './operator-payment.store.js';

/** What tokenization announces: an operator recorded the payment of an instalment of an assigned credit. */
const paymentForm = z.object({
  receivableId: z.uuid(),
  installmentNumber: z.int().positive(),
  /** In BRL. */
  amount: z.string(),
  paidOn: z.iso.date(),
});

/**
 * Takes payments that operators recorded on assets off their receivables, in the relay's transaction. A payment of the originator that
 * is decided at the same time may be of the same money: what is open falls to zero and no lower, as the balance of the asset does.
 */
export const takeOperatorPayments: Consumer = async (tx, events) => {
  const payments = events.filter(({ topic }) => topic === 'assets.paid').flatMap((event) => read(tx, event));
  if (payments.length === 0) return;
  await lockReceivables(tx, [...new Set(payments.map(({ receivableId }) => receivableId))]);
  for (const payment of payments) await takeOperatorPayment(tx, payment);
};

function read({ log }: Context, event: PublishedEvent): OperatorPayment[] {
  const parsed = paymentForm.safeParse(event.payload);
  if (parsed.success) return [parsed.data];
  // Its own transaction wrote it as what it is not: the events after it must go on.
  log.error({ event: event.id, err: parsed.error }, "An operator's payment is not of the form that is announced");
  return [];
}
