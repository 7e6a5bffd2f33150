import type { Context } from '../../../shared/kernel/context.js';
import { announceAll } from '../../../shared/events/outbox/outbox.js';
import { announceBatches } from '../batches/batch-event.js';
import { listOwnedBatches } from '../batches/batch.store.js';
import { pieceSize } from '../processing/process-batch.js';
import { isReceipt, type SettlementKind } from '../settlement-batches/check-settlements.js';
import { settlementBatches } from '../settlement-batches/settlement-batch.kind.js';
import { isDecided, type SettledEntry } from '../settlement-batches/settlement.store.js';
import { sum } from '../../../shared/kernel/decimal.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import { newId } from '../../../shared/kernel/ids.js';

export interface PaymentReversal {
  readonly id: string;
  /** Id of the event that announces it. */
  readonly eventId: string;
  readonly receivableId: string;
  readonly installmentNumber: number;
  /** The amount that is open again, in BRL, and what of it had been abated. */
  readonly amount: string;
  readonly abated: string;
  /** Day of what made the instalment whole; null where it was paid in part. */
  readonly paidOn: string | null;
  /** The payment, if an operator had recorded it; null if it came from a settlement batch. */
  readonly paymentId: string | null;
}

/** Adds to a locked receivable; announces the batches of the payments. A repetition changes nothing, and an operator's payment whose reversal arrives first is never subtracted. */
export async function takeReversal(context: Context, reversal: PaymentReversal): Promise<void> {
  if (!(await noteReversal(context, reversal))) return;
  const { receivableId, paymentId, amount } = reversal;
  const marked = paymentId === null ? await markSettlements(context, reversal) : undefined;
  if (paymentId !== null) await settleAgain(context, reversal);
  const opened = paymentId === null ? amount : await markOperatorPayment(context, reversal);
  if (opened === undefined) return;
  await context.manager.execute(
    `UPDATE credit_assignment.receivables
     SET open_balance = least(amount_due, open_balance + $2::numeric), status = 'OPEN', settled_at = NULL,
       surplus = surplus - $4::numeric, abated = abated - $5::numeric, discounted = discounted - $6::numeric,
       substituted = substituted - $7::numeric, repurchased = repurchased - $8::numeric, changed_at = $3
     WHERE id = $1 AND $2::numeric > 0`,
    [
      ...[receivableId, opened, context.clock.now(), marked?.surplus ?? '0', marked?.abated ?? '0'],
      ...[marked?.discounted ?? '0', marked?.substituted ?? '0', marked?.repurchased ?? '0'],
    ],
  );
}

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
async function markOperatorPayment({ manager, clock }: Context, given: PaymentReversal): Promise<string | undefined> {
  const { receivableId, installmentNumber, paymentId, amount } = given;
  const rows = await manager.rows<{ opened: string }>(
    `UPDATE credit_assignment.operator_payments SET reversed_at = $4
     WHERE receivable_id = $1 AND installment_number = $2 AND reversed_at IS NULL AND payment_id = $3
     RETURNING least(taken, $5::numeric) AS opened`,
    [receivableId, installmentNumber, paymentId, clock.now(), amount],
  );
  return rows[0]?.opened;
}

/** SQL of what the event says by which tokenization confirms the piece of a payment `settlement`. */
const answer = `jsonb_build_object('batchId', settlement.batch_id, 'piece', settlement.position / ${pieceSize})`;

/** SQL of the payments `settlement` that the receivable $1 includes: their batches are decided, and they are not reversed as a whole. */
const taken = `FROM credit_assignment.settlements AS settlement
  JOIN credit_assignment.settlement_batches AS batch ON batch.id = settlement.batch_id
  WHERE settlement.receivable_id = $1 AND NOT repeated AND reversed_amount < settled_amount
    AND ${isDecided}`;

/**
 * Announces to tokenization once more those payments of the originator that the receivable includes but that reached the asset between the operator's
 * payment and its reversal, when nothing was left to pay there: what they and the other payments of operators exceed the rest that the asset owed.
 * An operator pays all that an instalment owes: whatever of it is not part of that payment was in the asset before it. Of the rest, payments that had not reached the asset by the reversal arrive by themselves, since their piece is
 * still outstanding.
 */
async function settleAgain(
  context: Context,
  { id, eventId, receivableId, amount, paymentId }: PaymentReversal,
): Promise<void> {
  const lost = await context.manager.row<{ ownerId: string; settledDate: string; settledAmount: string }>(
    `WITH told AS (SELECT position FROM shared.outbox WHERE id = $3), taken AS (
       SELECT settled_amount - reversed_amount AS amount, settled_date, settlement.batch_id, settlement.position, batch.processed_at,
         settlement.position / ${pieceSize} AS piece, ${answer} AS answer ${taken}
     ), reached AS (
       SELECT taken.*, sum(amount) OVER () AS total,
         sum(amount) OVER (ORDER BY processed_at DESC, batch_id DESC, position DESC) - amount AS newer
       FROM taken WHERE NOT EXISTS (SELECT FROM told, shared.outbox AS later
           WHERE later.position > told.position AND later.topic = 'assets.settled' AND later.payload @> taken.answer)
         AND (NOT EXISTS (SELECT FROM credit_assignment.outstanding_pieces AS waiting
             WHERE waiting.batch_id = taken.batch_id AND waiting.piece = taken.piece)
           OR EXISTS (SELECT FROM told, shared.outbox AS before
             WHERE before.published_at IS NULL AND before.position < told.position AND before.topic = 'assets.settled'
               AND before.payload @> taken.answer)))
     SELECT coalesce(originator.account_id, originator.id::text) AS "ownerId", max(settled_date)::text AS "settledDate", lost.amount AS "settledAmount"
     FROM reached JOIN credit_assignment.receivables AS receivable ON receivable.id = $1
     JOIN credit_assignment.credit_batches AS credit ON credit.id = receivable.batch_id
     JOIN credit_assignment.originators AS originator ON originator.id = credit.originator_id
     CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) + reached.total - (receivable.amount_due - $2::numeric) AS amount
       FROM credit_assignment.operator_payments WHERE receivable_id = $1 AND reversed_at IS NULL AND payment_id <> $4) AS lost
     WHERE lost.amount > 0 GROUP BY originator.id, lost.amount`,
    [receivableId, amount, eventId, paymentId],
  );
  if (lost === undefined) return;
  const { ownerId, ...paid } = lost;
  await announceAgain(context, { id, ownerId, entries: [{ receivableId, kind: 'PAYMENT', surplus: '0', ...paid }] });
}

/** Announces entries of a receivable to tokenization under the id of a reversal, as if they were a settlement batch. */
async function announceAgain(
  context: Context,
  { id, ...told }: { readonly id: string; readonly ownerId: string; readonly entries: readonly SettledEntry[] },
): Promise<void> {
  await announceAll(context, [
    { topic: 'receivables.settled', key: id, payload: { batchId: id, piece: 0, ...told }, internal: true },
    { topic: 'assets.moved', key: id, payload: { batchId: id }, internal: true },
  ]);
}

/**
 * Marks payments and abatements of settlement batches as reversed until they make up the amounts, first those of the day and then the newest, and announces their batches. With the first part
 * of a payment its surplus is returned. Returns the surplus and the abatements of the marked parts. If a batch is not PROCESSED yet, only payments whose piece is confirmed are in the asset;
 * a payment of exactly the amount takes precedence.
 */
async function markSettlements(
  context: Context,
  { id, receivableId, amount, abated, paidOn }: PaymentReversal,
): Promise<Readonly<Record<'surplus' | 'abated' | 'discounted' | 'substituted' | 'repurchased', string>>> {
  const reversedAt = context.clock.now();
  const marked = await context.manager.rows<{ batchId: string; part: string; kind: SettlementKind; surplus: string }>(
    `WITH taken AS (
       SELECT settlement.batch_id, position, settled_amount - reversed_amount AS standing,
         CASE WHEN reversed_at IS NULL THEN surplus ELSE 0 END AS surplus, CASE WHEN ${isReceipt} THEN $2::numeric - $4::numeric ELSE $4::numeric END AS wanted,
         sum(settled_amount - reversed_amount) OVER (PARTITION BY ${isReceipt} ORDER BY
           EXISTS (SELECT FROM credit_assignment.outstanding_pieces AS waiting
             WHERE waiting.batch_id = settlement.batch_id AND waiting.piece = settlement.position / ${pieceSize}),
           settled_date IS DISTINCT FROM $5::date, batch.status = 'PROCESSING' AND settled_amount = CASE WHEN ${isReceipt} THEN $2::numeric - $4::numeric ELSE $4::numeric END DESC,
           batch.status = 'PROCESSED' DESC, batch.processed_at DESC, batch_id DESC, position DESC) - (settled_amount - reversed_amount) AS newer ${taken})
     UPDATE credit_assignment.settlements AS settlement SET reversed_at = coalesce(settlement.reversed_at, $3),
       reversed_amount = settlement.reversed_amount + least(standing, wanted - newer) FROM taken
     WHERE settlement.batch_id = taken.batch_id AND settlement.position = taken.position AND taken.newer < wanted
     RETURNING settlement.batch_id AS "batchId", least(standing, wanted - newer) AS part, settlement.kind, taken.surplus`,
    [receivableId, amount, reversedAt, abated, paidOn],
  );
  return { surplus: await returnSurplus(context, id, receivableId, marked), ...sumsOf(marked) };
}

/** Announces the batches of lines that were marked as reversed, and to tokenization that their surplus is returned, which is the result: the asset counts it as received, and does not know of which payment it was. */
async function returnSurplus(
  context: Context,
  id: string,
  receivableId: string,
  marked: readonly { readonly batchId: string; readonly surplus: string }[],
): Promise<string> {
  const [batch] = await announceMarked(context, marked);
  const surplus = sum(marked.map((line) => line.surplus));
  if (batch !== undefined && !surplus.isZero()) {
    const returned = { kind: 'PAYMENT', settledAmount: '0', surplus: surplus.negated().toFixed(2) } as const;
    const entries = [{ receivableId, ...returned, settledDate: civilDate(context.clock.now()) }];
    await announceAgain(context, { id, ownerId: batch.ownerId, entries });
  }
  return surplus.toFixed(2);
}

/** Reverses the late charges that a batch brought for a receivable without anything of its balance and that have reached the asset; returns their sum in BRL. */
export async function returnLateCharges(context: Context, receivableId: string, batchId: string): Promise<string> {
  const { manager, clock } = context;
  // Payments and other reversals wait for the receivable.
  await manager.execute('SELECT FROM credit_assignment.receivables WHERE id = $1 FOR NO KEY UPDATE', [receivableId]);
  const marked = await manager.rows<{ batchId: string; surplus: string }>(
    `UPDATE credit_assignment.settlements AS settlement SET reversed_at = $3 FROM credit_assignment.settlement_batches AS batch
     WHERE batch.id = settlement.batch_id AND batch.id = $2 AND settlement.receivable_id = $1 AND NOT repeated AND reversed_at IS NULL
       AND settled_amount = 0 AND surplus > 0 AND ${isDecided} AND NOT EXISTS (SELECT FROM credit_assignment.outstanding_pieces AS waiting
         WHERE waiting.batch_id = batch.id AND waiting.piece = settlement.position / ${pieceSize})
     RETURNING settlement.batch_id AS "batchId", surplus`,
    [receivableId, batchId, clock.now()],
  );
  const returned = await returnSurplus(context, newId(clock.now().getTime()), receivableId, marked);
  await manager.execute(
    'UPDATE credit_assignment.receivables SET surplus = surplus - $2::numeric, changed_at = $3 WHERE id = $1 AND $2::numeric > 0',
    [receivableId, returned, clock.now()],
  );
  return returned;
}

async function announceMarked(context: Context, marked: readonly { readonly batchId: string }[]) {
  const ids = [...new Set(marked.map(({ batchId }) => batchId))];
  const batches = await listOwnedBatches(context, settlementBatches, ids);
  await announceBatches(context, settlementBatches, 'PAYMENTS_REVERSED', batches, context.clock.now());
  return batches;
}

function sumsOf(marked: readonly { readonly kind: SettlementKind; readonly part: string }[]) {
  const of = (...kinds: SettlementKind[]) =>
    sum(marked.flatMap(({ kind, part }) => (kinds.includes(kind) ? part : []))).toFixed(2);
  return {
    abated: of('ABATEMENT', 'DISCOUNT', 'SUBSTITUTION'),
    discounted: of('DISCOUNT'),
    substituted: of('SUBSTITUTION'),
    repurchased: of('REPURCHASE'),
  };
}

/**
 * Marks as reversed what the payment of an operator overtook of the abatements of a receivable: they were decided, and found that much less open in the asset. What
 * is overtaken of payments stays: it may be the same money.
 * @param beyond by how much the payment exceeds what is open, in BRL; the newest lines are overtaken first
 * @param position of the event of that payment
 */
export async function reverseOvertaken(
  context: Context,
  receivableId: string,
  beyond: string,
  position: number,
): Promise<ReturnType<typeof sumsOf>> {
  const marked = await context.manager.rows<{ batchId: string; part: string; kind: SettlementKind }>(
    `WITH overtaken AS (
       SELECT settlement.batch_id, position, ${isReceipt} AS received, settled_amount - reversed_amount AS amount,
         sum(settled_amount - reversed_amount) OVER (ORDER BY batch.processed_at DESC, batch_id DESC, position DESC) - (settled_amount - reversed_amount) AS newer
       ${taken} AND (EXISTS (SELECT FROM shared.outbox AS later
           WHERE later.position > $3 AND later.topic = 'assets.settled' AND later.payload @> ${answer})
         OR EXISTS (SELECT FROM credit_assignment.outstanding_pieces AS waiting
             WHERE waiting.batch_id = settlement.batch_id AND waiting.piece = settlement.position / ${pieceSize})
           AND NOT EXISTS (SELECT FROM shared.outbox AS before WHERE before.published_at IS NULL AND before.position < $3
             AND before.topic = 'assets.settled' AND before.payload @> ${answer})))
     UPDATE credit_assignment.settlements AS settlement SET reversed_at = coalesce(settlement.reversed_at, $4),
       reversed_amount = settlement.reversed_amount + least(amount, $2::numeric - newer) FROM overtaken
     WHERE settlement.batch_id = overtaken.batch_id AND settlement.position = overtaken.position AND newer < $2::numeric AND NOT received
     RETURNING settlement.batch_id AS "batchId", least(amount, $2::numeric - newer) AS part, settlement.kind`,
    [receivableId, beyond, position, context.clock.now()],
  );
  await announceMarked(context, marked);
  return sumsOf(marked);
}
