import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';

/** A payment of a batch, with the receivable that it pays. */
export interface PaymentRow {
  readonly batchId: string;
  /** Its place in the batch, from 0. */
  readonly position: number;
  readonly contractId: string;
  readonly externalId: string;
  readonly settledAmount: string;
  readonly settledDate: string;
  readonly paymentReference: string | null;
  /** Whether its reference was recorded before and not removed again. */
  readonly repeated: boolean;
  /** Whether an operator reversed it, so that its amount is open again. */
  readonly reversed: boolean;
}

const columns = `settlement.batch_id AS "batchId", settlement.position, settlement.receivable_id AS "contractId",
  receivable.external_id AS "externalId", settlement.settled_amount AS "settledAmount",
  settlement.settled_date::text AS "settledDate", settlement.payment_reference AS "paymentReference", settlement.repeated,
  settlement.reversed_at IS NOT NULL AS reversed`;

/** A key of batched reads: some payments of a batch, in their order. */
export interface PaymentPlaces {
  readonly batchId: string;
  /** The position after which they begin; -1 for the first. */
  readonly after: number;
  readonly limit: number;
}

/** Loads payments of each given batch, in the order of the keys: one query for all keys with the same limit. */
export async function paymentsAt({ manager }: Context, keys: readonly PaymentPlaces[]): Promise<PaymentRow[][]> {
  const found = new Map<PaymentPlaces, PaymentRow[]>();
  for (const [limit, alike] of groupBy(keys, (key) => key.limit)) {
    const rows = await manager.rows<PaymentRow & { readonly key: number }>(
      `SELECT place.* FROM unnest($1::uuid[], $2::integer[]) WITH ORDINALITY AS wish (batch_id, after, key)
       CROSS JOIN LATERAL (
         SELECT wish.key::integer, ${columns} FROM credit_assignment.settlements AS settlement
         JOIN credit_assignment.receivables AS receivable ON receivable.id = settlement.receivable_id
         WHERE settlement.batch_id = wish.batch_id AND settlement.position > wish.after
         ORDER BY settlement.position LIMIT $3) AS place
       ORDER BY place.key, place.position`,
      [alike.map(({ batchId }) => batchId), alike.map(({ after }) => after), limit],
    );
    const byKey = groupBy(rows, ({ key }) => key);
    for (const [index, key] of alike.entries()) found.set(key, byKey.get(index + 1) ?? []);
  }
  return keys.map((key) => found.get(key) ?? []);
}

/** A key of batched reads: a receivable, and how many of its newest payments to return. */
export interface NewestPayments {
  readonly receivableId: string;
  readonly first: number;
}

/**
 * Loads the newest payments that reduced the balance of each given receivable, in the order of the keys: one query for all keys
 * with the same limit.
 */
export async function paymentsOfReceivables(
  { manager }: Context,
  keys: readonly NewestPayments[],
): Promise<PaymentRow[][]> {
  const found = new Map<NewestPayments, PaymentRow[]>();
  for (const [first, alike] of groupBy(keys, (key) => key.first)) {
    const rows = await manager.rows<PaymentRow>(
      `SELECT payment.* FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
         SELECT ${columns} FROM credit_assignment.settlements AS settlement
         JOIN credit_assignment.receivables AS receivable ON receivable.id = settlement.receivable_id
         JOIN credit_assignment.settlement_batches AS batch ON batch.id = settlement.batch_id
         WHERE settlement.receivable_id = wanted.id AND NOT settlement.repeated
           AND (batch.status = 'PROCESSED' OR batch.status = 'PROCESSING' AND batch.lease IS NULL)
         ORDER BY settlement.batch_id DESC, settlement.position DESC LIMIT $2) AS payment`,
      [[...new Set(alike.map(({ receivableId }) => receivableId))], first],
    );
    const byReceivable = groupBy(rows, ({ contractId }) => contractId);
    for (const key of alike) found.set(key, byReceivable.get(key.receivableId) ?? []);
  }
  return keys.map((key) => found.get(key) ?? []);
}
