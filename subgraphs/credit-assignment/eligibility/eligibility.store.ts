import type { Context } from '../../../shared/kernel/context.js';
import { arraysOf } from '../../../shared/kernel/group-by.js';
import type { NewContract } from '../credit-batches/check-contracts.js';
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

/** A contract that cannot be assigned once more, and the field that says so. */
export type AssignedContract = Placed & { readonly field: 'externalId' | 'invoiceKey' };

/**
 * Builds the SQL of the contracts that are assigned: another batch of originator $1 has claimed them, or any client has assigned their invoice with the same
 * due date, and it was neither written off nor given back. Invoices have instalments, each with a due date of its own.
 * @param given SQL of the contracts, with `id`, `position`, `external_id`, `invoice_key` and `due_date`
 */
const assignedText = (given: string) => `
  WITH given AS (${given})
  SELECT position::integer, given.external_id AS "externalId", 'externalId' AS field FROM given
  JOIN credit_assignment.assigned_contracts AS assigned ON assigned.originator_id = $1 AND assigned.external_id = given.external_id
    AND assigned.receivable_id IS DISTINCT FROM given.id
  UNION ALL
  SELECT position::integer, external_id, 'invoiceKey' FROM given WHERE EXISTS (
    SELECT FROM credit_assignment.receivables AS sold WHERE sold.invoice_key = given.invoice_key AND sold.due_date = given.due_date
      AND sold.status IN ('OPEN', 'SETTLED') AND sold.written_off_at IS NULL AND sold.repurchased = 0 AND sold.substituted = 0)
  ORDER BY 1, 3`;

/** Returns the contracts at positions `from` to `from + count - 1` of a batch that are already assigned. */
export function assignedElsewhere(
  { manager }: Context,
  batch: CreditBatchRow,
  from: number,
  count: number,
): Promise<AssignedContract[]> {
  return manager.rows(
    assignedText(`SELECT id, position, external_id, invoice_key, due_date FROM credit_assignment.receivables
      WHERE batch_id = $2 AND position >= $3 AND position < $4::integer`),
    [batch.originatorId, batch.id, from, from + count],
  );
}

/** Returns those given contracts that are already assigned. @param first position of the first contract */
export function assignedAmong(
  { manager }: Context,
  originatorId: string,
  contracts: readonly NewContract[],
  first: number,
): Promise<AssignedContract[]> {
  return manager.rows(
    assignedText(`SELECT NULL::uuid AS id, $2::integer + place - 1 AS position, external_id, invoice_key, due_date
      FROM unnest($3::text[], $4::text[], $5::date[]) WITH ORDINALITY AS one (external_id, invoice_key, due_date, place)`),
    [originatorId, first, ...arraysOf(contracts, 'externalId', 'invoiceKey', 'dueDate')],
  );
}

/** Returns whether a batch has invoices: then no other one with invoices is decided until the end of the transaction. */
export async function lockInvoices({ manager }: Context, batchId: string): Promise<boolean> {
  const locked = await manager.rows<unknown>(
    `SELECT pg_advisory_xact_lock(hashtextextended('credit_assignment.invoices', 0)) FROM (
       SELECT FROM credit_assignment.receivables WHERE batch_id = $1 AND invoice_key IS NOT NULL LIMIT 1) AS one`,
    [batchId],
  );
  return locked.length > 0;
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

/** Opens the contracts of a batch that were not refused: from now on they are receivables of the estate. Returns their totals. */
export async function openReceivables({ manager, clock }: Context, batchId: string): Promise<AcceptedTotals> {
  return manager.one(
    `WITH opened AS (
       UPDATE credit_assignment.receivables SET status = 'OPEN', changed_at = $2,
         patrimony_id = (SELECT patrimony_id FROM credit_assignment.credit_batches WHERE id = $1)
       WHERE batch_id = $1 AND status = 'PENDING' RETURNING face_value, purchase_price)
     UPDATE credit_assignment.credit_batches SET accepted_count = own.count, accepted_face_value = own.face, accepted_purchase_price = own.price
     FROM (SELECT count(*) AS count, sum(face_value) AS face, sum(purchase_price) AS price FROM opened) AS own
     WHERE id = $1 RETURNING accepted_count AS "acceptedCount", accepted_face_value AS "acceptedFaceValue",
       accepted_purchase_price AS "acceptedPurchasePrice"`,
    [batchId, clock.now()],
  );
}
