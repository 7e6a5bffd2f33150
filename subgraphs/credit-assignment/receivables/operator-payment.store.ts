import type { Context } from '../../../shared/kernel/context.js';
import { arraysOf } from '../../../shared/kernel/group-by.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { reverseOvertaken } from './reversal.store.js';
import { releaseContract } from '../eligibility/eligibility.store.js';

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
export async function lockReceivables({ manager }: Context, ids: readonly string[]): Promise<void> {
  await manager.execute(
    `SELECT count(*) FROM (
       SELECT FROM credit_assignment.receivables WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE) AS locked`,
    [ids],
  );
}

/** The events of tokenization about an operator's act on the instalments of an asset. */
export const actTopics = [
  'assets.paid',
  'assets.payment_reversed',
  'assets.renegotiated',
  'assets.renegotiation_reverted',
] as const;

/** Requires the order of acts: a payment before the balance rose would be cut at it. @param events by their places in the outbox @throws until an earlier act is consumed: the relay retries until then */
export async function requireOrder(
  { manager }: Context,
  events: readonly { readonly receivableId: string; readonly position: number }[],
): Promise<void> {
  const earlier = await manager.value<string>(
    `SELECT earlier.id::text FROM unnest($1::text[], $2::bigint[]) AS event (receivable_id, position)
     JOIN shared.outbox AS earlier ON earlier.key = event.receivable_id AND earlier.position < event.position
     WHERE earlier.published_at IS NULL AND earlier.position < $3 AND earlier.position <> ALL ($2::bigint[])
       AND earlier.topic = ANY ($4) LIMIT 1`,
    // Whatever waits behind these events is not read.
    [...arraysOf(events, 'receivableId', 'position'), Math.max(...events.map(({ position }) => position)), actTopics],
  );
  if (earlier !== undefined) throw new Error(`An act on an asset waits for the one before it: ${earlier}`);
}

/** Marks a receivable as written off, and releases its contract: its external id may be assigned again. The first time is kept. */
export async function takeWriteOff(context: Context, receivableId: string): Promise<void> {
  await context.manager.execute(
    'UPDATE credit_assignment.receivables SET written_off_at = $2, changed_at = $2 WHERE id = $1 AND written_off_at IS NULL',
    [receivableId, context.clock.now()],
  );
  await releaseContract(context, receivableId);
}

/** Subtracts from a locked receivable, down to zero at most. A repeated payment and one of a receivable that does not exist change nothing. */
export async function takeOperatorPayment(
  context: Context,
  { paymentId, receivableId, installmentNumber, amount, paidOn }: OperatorPayment,
  position: number,
): Promise<void> {
  const { manager, clock } = context;
  const open = await manager.value<string>(
    `INSERT INTO credit_assignment.operator_payments (receivable_id, installment_number, amount, taken, paid_on, recorded_at, payment_id)
     SELECT id, $2, $3::numeric, least($3::numeric, open_balance), $4::date, $5, $6::uuid
     FROM credit_assignment.receivables WHERE id = $1
     ON CONFLICT DO NOTHING RETURNING (SELECT open_balance FROM credit_assignment.receivables WHERE id = $1)`,
    [receivableId, installmentNumber, amount, paidOn, clock.now(), paymentId],
  );
  if (open === undefined) return;
  const beyond = new Decimal(amount).minus(open);
  const none = { abated: '0', discounted: '0', substituted: '0' };
  const { abated, discounted, substituted } = beyond.gt(0)
    ? await reverseOvertaken(context, receivableId, beyond.toFixed(2), position)
    : none;
  await manager.execute(
    `WITH payment AS (
       UPDATE credit_assignment.operator_payments SET taken = taken + $4::numeric WHERE payment_id = $2 RETURNING taken - $4::numeric AS fell)
     UPDATE credit_assignment.receivables AS receivable
     SET open_balance = open_balance - fell, abated = abated - $4::numeric, discounted = discounted - $5::numeric,
       substituted = substituted - $6::numeric, changed_at = $3,
       status = CASE WHEN open_balance = fell THEN 'SETTLED' ELSE status END,
       settled_at = CASE WHEN open_balance = fell THEN coalesce(settled_at, $3) ELSE settled_at END
     FROM payment WHERE receivable.id = $1`,
    [receivableId, paymentId, clock.now(), abated, discounted, substituted],
  );
}
