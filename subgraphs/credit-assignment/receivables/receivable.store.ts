import type { Context } from '../../../shared/kernel/context.js';
import { keyset, type PageRange } from '../../../shared/graphql/list-page.js';
import { lineLoader } from '../batches/batch.store.js';
import type { BatchStatus } from '../batches/transitions.js';

/** Statuses of a receivable (docs/contract/credit-assignment.md §3.3). */
export type ReceivableStatus = 'PENDING' | 'OPEN' | 'SETTLED';

/** A contract of a batch as it is stored. Money is in BRL with 2 decimals. */
export interface ReceivableRow {
  readonly id: string;
  readonly batchId: string;
  readonly batchStatus: BatchStatus;
  /** Its place in the batch, from 0. */
  readonly position: number;
  readonly externalId: string;
  /** Unmasked: `toReceivable` decides who may see it. */
  readonly debtorDocument: string;
  readonly faceValue: string;
  readonly dueDate: string;
  readonly status: ReceivableStatus;
  /** Null while nothing of it is owed to the estate: it was not assigned, or was written off. */
  readonly openBalance: string | null;
  readonly settledAt: Date | null;
  /** When an operator wrote its asset off. */
  readonly writtenOffAt: Date | null;
}

/** SQL of what is owed to the estate; rows and totals use the same, so that they add up. */
export const openBalance = `CASE WHEN receivable.status <> 'PENDING' AND receivable.written_off_at IS NULL THEN receivable.open_balance END`;

export const columns = `receivable.id, receivable.batch_id AS "batchId", batch.status AS "batchStatus", receivable.position,
  receivable.external_id AS "externalId", receivable.debtor_document AS "debtorDocument",
  receivable.face_value AS "faceValue", receivable.due_date::text AS "dueDate", receivable.status,
  ${openBalance} AS "openBalance", receivable.settled_at AS "settledAt", receivable.written_off_at AS "writtenOffAt"`;

const tables = `credit_assignment.receivables AS receivable
  JOIN credit_assignment.credit_batches AS batch ON batch.id = receivable.batch_id`;

/** Loads contracts of each given batch, in the order of the keys. */
export const receivablesAt = lineLoader<ReceivableRow>(columns, tables, 'receivable');

/** Lists the contracts of the given originators that have a name, in any batch, newest first. */
export function listNamedReceivables(
  { manager }: Context,
  originatorIds: readonly string[],
  externalId: string,
  page: PageRange,
): Promise<ReceivableRow[]> {
  const { beyond, direction } = keyset('DESC', page);
  return manager.rows(
    `SELECT ${columns} FROM ${tables}
     WHERE receivable.external_id = $1 AND batch.originator_id = ANY ($2::uuid[])
       AND ($3::uuid IS NULL OR receivable.id ${beyond} $3)
     ORDER BY receivable.id ${direction} LIMIT $4`,
    [externalId, originatorIds, page.after ?? null, page.limit + 1],
  );
}

/** Counts the contracts of the given originators that have a name. */
export async function countNamed(
  { manager }: Context,
  originatorIds: readonly string[],
  externalId: string,
): Promise<number> {
  return manager.countRows(
    `SELECT count(*)::float8 FROM ${tables}
     WHERE receivable.external_id = $1 AND batch.originator_id = ANY ($2::uuid[])`,
    [externalId, originatorIds],
  );
}

/** Finds a contract of a batch of one of the given originators. */
export async function findReceivable(
  { manager }: Context,
  originatorIds: readonly string[],
  id: string,
): Promise<ReceivableRow | undefined> {
  return manager.row<ReceivableRow>(
    `SELECT ${columns} FROM ${tables}
     WHERE receivable.id = $1 AND batch.originator_id = ANY ($2::uuid[])`,
    [id, originatorIds],
  );
}
