import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { groupBy, itemsOf, readAlike } from '../../../shared/kernel/group-by.js';
import { commonColumns, selection, type BatchRow, type BatchTable } from '../batches/batch.store.js';
import type { FileFormat } from '../files/file-format.js';
import type { BatchMode } from './check-contracts.js';
import { visibleOriginators } from '../originators/visible-originators.js';

export type BatchFormat = 'JSON' | FileFormat;

/** Number and sums of the contracts of a batch that passed the checks; null until they did. In BRL. */
export interface AcceptedTotals {
  readonly acceptedCount: number | null;
  readonly acceptedFaceValue: string | null;
  /** Null also where none of them has a price. */
  readonly acceptedPurchasePrice: string | null;
}

/** A credit batch as it is stored. Its lines are contracts, and its total is their face value. */
export interface CreditBatchRow extends BatchRow, AcceptedTotals {
  readonly name: string;
  readonly mode: BatchMode;
  readonly format: BatchFormat;
  /** The rejected batch that it repeats without refused contracts. */
  readonly remadeFromId: string | null;
  /** Sum of the prices of its contracts, in BRL; null where none has one. */
  readonly totalPurchasePrice: string | null;
}

export const creditBatchTable: BatchTable<CreditBatchRow> = {
  table: 'credit_assignment.credit_batches',
  columns: [
    ...commonColumns,
    ['name', 'name'],
    ['lineCount', 'receivable_count'],
    ['total', 'total_face_value'],
    ['totalPurchasePrice', 'total_purchase_price'],
    ['mode', 'mode'],
    ['format', 'format'],
    ['acceptedCount', 'accepted_count'],
    ['acceptedFaceValue', 'accepted_face_value'],
    ['acceptedPurchasePrice', 'accepted_purchase_price'],
    ['remadeFromId', 'remade_from_id'],
  ],
  idFilters: [['patrimonyId', 'patrimony_id']],
};

/** Returns the accepted and the refused part of a batch; all null until it is decided. A rejected batch is refused whole. */
export function decisionOf(batch: CreditBatchRow) {
  const isRejected = batch.status === 'REJECTED';
  const acceptedCount = isRejected ? 0 : batch.acceptedCount;
  const acceptedFaceValue = isRejected ? '0.00' : batch.acceptedFaceValue;
  if (acceptedCount === null || acceptedFaceValue === null) return undecided;
  return {
    ...{ acceptedCount, acceptedFaceValue },
    acceptedPurchasePrice: batch.acceptedPurchasePrice,
    refusedCount: batch.lineCount - acceptedCount,
    refusedFaceValue: new Decimal(batch.total).minus(acceptedFaceValue).toFixed(2),
  };
}

const undecided = {
  ...{ acceptedCount: null, acceptedFaceValue: null, acceptedPurchasePrice: null },
  ...{ refusedCount: null, refusedFaceValue: null },
} as const;

/** Writes the totals of a batch after a change of its contracts, and its format: what is added by JSON may not fit into the file that it was sent in. Returns it. */
export async function saveTotals({ manager }: Context, row: CreditBatchRow): Promise<CreditBatchRow> {
  const totals = await manager.one<Pick<CreditBatchRow, 'lineCount' | 'total' | 'totalPurchasePrice'>>(
    `UPDATE credit_assignment.credit_batches SET receivable_count = own.count, total_face_value = own.face, total_purchase_price = own.price, format = $2, first_line = NULL
     FROM (SELECT count(*) AS count, coalesce(sum(face_value) FILTER (WHERE face_value > 0), 0) AS face, sum(purchase_price) FILTER (WHERE purchase_price >= 0) AS price
           FROM credit_assignment.receivables WHERE batch_id = $1) AS own
     WHERE id = $1 RETURNING receivable_count AS "lineCount", total_face_value AS total, total_purchase_price AS "totalPurchasePrice"`,
    [row.id, row.format],
  );
  return { ...row, ...totals, firstLine: null };
}

export function findRemade({ manager }: Context, rejectedId: string): Promise<CreditBatchRow | undefined> {
  return manager.row(
    `SELECT ${selection(creditBatchTable)} FROM credit_assignment.credit_batches WHERE remade_from_id = $1 AND status <> 'CANCELLED'`,
    [rejectedId],
  );
}

/** Loads the batch of each given receivable where the caller may see it, in the order of the ids. */
export async function batchesOfReceivables(
  context: Context,
  receivableIds: readonly string[],
): Promise<(CreditBatchRow | undefined)[]> {
  const originators = await visibleOriginators(context);
  if (originators.length === 0) return receivableIds.map(() => undefined);
  const rows = await context.manager.rows<CreditBatchRow & { readonly receivableId: string }>(
    `SELECT receivable.id AS "receivableId", batch.* FROM credit_assignment.receivables AS receivable
     JOIN (SELECT ${selection(creditBatchTable)} FROM credit_assignment.credit_batches
           WHERE originator_id = ANY ($2::uuid[])) AS batch ON batch.id = receivable.batch_id
     WHERE receivable.id = ANY ($1::uuid[])`,
    [receivableIds, originators],
  );
  return itemsOf(receivableIds, rows, ({ receivableId }) => receivableId);
}

const recentMs = 7 * 86_400_000;

/** Counts the batches of each originator that were rejected in the last 7 days and not made again. */
export async function countRejections(
  { manager, clock }: Context,
  originatorIds: readonly string[],
): Promise<readonly number[]> {
  const rows = await manager.rows<{ readonly originatorId: string; readonly count: number }>(
    `SELECT originator_id AS "originatorId", count(*)::integer AS count FROM credit_assignment.credit_batches AS batch
     WHERE originator_id = ANY ($1::uuid[]) AND status = 'REJECTED' AND processed_at > $2 AND NOT EXISTS (
       SELECT FROM credit_assignment.credit_batches WHERE remade_from_id = batch.id AND status <> 'CANCELLED')
     GROUP BY 1`,
    [originatorIds, new Date(clock.now().getTime() - recentMs)],
  );
  return itemsOf(originatorIds, rows, ({ originatorId }) => originatorId).map((row) => row?.count ?? 0);
}

export interface NewestBatches {
  readonly patrimonyId: string;
  readonly first: number;
}

/** Loads the caller's newest batches of each given estate, in the order of the keys. */
export async function newestBatchesOf(
  context: Context,
  keys: readonly NewestBatches[],
): Promise<(readonly CreditBatchRow[])[]> {
  const originators = await visibleOriginators(context);
  if (originators.length === 0) return keys.map(() => []);
  return readAlike(keys, ['first'], async ({ first }, alike) => {
    const rows = await context.manager.rows<CreditBatchRow>(
      `SELECT batch.* FROM unnest($1::uuid[]) AS patrimony (id) CROSS JOIN LATERAL (
         SELECT own.* FROM unnest($2::uuid[]) AS originator (id) CROSS JOIN LATERAL (
           SELECT ${selection(creditBatchTable)} FROM credit_assignment.credit_batches
           WHERE originator_id = originator.id AND patrimony_id = patrimony.id ORDER BY id DESC LIMIT $3) AS own
         ORDER BY own.id DESC LIMIT $3) AS batch
       ORDER BY batch.id DESC`,
      [[...new Set(alike.map(({ patrimonyId }) => patrimonyId))], originators, first],
    );
    const byPatrimony = groupBy(rows, ({ patrimonyId }) => patrimonyId);
    return ({ patrimonyId }) => byPatrimony.get(patrimonyId) ?? [];
  });
}
