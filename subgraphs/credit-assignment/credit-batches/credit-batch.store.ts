import type { Context } from '../../../shared/kernel/context.js';
import { groupBy, itemsOf } from '../../../shared/kernel/group-by.js';
import { commonColumns, selection, type BatchRow, type BatchTable } from '../batches/batch.store.js';
import { distinct, loadByLimit } from '../batches/load-by-limit.js';
import { visibleOriginators } from '../originators/visible-originators.js';

/** A credit batch as it is stored. Its lines are contracts, and its total is their face value. */
export interface CreditBatchRow extends BatchRow {
  readonly name: string;
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
  ],
  idFilters: [['patrimonyId', 'patrimony_id']],
};

/** Writes the totals of a batch after a change of its contracts, and returns it with them. */
export async function saveTotals({ manager }: Context, row: CreditBatchRow): Promise<CreditBatchRow> {
  const totals = await manager.one<Pick<CreditBatchRow, 'lineCount' | 'total' | 'totalPurchasePrice'>>(
    `UPDATE credit_assignment.credit_batches SET receivable_count = own.count, total_face_value = own.face, total_purchase_price = own.price
     FROM (SELECT count(*) AS count, sum(face_value) AS face, sum(purchase_price) AS price
           FROM credit_assignment.receivables WHERE batch_id = $1) AS own
     WHERE id = $1 RETURNING receivable_count AS "lineCount", total_face_value AS total, total_purchase_price AS "totalPurchasePrice"`,
    [row.id],
  );
  return { ...row, ...totals };
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

/** A key of batched reads: an estate, and how many of its newest batches to return. */
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
  return loadByLimit(keys, async (first, alike) => {
    const rows = await context.manager.rows<CreditBatchRow>(
      `SELECT batch.* FROM unnest($1::uuid[]) AS patrimony (id) CROSS JOIN LATERAL (
         SELECT own.* FROM unnest($2::uuid[]) AS originator (id) CROSS JOIN LATERAL (
           SELECT ${selection(creditBatchTable)} FROM credit_assignment.credit_batches
           WHERE originator_id = originator.id AND patrimony_id = patrimony.id ORDER BY id DESC LIMIT $3) AS own
         ORDER BY own.id DESC LIMIT $3) AS batch
       ORDER BY batch.id DESC`,
      [distinct(alike, ({ patrimonyId }) => patrimonyId), originators, first],
    );
    const byPatrimony = groupBy(rows, ({ patrimonyId }) => patrimonyId);
    return ({ patrimonyId }) => byPatrimony.get(patrimonyId);
  });
}
