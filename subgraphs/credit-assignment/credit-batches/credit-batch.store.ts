import type { Context } from '../../../shared/context.js';
import type { BatchStatus } from './credit-batch-transitions.js';

/** A credit batch as it is stored. Money is in BRL with 2 decimals. */
export interface CreditBatchRow {
  readonly id: string;
  readonly originatorId: string;
  readonly patrimonyId: string;
  readonly name: string;
  readonly status: BatchStatus;
  readonly receivableCount: number;
  readonly totalFaceValue: string;
  readonly rejectionReason: string | null;
  readonly errorCount: number;
  readonly createdAt: Date;
  readonly submittedAt: Date | null;
  /** When its processing may begin. */
  readonly processAfter: Date | null;
  readonly processedAt: Date | null;
  readonly cancelledAt: Date | null;
}

/** A batch that is locked until the end of the transaction. */
export interface LockedBatch {
  readonly batch: CreditBatchRow;
  /** The account whose webhooks receive its events. */
  readonly ownerId: string;
}

export const creditBatchColumns = `id, originator_id AS "originatorId", patrimony_id AS "patrimonyId", name, status,
  receivable_count AS "receivableCount", total_face_value AS "totalFaceValue", rejection_reason AS "rejectionReason",
  error_count AS "errorCount", created_at AS "createdAt", submitted_at AS "submittedAt", process_after AS "processAfter",
  processed_at AS "processedAt", cancelled_at AS "cancelledAt"`;

/** Finds a batch of one of the given originators. */
export async function findBatch(
  { manager }: Context,
  originatorIds: readonly string[],
  id: string,
): Promise<CreditBatchRow | undefined> {
  const rows = await manager.rows<CreditBatchRow>(
    `SELECT ${creditBatchColumns} FROM credit_assignment.credit_batches WHERE id = $1 AND originator_id = ANY ($2::uuid[])`,
    [id, originatorIds],
  );
  return rows[0];
}

/** Finds a batch of an originator and locks it until the end of the transaction. */
export async function lockBatch(tx: Context, originatorId: string, id: string): Promise<LockedBatch | undefined> {
  const rows = await tx.manager.rows<CreditBatchRow & { readonly ownerId: string }>(
    `SELECT ${creditBatchColumns},
       (SELECT coalesce(account_id, id::text) FROM credit_assignment.originators AS originator
        WHERE originator.id = originator_id) AS "ownerId"
     FROM credit_assignment.credit_batches WHERE id = $1 AND originator_id = $2 FOR NO KEY UPDATE`,
    [id, originatorId],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { ownerId, ...batch } = row;
  return { batch, ownerId };
}

export async function addBatch({ manager }: Context, row: CreditBatchRow): Promise<void> {
  await manager.execute(
    `INSERT INTO credit_assignment.credit_batches
       (id, originator_id, patrimony_id, name, status, receivable_count, total_face_value, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      row.id,
      row.originatorId,
      row.patrimonyId,
      row.name,
      row.status,
      row.receivableCount,
      row.totalFaceValue,
      row.createdAt,
    ],
  );
}

/** Writes the status of a batch, its totals and its timestamps. */
export async function saveBatch({ manager }: Context, row: CreditBatchRow): Promise<void> {
  await manager.execute(
    `UPDATE credit_assignment.credit_batches SET status = $2, receivable_count = $3, total_face_value = $4,
       submitted_at = $5, process_after = $6, cancelled_at = $7 WHERE id = $1`,
    [row.id, row.status, row.receivableCount, row.totalFaceValue, row.submittedAt, row.processAfter, row.cancelledAt],
  );
}
