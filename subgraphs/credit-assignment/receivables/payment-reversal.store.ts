import type { Context } from '../../../shared/kernel/context.js';
import { announceAll } from '../../../shared/events/outbox/outbox.js';
import { announceBatches } from '../batches/batch-event.js';
import { listOwnedBatches } from '../batches/batch.store.js';
import { pieceSize } from '../processing/process-batch.js';
import { settlementBatches } from '../settlement-batches/settlement-batch.kind.js';

/** A payment that an operator reversed on the asset of a receivable. */
export interface PaymentReversal {
  /** Id of the reversal itself. */
  readonly id: string;
  /** Id of the event that announces it. */
  readonly eventId: string;
  readonly receivableId: string;
  readonly installmentNumber: number;
  /** The amount that is open again, in BRL. */
  readonly amount: string;
  /** The payment, if an operator had recorded it; null if it came from a settlement batch. */
  readonly paymentId: string | null;
}

/**
 * Adds a reversed payment back to the open balance of its receivable, which is locked, and announces the batches of the reversed payments. A repeated
 * reversal changes nothing, and an operator's payment whose reversal arrives first is never subtracted.
 */
export async function takeReversal(context: Context, reversal: PaymentReversal): Promise<void> {
  if (!(await noteReversal(context, reversal))) return;
  if (reversal.paymentId === null) await markSettlements(context, reversal);
  else await settleAgain(context, reversal);
  const opened = reversal.paymentId === null ? reversal.amount : await markOperatorPayment(context, reversal);
  if (opened === undefined) return;
  await context.manager.execute(
    `UPDATE credit_assignment.receivables
     SET open_balance = least(face_value, open_balance + $2::numeric), status = 'OPEN', settled_at = NULL WHERE id = $1 AND $2::numeric > 0`,
    [reversal.receivableId, opened],
  );
}

/** Records a reversal; returns whether it is new. */
async function noteReversal({ manager, clock, log }: Context, reversal: PaymentReversal): Promise<boolean> {
  const { id, receivableId, amount, paymentId } = reversal;
  const noted = await manager.rows<unknown>(
    `INSERT INTO credit_assignment.payment_reversals (id, receivable_id, amount, payment_id, recorded_at)
     SELECT $1, id, $3::numeric, $4::uuid, $5 FROM credit_assignment.receivables WHERE id = $2
     ON CONFLICT DO NOTHING RETURNING 1`,
    [id, receivableId, amount, paymentId, clock.now()],
  );
  if (noted.length > 0) return true;
  const known = await manager.row<{ id: string }>(
    'SELECT id FROM credit_assignment.payment_reversals WHERE payment_id = $1 AND id <> $2',
    [paymentId, id],
  );
  if (known !== undefined) log.error({ reversal: id, before: known.id, paymentId }, 'A payment is reversed twice');
  return false;
}

/** Marks an operator's payment as reversed; returns the amount it had subtracted from the receivable, in BRL, or undefined if it does not exist. */
async function markOperatorPayment(
  { manager, clock }: Context,
  reversal: PaymentReversal,
): Promise<string | undefined> {
  const { receivableId, installmentNumber, paymentId, amount } = reversal;
  const rows = await manager.rows<{ opened: string }>(
    `UPDATE credit_assignment.operator_payments SET reversed_at = $4
     WHERE receivable_id = $1 AND installment_number = $2 AND reversed_at IS NULL AND payment_id = $3
     RETURNING least(taken, $5::numeric) AS opened`,
    [receivableId, installmentNumber, paymentId, clock.now(), amount],
  );
  return rows[0]?.opened;
}

/** SQL of the payments `settlement` that the receivable $1 includes: their batches are decided, and they are not reversed. */
const taken = `FROM credit_assignment.settlements AS settlement
  JOIN credit_assignment.settlement_batches AS batch ON batch.id = settlement.batch_id
  WHERE settlement.receivable_id = $1 AND NOT repeated AND reversed_at IS NULL
    AND (batch.status = 'PROCESSED' OR batch.status = 'PROCESSING' AND batch.lease IS NULL)`;

/**
 * Announces to tokenization once more those payments of the originator that the receivable includes but that reached the asset between the operator's
 * payment and its reversal, when nothing was left to pay there. An operator pays all that an asset owes: whatever of the face value is not part of that
 * payment was in the asset before it. Of the rest, payments that had not reached the asset by the reversal arrive by themselves, since their piece is
 * still outstanding.
 */
async function settleAgain(context: Context, { id, eventId, receivableId, amount }: PaymentReversal): Promise<void> {
  const lost = await context.manager.row<{ ownerId: string; settledAmount: string; settledDate: string }>(
    `WITH told AS (SELECT position FROM shared.outbox WHERE id = $3), taken AS (
       SELECT settled_amount, settled_date, settlement.batch_id, settlement.position / ${pieceSize} AS piece,
         jsonb_build_object('batchId', settlement.batch_id, 'piece', settlement.position / ${pieceSize}) AS answer ${taken})
     SELECT coalesce(originator.account_id, originator.id::text) AS "ownerId", max(settled_date)::text AS "settledDate",
       (sum(settled_amount) - (receivable.face_value - $2::numeric))::text AS "settledAmount"
     FROM taken JOIN credit_assignment.receivables AS receivable ON receivable.id = $1
     JOIN credit_assignment.credit_batches AS credit ON credit.id = receivable.batch_id
     JOIN credit_assignment.originators AS originator ON originator.id = credit.originator_id
     WHERE NOT EXISTS (SELECT FROM told, shared.outbox AS later
         WHERE later.position > told.position AND later.topic = 'assets.settled' AND later.payload @> taken.answer)
       AND (NOT EXISTS (SELECT FROM credit_assignment.outstanding_pieces AS waiting
           WHERE waiting.batch_id = taken.batch_id AND waiting.piece = taken.piece)
         OR EXISTS (SELECT FROM told, shared.outbox AS before
           WHERE before.published_at IS NULL AND before.position < told.position AND before.topic = 'assets.settled'
             AND before.payload @> taken.answer))
     GROUP BY originator.id, receivable.id HAVING sum(settled_amount) > receivable.face_value - $2::numeric`,
    [receivableId, amount, eventId],
  );
  if (lost === undefined) return;
  const { ownerId, settledAmount, settledDate } = lost;
  const payload = { batchId: id, piece: 0, ownerId, entries: [{ receivableId, settledAmount, settledDate }] };
  await announceAll(context, [
    { topic: 'receivables.settled', key: id, payload, internal: true },
    { topic: 'assets.moved', key: id, payload: { batchId: id }, internal: true },
  ]);
}

/**
 * Marks payments of settlement batches as reversed, newest first, until they make up the amount, and announces their batches. Of a batch that is not PROCESSED
 * yet, only payments whose piece is confirmed are in the asset; a payment of exactly the amount takes precedence.
 */
async function markSettlements(context: Context, { receivableId, amount }: PaymentReversal): Promise<void> {
  const reversedAt = context.clock.now();
  const marked = await context.manager.rows<{ batchId: string }>(
    `WITH taken AS (
       SELECT settlement.batch_id, position, settled_amount,
         sum(settled_amount) OVER (ORDER BY
           EXISTS (SELECT FROM credit_assignment.outstanding_pieces AS waiting
             WHERE waiting.batch_id = settlement.batch_id AND waiting.piece = settlement.position / ${pieceSize}),
           batch.status = 'PROCESSING' AND settled_amount = $2::numeric DESC,
           batch.status = 'PROCESSED' DESC, batch.processed_at DESC, batch_id DESC, position DESC) - settled_amount AS newer ${taken})
     UPDATE credit_assignment.settlements AS settlement SET reversed_at = $3 FROM taken
     WHERE settlement.batch_id = taken.batch_id AND settlement.position = taken.position AND taken.newer < $2::numeric
     RETURNING settlement.batch_id AS "batchId"`,
    [receivableId, amount, reversedAt],
  );
  const ids = [...new Set(marked.map(({ batchId }) => batchId))];
  const batches = await listOwnedBatches(context, settlementBatches, ids);
  await announceBatches(context, settlementBatches, 'PAYMENTS_REVERSED', batches, reversedAt);
}
