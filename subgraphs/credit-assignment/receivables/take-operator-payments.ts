import { z } from 'zod';
import type { Context } from '../../../shared/kernel/context.js';
import type { Consumer, PublishedEvent } from '../../../shared/events/outbox/outbox.js';
import { payloadOf } from '../../../shared/events/outbox/payloads.js';
import { takeReversal } from './receivable.store.js';
import { releaseContract } from '../eligibility/eligibility.store.js';

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
  paymentId: z.uuid().nullable(),
});

/** The event of tokenization: an operator wrote off an assigned credit. */
const writeOffForm = z.object({ receivableId: z.uuid() });

/** The effect of an event, and the receivable to lock for it. */
interface Step {
  readonly receivableId: string;
  readonly take: () => Promise<void>;
}

/**
 * Subtracts payments that operators recorded on assets from their receivables, and adds reversed ones back, in the relay's transaction. Events may come in any
 * order: a payment whose reversal comes first is never subtracted, and one that was recorded after a reversal waits for it. A payment of the originator that is
 * decided at the same time may be the same money: the open balance never falls below zero, and neither does that of the asset. The contract of a credit that was
 * written off is no longer assigned, and its open balance no longer counts.
 */
export const takeOperatorPayments: Consumer = async (tx, events) => {
  const steps = events.toSorted((one, other) => one.sequence - other.sequence).flatMap((event) => read(tx, event));
  if (steps.length === 0) return;
  await lockReceivables(tx, [...new Set(steps.map(({ receivableId }) => receivableId))]);
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
  if (event.topic !== 'assets.payment_reversed') return [];
  const reversed = payloadOf(tx, event, reversalForm, 'a reversed payment');
  if (reversed === undefined) return [];
  const reversal = { ...reversed, eventId: event.id };
  return [{ receivableId: reversed.receivableId, take: () => takeReversal(tx, reversal) }];
}

/** A payment that an operator recorded on the asset of a receivable. */
export interface OperatorPayment {
  /** Tokenization's id of the payment, which its reversal names too. */
  readonly paymentId: string;
  readonly receivableId: string;
  readonly installmentNumber: number;
  /** In BRL. */
  readonly amount: string;
  /** `YYYY-MM-DD` */
  readonly paidOn: string;
}

/** Locks receivables, in the same order in every transaction. */
async function lockReceivables({ manager }: Context, ids: readonly string[]): Promise<void> {
  await manager.execute(
    `SELECT count(*) FROM (
       SELECT FROM credit_assignment.receivables WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE) AS locked`,
    [ids],
  );
}

/** Marks a receivable as written off, and releases its contract: its external id may be assigned again. The first time is kept. */
async function takeWriteOff(context: Context, receivableId: string): Promise<void> {
  await context.manager.execute(
    'UPDATE credit_assignment.receivables SET written_off_at = $2 WHERE id = $1 AND written_off_at IS NULL',
    [receivableId, context.clock.now()],
  );
  await releaseContract(context, receivableId);
}

/**
 * Subtracts a payment from the open balance of its receivable, which is locked, down to zero at most. A repeated payment, one that
 * was already reversed, and one of a receivable that does not exist change nothing.
 * @throws while another payment of the instalment stands: one of the two was reversed, and its reversal is not consumed yet. The relay retries until then
 */
async function takeOperatorPayment(
  { manager, clock }: Context,
  { paymentId, receivableId, installmentNumber, amount, paidOn }: OperatorPayment,
): Promise<void> {
  const other = await manager.value<string>(
    `SELECT payment_id::text FROM credit_assignment.operator_payments
     WHERE receivable_id = $1 AND installment_number = $2 AND reversed_at IS NULL AND payment_id <> $3::uuid
       AND NOT EXISTS (SELECT FROM credit_assignment.payment_reversals WHERE payment_id = $3::uuid)`,
    [receivableId, installmentNumber, paymentId],
  );
  if (other !== undefined)
    throw new Error(`The payment ${paymentId} of an operator waits for the reversal of another one: ${other}`);
  await manager.execute(
    `WITH payment AS (
       INSERT INTO credit_assignment.operator_payments
         (receivable_id, installment_number, amount, taken, paid_on, recorded_at, payment_id)
       SELECT id, $2, $3::numeric, least($3::numeric, open_balance), $4::date, $5, $6::uuid
       FROM credit_assignment.receivables
       WHERE id = $1 AND NOT EXISTS (SELECT FROM credit_assignment.payment_reversals WHERE payment_id = $6)
       ON CONFLICT DO NOTHING RETURNING receivable_id, taken)
     UPDATE credit_assignment.receivables AS receivable
     SET open_balance = open_balance - taken,
       status = CASE WHEN open_balance = taken THEN 'SETTLED' ELSE status END,
       settled_at = CASE WHEN open_balance = taken THEN coalesce(settled_at, $5) ELSE settled_at END
     FROM payment WHERE receivable.id = payment.receivable_id`,
    [receivableId, installmentNumber, amount, paidOn, clock.now(), paymentId],
  );
}
