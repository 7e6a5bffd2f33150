import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';

/** A payment of a batch, with the receivable that it is for. */
export interface PaymentRow {
  readonly batchId: string;
  /** Its place in the batch, from 0. */
  readonly position: number;
  readonly contractId: string;
  readonly externalId: string;
  readonly settledAmount: string;
  readonly settledDate: string;
  readonly paymentReference: string | null;
  /** Whether it was recorded before by its reference, and not taken off again. */
  readonly repeated: boolean;
  /** Whether an operator reversed it, so that what it took off is open again. */
  readonly reversed: boolean;
}

const columns = `settlement.batch_id AS "batchId", settlement.position, settlement.receivable_id AS "contractId",
  receivable.external_id AS "externalId", settlement.settled_amount AS "settledAmount",
  settlement.settled_date::text AS "settledDate", settlement.payment_reference AS "paymentReference", settlement.repeated,
  settlement.reversed_at IS NOT NULL AS reversed`;

/** Some payments of a batch, in their order. */
export interface PaymentPlaces {
  readonly batchId: string;
  /** The place after which they begin; -1 for the first ones. */
  readonly after: number;
  readonly limit: number;
}

/** Payments of each of some batches, in the order of the keys: one query for all that ask for as many. */
export async function paymentsAt({ manager }: Context, keys: readonly PaymentPlaces[]): Promise<PaymentRow[][]> {
  const found = new Map<PaymentPlaces, PaymentRow[]>();
  for (const [limit, alike] of groupBy(keys, (key) => key.limit)) {
    const rows: (PaymentRow & { readonly key: number })[] = await manager.query(
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

/** The newest payments of a receivable, so many of them. */
export interface NewestPayments {
  readonly receivableId: string;
  readonly first: number;
}

/**
 * The newest payments of each of some receivables that were taken off its balance, in the order of the keys: one query for all
 * that ask for as many.
 */
export async function paymentsOfReceivables(
  { manager }: Context,
  keys: readonly NewestPayments[],
): Promise<PaymentRow[][]> {
  const found = new Map<NewestPayments, PaymentRow[]>();
  for (const [first, alike] of groupBy(keys, (key) => key.first)) {
    const rows: PaymentRow[] = await manager.query(
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
