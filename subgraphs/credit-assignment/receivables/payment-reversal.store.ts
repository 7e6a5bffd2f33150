import type { Context } from '../../../shared/context.js';

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
  const wasTaken = reversal.paymentId === null || (await markOperatorPayment(context, reversal));
  if (!wasTaken) return;
  if (reversal.paymentId === null) await markSettlements(context, reversal);
  await context.manager.query(
    `UPDATE credit_assignment.receivables
     SET open_balance = least(face_value, open_balance + $2::numeric), status = 'OPEN', settled_at = NULL WHERE id = $1`,
    [reversal.receivableId, reversal.amount],
  );
}

/** Writes a reversal down; returns whether it is new. */
async function noteReversal({ manager, clock }: Context, reversal: PaymentReversal): Promise<boolean> {
  const { id, receivableId, amount, paymentId } = reversal;
  const noted = await manager.query<unknown[]>(
    `INSERT INTO credit_assignment.payment_reversals (id, receivable_id, amount, payment_id, recorded_at)
     SELECT $1, id, $3::numeric, $4::uuid, $5 FROM credit_assignment.receivables WHERE id = $2
     ON CONFLICT DO NOTHING RETURNING 1`,
    [id, receivableId, amount, paymentId, clock.now()],
  );
  return noted.length > 0;
}

/** Marks the payment of an operator as reversed; returns whether it is there. */
async function markOperatorPayment({ manager, clock }: Context, reversal: PaymentReversal): Promise<boolean> {
  const { receivableId, installmentNumber, paymentId } = reversal;
  const [rows]: [unknown[], number] = await manager.query(
    `UPDATE credit_assignment.operator_payments SET reversed_at = $4
     WHERE receivable_id = $1 AND installment_number = $2 AND reversed_at IS NULL AND coalesce(payment_id, $3::uuid) = $3
     RETURNING 1`,
    [receivableId, installmentNumber, paymentId, clock.now()],
  );
  return rows.length > 0;
}

/** Marks payments of settlement batches as reversed, the newest first, until they make up the amount. */
async function markSettlements({ manager, clock }: Context, reversal: PaymentReversal): Promise<void> {
  await manager.query(
    `WITH taken AS (
       SELECT batch_id, position, settled_amount,
         sum(settled_amount) OVER (ORDER BY batch.status = 'PROCESSED' DESC, batch_id DESC, position DESC) - settled_amount AS newer
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
