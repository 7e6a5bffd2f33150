import type { Context } from '../../../shared/context.js';
import { creditBatchColumns, type CreditBatchRow, type LockedBatch } from '../credit-batches/credit-batch.store.js';
import type { PlacedContract } from './checks.js';
import type { Finding, Placed } from './findings.js';

const lockedColumns = `${creditBatchColumns},
  (SELECT coalesce(account_id, id::text) FROM credit_assignment.originators AS originator
   WHERE originator.id = originator_id) AS "ownerId"`;

type Flat = CreditBatchRow & Pick<LockedBatch, 'ownerId'>;

const lockedBatches = (rows: readonly Flat[]): LockedBatch[] =>
  rows.map(({ ownerId, ...batch }) => ({ batch, ownerId }));

/** Locks the batch for which a lease is held; undefined when another holder has it by now, or it is decided. */
export async function lockLeasedBatch(
  { manager }: Context,
  id: string,
  lease: string,
): Promise<LockedBatch | undefined> {
  const rows = await manager.rows<Flat>(
    `SELECT ${lockedColumns} FROM credit_assignment.credit_batches
     WHERE id = $1 AND lease = $2 AND status = 'PROCESSING' FOR NO KEY UPDATE`,
    [id, lease],
  );
  return lockedBatches(rows)[0];
}

/** Locks batches, in the same order in every transaction, and returns those that exist. */
export async function lockBatches({ manager }: Context, ids: readonly string[]): Promise<LockedBatch[]> {
  const rows = await manager.rows<Flat>(
    `SELECT ${lockedColumns} FROM credit_assignment.credit_batches
     WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    [ids],
  );
  return lockedBatches(rows);
}

/** Writes the decision on a batch and its reason. It is not processed any further. */
export async function saveDecided(
  { manager }: Context,
  row: CreditBatchRow,
  errors: readonly Finding[] = [],
): Promise<void> {
  await manager.execute(
    `UPDATE credit_assignment.credit_batches SET status = $2, rejection_reason = $3, errors = $4, error_count = $5,
       processed_at = $6, lease = NULL, leased_until = NULL WHERE id = $1`,
    [row.id, row.status, row.rejectionReason, JSON.stringify(errors), row.errorCount, row.processedAt],
  );
}

/** A contract of a batch with its id. */
export type StoredContract = PlacedContract & { readonly id: string };

/** Returns `count` contracts of a batch from a position on, in their order. */
export function contractsAt(
  { manager }: Context,
  batchId: string,
  from: number,
  count: number,
): Promise<StoredContract[]> {
  return manager.rows(
    `SELECT id, position, external_id AS "externalId", debtor_document AS "debtorDocument", face_value AS "faceValue",
       due_date::text AS "dueDate"
     FROM credit_assignment.receivables WHERE batch_id = $1 AND position >= $2 AND position < $3::integer ORDER BY position`,
    [batchId, from, from + count],
  );
}

/** Returns the debtors who owe more than an amount in a batch, with their totals in it. */
export async function debtorsAbove(
  { manager }: Context,
  batchId: string,
  amount: string,
): Promise<{ readonly debtorDocument: string; readonly owed: string }[]> {
  return manager.rows(
    `SELECT debtor_document AS "debtorDocument", sum(face_value) AS owed FROM credit_assignment.receivables
     WHERE batch_id = $1 GROUP BY debtor_document HAVING sum(face_value) > $2::numeric`,
    [batchId, amount],
  );
}

/**
 * Claims for a batch those of its contracts that no other batch has, and returns how many. The order is the same in every transaction: two
 * batches with the same contracts wait for each other, but never deadlock.
 */
export async function claimContracts({ manager }: Context, batch: CreditBatchRow): Promise<number> {
  const row = await manager.row<{ count: number }>(
    `WITH claimed AS (
       INSERT INTO credit_assignment.assigned_contracts (originator_id, external_id, receivable_id)
       SELECT $1, external_id, id FROM credit_assignment.receivables WHERE batch_id = $2 ORDER BY external_id
       ON CONFLICT DO NOTHING RETURNING 1)
     SELECT count(*)::integer AS count FROM claimed`,
    [batch.originatorId, batch.id],
  );
  return row?.count ?? 0;
}

/** Releases the contracts of a batch. */
export async function releaseContracts({ manager }: Context, batchId: string): Promise<void> {
  await manager.execute(
    `DELETE FROM credit_assignment.assigned_contracts
     WHERE receivable_id IN (SELECT id FROM credit_assignment.receivables WHERE batch_id = $1)`,
    [batchId],
  );
}

/** Returns the first contracts of a batch that another batch has claimed, in their order, and how many there are. */
export async function assignedElsewhere(
  { manager }: Context,
  batch: CreditBatchRow,
  limit: number,
): Promise<{ readonly contracts: readonly Placed[]; readonly total: number }> {
  const rows = await manager.rows<Placed & { readonly total: number }>(
    `SELECT receivable.position, receivable.external_id AS "externalId", (count(*) OVER ())::integer AS total
     FROM credit_assignment.receivables AS receivable
       JOIN credit_assignment.assigned_contracts AS assigned
         ON assigned.originator_id = $1 AND assigned.external_id = receivable.external_id
     WHERE receivable.batch_id = $2 AND assigned.receivable_id <> receivable.id
     ORDER BY receivable.position LIMIT $3`,
    [batch.originatorId, batch.id, limit],
  );
  return { contracts: rows, total: rows[0]?.total ?? 0 };
}

/** Opens the contracts of a batch: from now on they are receivables of the estate. */
export async function openReceivables({ manager }: Context, batchId: string): Promise<void> {
  await manager.execute(`UPDATE credit_assignment.receivables SET status = 'OPEN' WHERE batch_id = $1`, [batchId]);
}
