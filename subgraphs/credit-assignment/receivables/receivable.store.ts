import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import type { BatchStatus } from '../credit-batches/credit-batch-transitions.js';

/** States of a receivable (README, States). */
export type ReceivableStatus = 'PENDING' | 'OPEN' | 'SETTLED';

/** A contract of a batch as it is stored. Money is in BRL with 2 decimals. */
export interface ReceivableRow {
  readonly id: string;
  readonly batchId: string;
  readonly batchStatus: BatchStatus;
  /** Its place in the batch, from 0. */
  readonly position: number;
  readonly externalId: string;
  /** Whole: see `toReceivable` for who may see it. */
  readonly debtorDocument: string;
  readonly faceValue: string;
  readonly dueDate: string;
  readonly status: ReceivableStatus;
  readonly openBalance: string;
  readonly settledAt: Date | null;
}

const columns = `receivable.id, receivable.batch_id AS "batchId", batch.status AS "batchStatus", receivable.position,
  receivable.external_id AS "externalId", receivable.debtor_document AS "debtorDocument",
  receivable.face_value AS "faceValue", receivable.due_date::text AS "dueDate", receivable.status,
  receivable.open_balance AS "openBalance", receivable.settled_at AS "settledAt"`;

/** Some contracts of a batch, in their order. */
export interface ReceivablePlaces {
  readonly batchId: string;
  /** The place after which they begin; -1 for the first ones. */
  readonly after: number;
  readonly limit: number;
}

/** Contracts of each of some batches, in the order of the keys: one query for all that ask for as many. */
export async function receivablesAt(
  { manager }: Context,
  keys: readonly ReceivablePlaces[],
): Promise<ReceivableRow[][]> {
  const found = new Map<ReceivablePlaces, ReceivableRow[]>();
  for (const [limit, alike] of groupBy(keys, (key) => key.limit)) {
    const rows: (ReceivableRow & { readonly key: number })[] = await manager.query(
      `SELECT place.* FROM unnest($1::uuid[], $2::integer[]) WITH ORDINALITY AS wish (batch_id, after, key)
       CROSS JOIN LATERAL (
         SELECT wish.key::integer, ${columns} FROM credit_assignment.receivables AS receivable
         JOIN credit_assignment.credit_batches AS batch ON batch.id = receivable.batch_id
         WHERE receivable.batch_id = wish.batch_id AND receivable.position > wish.after
         ORDER BY receivable.position LIMIT $3) AS place
       ORDER BY place.key, place.position`,
      [alike.map(({ batchId }) => batchId), alike.map(({ after }) => after), limit],
    );
    const byKey = groupBy(rows, ({ key }) => key);
    for (const [index, key] of alike.entries()) found.set(key, byKey.get(index + 1) ?? []);
  }
  return keys.map((key) => found.get(key) ?? []);
}

/** Which places of the list of contracts of one name. */
export interface NamedPlaces {
  /** Id of the contract after which they begin; null for the first. */
  readonly after: string | null;
  readonly limit: number;
}

/** The contracts of some originators that have a name, in whatever batch, the newest first. */
export function listNamedReceivables(
  { manager }: Context,
  originatorIds: readonly string[],
  externalId: string,
  { after, limit }: NamedPlaces,
): Promise<ReceivableRow[]> {
  return manager.query(
    `SELECT ${columns} FROM credit_assignment.receivables AS receivable
     JOIN credit_assignment.credit_batches AS batch ON batch.id = receivable.batch_id
     WHERE receivable.external_id = $1 AND batch.originator_id = ANY ($2::uuid[])
       AND ($3::uuid IS NULL OR receivable.id < $3)
     ORDER BY receivable.id DESC LIMIT $4`,
    [externalId, originatorIds, after, limit],
  );
}

/** How many contracts of some originators have a name. */
export async function countNamed(
  { manager }: Context,
  originatorIds: readonly string[],
  externalId: string,
): Promise<number> {
  const [row]: { count: number }[] = await manager.query(
    `SELECT count(*)::integer AS count FROM credit_assignment.receivables AS receivable
     JOIN credit_assignment.credit_batches AS batch ON batch.id = receivable.batch_id
     WHERE receivable.external_id = $1 AND batch.originator_id = ANY ($2::uuid[])`,
    [externalId, originatorIds],
  );
  return row?.count ?? 0;
}

/** A contract of a batch of one of some originators. */
export async function findReceivable(
  { manager }: Context,
  originatorIds: readonly string[],
  id: string,
): Promise<ReceivableRow | undefined> {
  const rows: ReceivableRow[] = await manager.query(
    `SELECT ${columns} FROM credit_assignment.receivables AS receivable
     JOIN credit_assignment.credit_batches AS batch ON batch.id = receivable.batch_id
     WHERE receivable.id = $1 AND batch.originator_id = ANY ($2::uuid[])`,
    [id, originatorIds],
  );
  return rows[0];
}
