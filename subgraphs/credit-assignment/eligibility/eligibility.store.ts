import type { Context } from '../../../shared/kernel/context.js';
import type { AcceptedTotals, CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { termColumns, type ReceivableStatus, type StoredTerms } from '../receivables/receivable.store.js';
import type { Errors, Placed } from './findings.js';

/** A contract of a batch as it is checked. */
export interface StoredContract extends StoredTerms, Placed {
  readonly id: string;
  readonly debtorDocument: string;
  readonly status: ReceivableStatus;
}

/** Returns the contracts of a batch at `count` positions from one on, in their order. */
export function contractsAt(
  { manager }: Context,
  batchId: string,
  from: number,
  count: number,
): Promise<StoredContract[]> {
  return manager.rows(
    `SELECT id, position, external_id AS "externalId", debtor_document AS "debtorDocument", status, ${termColumns}
     FROM credit_assignment.receivables AS receivable WHERE batch_id = $1 AND position >= $2 AND position < $3::integer ORDER BY position`,
    [batchId, from, from + count],
  );
}

/** Claims contracts without errors that no other batch has; returns how many. The order is the same in every transaction: two batches with the same contracts wait, but never deadlock. */
export function claimContracts({ manager }: Context, batch: CreditBatchRow): Promise<number> {
  return manager.countRows(
    `WITH claimed AS (
       INSERT INTO credit_assignment.assigned_contracts (originator_id, external_id, receivable_id)
       SELECT $1, external_id, id FROM credit_assignment.receivables WHERE batch_id = $2 AND refusal IS NULL ORDER BY external_id
       ON CONFLICT DO NOTHING RETURNING 1)
     SELECT count(*)::integer AS count FROM claimed`,
    [batch.originatorId, batch.id],
  );
}

/** Releases the contracts of a batch: all of them, or those that have errors. */
export async function releaseContracts({ manager }: Context, batchId: string, all: boolean): Promise<void> {
  await manager.execute(
    `DELETE FROM credit_assignment.assigned_contracts
     WHERE receivable_id IN (SELECT id FROM credit_assignment.receivables WHERE batch_id = $1 AND ($2 OR refusal IS NOT NULL))`,
    [batchId, all],
  );
}

/** Releases the contract of a receivable: its external id may be assigned again. */
export async function releaseContract({ manager }: Context, receivableId: string): Promise<void> {
  await manager.execute('DELETE FROM credit_assignment.assigned_contracts WHERE receivable_id = $1', [receivableId]);
}

/** Returns the contracts at `count` positions of a batch from one on that another batch has claimed, in their order. */
export function assignedElsewhere(
  { manager }: Context,
  batch: CreditBatchRow,
  from: number,
  count: number,
): Promise<Placed[]> {
  return manager.rows(
    `SELECT receivable.position, receivable.external_id AS "externalId"
     FROM credit_assignment.receivables AS receivable
       JOIN credit_assignment.assigned_contracts AS assigned
         ON assigned.originator_id = $1 AND assigned.external_id = receivable.external_id
     WHERE receivable.batch_id = $2 AND receivable.position >= $3 AND receivable.position < $4::integer
       AND assigned.receivable_id <> receivable.id
     ORDER BY receivable.position`,
    [batch.originatorId, batch.id, from, from + count],
  );
}

export async function refuseContracts({ manager }: Context, batchId: string, errors: Errors): Promise<void> {
  await manager.execute(
    `UPDATE credit_assignment.receivables AS receivable SET refusal = coalesce(refusal, '[]') || found.errors::jsonb
     FROM unnest($2::integer[], $3::text[]) AS found (position, errors)
     WHERE receivable.batch_id = $1 AND receivable.position = found.position`,
    [batchId, [...errors.keys()], [...errors.values()].map((all) => JSON.stringify(all))],
  );
}

export async function markRefused({ manager }: Context, batchId: string): Promise<void> {
  await manager.execute(
    `UPDATE credit_assignment.receivables SET status = 'REFUSED' WHERE batch_id = $1 AND refusal IS NOT NULL`,
    [batchId],
  );
}

export function assignedAmong(
  { manager }: Context,
  originatorId: string,
  externalIds: readonly string[],
): Promise<string[]> {
  return manager.values(
    `SELECT external_id FROM credit_assignment.assigned_contracts WHERE originator_id = $1 AND external_id = ANY ($2::text[])`,
    [originatorId, externalIds],
  );
}

/** Opens the contracts of a batch that were not refused: from now on they are receivables of the estate. Returns their totals. */
export async function openReceivables({ manager, clock }: Context, batchId: string): Promise<AcceptedTotals> {
  return manager.one(
    `WITH opened AS (
       UPDATE credit_assignment.receivables AS receivable SET status = 'OPEN', patrimony_id = batch.patrimony_id, changed_at = $2
       FROM credit_assignment.credit_batches AS batch
       WHERE batch.id = $1 AND batch_id = $1 AND receivable.status = 'PENDING' RETURNING face_value, purchase_price)
     UPDATE credit_assignment.credit_batches SET accepted_count = own.count, accepted_face_value = own.face, accepted_purchase_price = own.price
     FROM (SELECT count(*) AS count, sum(face_value) AS face, sum(purchase_price) AS price FROM opened) AS own
     WHERE id = $1 RETURNING accepted_count AS "acceptedCount", accepted_face_value AS "acceptedFaceValue",
       accepted_purchase_price AS "acceptedPurchasePrice"`,
    [batchId, clock.now()],
  );
}
