import type { Context } from '../../../shared/context.js';
import { announceAll } from '../../../shared/outbox/outbox.js';

/** A payment that an operator reversed on the asset of a receivable. */
export interface PaymentReversal {
  /** Of the reversal itself. */
  readonly id: string;
  readonly receivableId: string;
  readonly installmentNumber: number;
  /** What is open again, in BRL. */
  readonly amount: string;
  /** The payment, where an operator had recorded it; null where it was of a settlement batch. */
  readonly paymentId: string | null;
}

/**
 * Opens again what a reversed payment had taken off its receivable, which is locked. The same reversal again changes nothing, and a payment of an operator whose
 * reversal is heard of first is never taken off.
 */
export async function takeReversal(context: Context, reversal: PaymentReversal): Promise<void> {
  if (!(await noteReversal(context, reversal))) return;
  const opened = reversal.paymentId === null ? reversal.amount : await markOperatorPayment(context, reversal);
  if (opened === undefined) return;
  if (reversal.paymentId === null) await markSettlements(context, reversal);
  else await settleAgain(context, reversal, opened);
  await context.manager.query(
    `UPDATE credit_assignment.receivables
     SET open_balance = least(face_value, open_balance + $2::numeric), status = 'OPEN', settled_at = NULL WHERE id = $1 AND $2::numeric > 0`,
    [reversal.receivableId, opened],
  );
}

/** Writes a reversal down; returns whether it is new. */
async function noteReversal({ manager, clock, log }: Context, reversal: PaymentReversal): Promise<boolean> {
  const { id, receivableId, amount, paymentId } = reversal;
  const noted = await manager.query<unknown[]>(
    `INSERT INTO credit_assignment.payment_reversals (id, receivable_id, amount, payment_id, recorded_at)
     SELECT $1, id, $3::numeric, $4::uuid, $5 FROM credit_assignment.receivables WHERE id = $2
     ON CONFLICT DO NOTHING RETURNING 1`,
    [id, receivableId, amount, paymentId, clock.now()],
  );
  if (noted.length > 0) return true;
  const [known] = await manager.query<{ id: string }[]>(
    'SELECT id FROM credit_assignment.payment_reversals WHERE payment_id = $1 AND id <> $2',
    [paymentId, id],
  );
  if (known !== undefined)
    log.error({ reversal: id, before: known.id, paymentId }, 'A payment is told to be reversed twice');
  return false;
}

/** Marks the payment of an operator as reversed; returns what it had taken off the receivable, in BRL, or undefined where it is not there. */
async function markOperatorPayment(
  { manager, clock }: Context,
  reversal: PaymentReversal,
): Promise<string | undefined> {
  const { receivableId, installmentNumber, paymentId, amount } = reversal;
  const [rows]: [{ opened: string }[], number] = await manager.query(
    `UPDATE credit_assignment.operator_payments SET reversed_at = $4
     WHERE receivable_id = $1 AND installment_number = $2 AND reversed_at IS NULL AND coalesce(payment_id, $3::uuid) = $3
     RETURNING least(taken, $5::numeric) AS opened`,
    [receivableId, installmentNumber, paymentId, clock.now(), amount],
  );
  return rows[0]?.opened;
}

/**
 * Tells tokenization again of payments of the originator that were in the receivable before the operator's payment, and reached the asset after it, when nothing
 * was left to be paid there: with the reversal the asset lost them too.
 */
async function settleAgain(
  context: Context,
  { id, receivableId, amount }: PaymentReversal,
  opened: string,
): Promise<void> {
  const [again] = await context.manager.query<{ ownerId: string; settledAmount: string; settledDate: string }[]>(
    `SELECT coalesce(originator.account_id, originator.id::text) AS "ownerId", max(settled_date)::text AS "settledDate",
       least($2::numeric - $3::numeric, sum(settled_amount))::text AS "settledAmount"
     FROM credit_assignment.settlements JOIN credit_assignment.settlement_batches AS batch ON batch.id = batch_id
     JOIN credit_assignment.originators AS originator ON originator.id = batch.originator_id
     WHERE receivable_id = $1 AND NOT repeated AND reversed_at IS NULL AND batch.status = 'PROCESSED' AND $2::numeric > $3::numeric
     GROUP BY originator.id`,
    [receivableId, amount, opened],
  );
  if (again === undefined) return;
  const { ownerId, settledAmount, settledDate } = again;
  const payload = { batchId: id, piece: 0, ownerId, entries: [{ receivableId, settledAmount, settledDate }] };
  await announceAll(context, [
    { topic: 'receivables.settled', key: id, payload, internal: true },
    { topic: 'assets.moved', key: id, payload: { batchId: id }, internal: true },
  ]);
}

/** Marks payments of settlement batches as reversed, the newest first, until they make up the amount. */
async function markSettlements({ manager, clock }: Context, reversal: PaymentReversal): Promise<void> {
  await manager.query(
    `WITH taken AS (
       SELECT batch_id, position, settled_amount,
         sum(settled_amount) OVER (ORDER BY batch.status = 'PROCESSED' DESC, batch.processed_at DESC, batch_id DESC, position DESC)
         - settled_amount AS newer
       FROM credit_assignment.settlements AS settlement
       JOIN credit_assignment.settlement_batches AS batch ON batch.id = settlement.batch_id
       WHERE settlement.receivable_id = $1 AND NOT repeated AND reversed_at IS NULL
         AND (batch.status = 'PROCESSED' OR batch.status = 'PROCESSING' AND batch.lease IS NULL)
     )
     UPDATE credit_assignment.settlements AS settlement SET reversed_at = $3 FROM taken
     WHERE settlement.batch_id = taken.batch_id AND settlement.position = taken.position AND taken.newer < $2::numeric`,
    [reversal.receivableId, reversal.amount, clock.now()],
  );
}
