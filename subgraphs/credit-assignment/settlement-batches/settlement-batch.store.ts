import type { Context } from '../../../shared/context.js';
import type { BatchStatus } from '../credit-batches/credit-batch-transitions.js';

/** A settlement batch as it is stored. Money is in BRL with 2 decimals. */
export interface SettlementBatchRow {
  readonly id: string;
  readonly originatorId: string;
  readonly creditBatchId: string;
  /** The estate of that credit batch. */
  readonly patrimonyId: string;
  readonly status: BatchStatus;
  readonly settlementCount: number;
  readonly totalSettledAmount: string;
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
export interface LockedSettlementBatch {
  readonly batch: SettlementBatchRow;
  /** The account whose webhooks receive its events: the originator's account, or the originator's own id where it has none. */
  readonly ownerId: string;
}

export const settlementBatchColumns = `id, originator_id AS "originatorId", credit_batch_id AS "creditBatchId",
  patrimony_id AS "patrimonyId", status, settlement_count AS "settlementCount", total_settled_amount AS "totalSettledAmount",
  rejection_reason AS "rejectionReason", error_count AS "errorCount", created_at AS "createdAt",
  submitted_at AS "submittedAt", process_after AS "processAfter", processed_at AS "processedAt", cancelled_at AS "cancelledAt"`;

const lockedColumns = `${settlementBatchColumns},
  (SELECT coalesce(account_id, id::text) FROM credit_assignment.originators AS originator
   WHERE originator.id = originator_id) AS "ownerId"`;

/** Locks a batch of an originator until the end of the transaction. */
export async function lockSettlementBatch(
  { manager }: Context,
  originatorId: string,
  id: string,
): Promise<LockedSettlementBatch | undefined> {
  const rows = await manager.rows<Flat>(
    `SELECT ${lockedColumns} FROM credit_assignment.settlement_batches
     WHERE id = $1 AND originator_id = $2 FOR NO KEY UPDATE`,
    [id, originatorId],
  );
  return lockedBatches(rows)[0];
}

/** Returns the account whose webhooks receive the events of an originator's batches. */
export async function ownerOf({ manager }: Context, originatorId: string): Promise<string> {
  const row = await manager.row<{ ownerId: string }>(
    `SELECT coalesce(account_id, id::text) AS "ownerId" FROM credit_assignment.originators WHERE id = $1`,
    [originatorId],
  );
  return row?.ownerId ?? originatorId;
}

/** Locks the batch for which a lease is held; undefined when another holder has it by now, or it is decided. */
export async function lockLeasedSettlementBatch(
  { manager }: Context,
  id: string,
  lease: string,
): Promise<LockedSettlementBatch | undefined> {
  const rows = await manager.rows<Flat>(
    `SELECT ${lockedColumns} FROM credit_assignment.settlement_batches
     WHERE id = $1 AND lease = $2 AND status = 'PROCESSING' FOR NO KEY UPDATE`,
    [id, lease],
  );
  return lockedBatches(rows)[0];
}

/** Locks batches, in the same order in every transaction, and returns those that exist. */
export async function lockSettlementBatches(
  { manager }: Context,
  ids: readonly string[],
): Promise<LockedSettlementBatch[]> {
  const rows = await manager.rows<Flat>(
    `SELECT ${lockedColumns} FROM credit_assignment.settlement_batches
     WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    [ids],
  );
  return lockedBatches(rows);
}

/** Reads batches with the recipients of their events, unlocked, in the order of their ids. */
export async function settlementBatchesToTell(
  { manager }: Context,
  ids: readonly string[],
): Promise<LockedSettlementBatch[]> {
  const rows = await manager.rows<Flat>(
    `SELECT ${lockedColumns} FROM credit_assignment.settlement_batches WHERE id = ANY ($1::uuid[]) ORDER BY id`,
    [ids],
  );
  return lockedBatches(rows);
}

type Flat = SettlementBatchRow & Pick<LockedSettlementBatch, 'ownerId'>;

function lockedBatches(rows: readonly Flat[]): LockedSettlementBatch[] {
  return rows.map(({ ownerId, ...batch }) => ({ batch, ownerId }));
}

export async function addSettlementBatch({ manager }: Context, row: SettlementBatchRow): Promise<void> {
  await manager.execute(
    `INSERT INTO credit_assignment.settlement_batches (id, originator_id, credit_batch_id, patrimony_id, status,
       settlement_count, total_settled_amount, created_at, submitted_at, process_after)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      row.id,
      row.originatorId,
      row.creditBatchId,
      row.patrimonyId,
      row.status,
      row.settlementCount,
      row.totalSettledAmount,
      row.createdAt,
      row.submittedAt,
      row.processAfter,
    ],
  );
}

/** Writes the status of a batch, with its time and reason. It is not processed any further. */
export async function saveSettlementBatch(
  { manager }: Context,
  row: SettlementBatchRow,
  errors: readonly SettlementError[] = [],
): Promise<void> {
  await manager.execute(
    `UPDATE credit_assignment.settlement_batches SET status = $2, rejection_reason = $3, errors = $4, error_count = $5,
       submitted_at = $6, process_after = $7, processed_at = $8, cancelled_at = $9, lease = NULL, leased_until = NULL
     WHERE id = $1`,
    [
      row.id,
      row.status,
      row.rejectionReason,
      JSON.stringify(errors),
      row.errorCount,
      row.submittedAt,
      row.processAfter,
      row.processedAt,
      row.cancelledAt,
    ],
  );
}

/** An error of one payment of a rejected batch. */
export interface SettlementError {
  /** Its place in the batch, from 0. */
  readonly index: number;
  readonly externalId: string | null;
  readonly path: string;
  readonly message: string;
}
