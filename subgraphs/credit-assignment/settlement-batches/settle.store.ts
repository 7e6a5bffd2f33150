import type { Context } from '../../../shared/kernel/context.js';

/** Locks the receivables that the payments of a batch are for, in the same order in every transaction. */
export async function lockPaidReceivables({ manager }: Context, batchId: string): Promise<void> {
  await manager.execute(
    `SELECT count(*) FROM (
       SELECT FROM credit_assignment.receivables
       WHERE id IN (SELECT receivable_id FROM credit_assignment.settlements WHERE batch_id = $1)
       ORDER BY id FOR NO KEY UPDATE) AS locked`,
    [batchId],
  );
}

/**
 * Stores the payment references of a batch whose receivables are locked and whose payments are all accepted, and marks the payments that
 * repeat a recorded one.
 */
export async function keepReferences({ manager }: Context, batchId: string): Promise<void> {
  const row = await manager.row<{ any: boolean }>(
    `SELECT EXISTS (SELECT FROM credit_assignment.settlements WHERE batch_id = $1 AND payment_reference IS NOT NULL) AS any`,
    [batchId],
  );
  if (row?.any !== true) return;
  await manager.execute(
    `INSERT INTO credit_assignment.payment_references
       (receivable_id, payment_reference, settled_amount, settled_date, batch_id, position)
     SELECT receivable_id, payment_reference, settled_amount, settled_date, batch_id, position
     FROM credit_assignment.settlements WHERE batch_id = $1 AND payment_reference IS NOT NULL
     ORDER BY receivable_id, payment_reference, position ON CONFLICT DO NOTHING`,
    [batchId],
  );
  await manager.execute(
    `UPDATE credit_assignment.settlements AS settlement SET repeated = true
     FROM credit_assignment.payment_references AS known
     WHERE settlement.batch_id = $1 AND known.receivable_id = settlement.receivable_id
       AND known.payment_reference = settlement.payment_reference
       AND (known.batch_id, known.position) <> (settlement.batch_id, settlement.position)`,
    [batchId],
  );
}

/** Subtracts the payments of a batch from the open balances of their receivables, which are locked; repeated ones are skipped. */
export async function moveBalances({ manager, clock }: Context, batchId: string): Promise<void> {
  await manager.execute(
    `UPDATE credit_assignment.receivables AS receivable
     SET open_balance = open_balance - paid.amount,
       status = CASE WHEN open_balance = paid.amount THEN 'SETTLED' ELSE 'OPEN' END,
       settled_at = CASE WHEN open_balance = paid.amount THEN $2::timestamptz END
     FROM (SELECT receivable_id, sum(settled_amount) AS amount FROM credit_assignment.settlements
           WHERE batch_id = $1 AND NOT repeated GROUP BY receivable_id) AS paid
     WHERE receivable.id = paid.receivable_id`,
    [batchId, clock.now()],
  );
}

/** A payment of a processed batch, as tokenization receives it. */
export interface SettledEntry {
  readonly receivableId: string;
  readonly settledAmount: string;
  /** `YYYY-MM-DD` */
  readonly settledDate: string;
}

/** Returns the payments of a batch at `count` positions from the given one on, in their order, without repeated ones. */
export function settledEntries(
  { manager }: Context,
  batchId: string,
  from: number,
  count: number,
): Promise<SettledEntry[]> {
  return manager.rows(
    `SELECT receivable_id AS "receivableId", settled_amount AS "settledAmount", settled_date::text AS "settledDate"
     FROM credit_assignment.settlements WHERE batch_id = $1 AND position >= $2 AND position < $3::integer AND NOT repeated ORDER BY position`,
    [batchId, from, from + count],
  );
}
