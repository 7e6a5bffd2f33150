import type { Context } from '../../../shared/kernel/context.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { lineLoader } from '../batches/batch.store.js';
import { distinct, loadByLimit } from '../batches/load-by-limit.js';

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

const tables = `credit_assignment.settlements AS settlement
  JOIN credit_assignment.receivables AS receivable ON receivable.id = settlement.receivable_id`;

/** Loads payments of each given batch, in the order of the keys. */
export const paymentsAt = lineLoader<PaymentRow>(columns, tables, 'settlement');

/** A key of batched reads: a receivable, and how many of its newest payments to return. */
export interface NewestPayments {
  readonly receivableId: string;
  readonly first: number;
}

/** Loads the newest payments that reduced the balance of each given receivable, in the order of the keys. */
export function paymentsOfReceivables(
  { manager }: Context,
  keys: readonly NewestPayments[],
): Promise<(readonly PaymentRow[])[]> {
  return loadByLimit(keys, async (first, alike) => {
    const rows = await manager.rows<PaymentRow>(
      `SELECT payment.* FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
         SELECT ${columns} FROM ${tables}
         JOIN credit_assignment.settlement_batches AS batch ON batch.id = settlement.batch_id
         WHERE settlement.receivable_id = wanted.id AND NOT settlement.repeated
           AND (batch.status = 'PROCESSED' OR batch.status = 'PROCESSING' AND batch.lease IS NULL)
         ORDER BY settlement.batch_id DESC, settlement.position DESC LIMIT $2) AS payment`,
      [distinct(alike, ({ receivableId }) => receivableId), first],
    );
    const byReceivable = groupBy(rows, ({ contractId }) => contractId);
    return ({ receivableId }) => byReceivable.get(receivableId);
  });
}
