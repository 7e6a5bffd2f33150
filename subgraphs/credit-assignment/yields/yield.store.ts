import type { Context } from '../../../shared/kernel/context.js';
import { groupsOf } from '../../../shared/kernel/group-by.js';
import type { DayCount } from '../../securities/day-count.js';
import { hasRole } from '../../../shared/graphql/roles.js';
import { visibleOriginators } from '../originators/visible-originators.js';
import { pricedOn } from '../receivables/receivable.store.js';

/** Income of contracts with one base date and day count on one day, or their total price. */
export interface FlowRow {
  /** Id of the batch or the estate. */
  readonly key: string;
  readonly dayCount: DayCount | null;
  readonly pricedOn: string;
  readonly dueDate: string;
  /** In BRL. */
  readonly amount: string;
  /** Whether it is what they cost. */
  readonly isPrice: boolean;
}

/** Loads the flows of those contracts of each given batch that have a price and were not refused, in the order of the keys. */
export function flowsOfBatches(context: Context, ids: readonly string[]): Promise<FlowRow[][]> {
  return flowsBy(context, 'batch.id', `receivable.status <> 'REFUSED'`, ids);
}

/** Loads the flows of the assigned contracts of each given estate that have a price, in the order of the keys: for operators of all contracts, else of the caller's. */
export function flowsOfEstates(context: Context, ids: readonly string[]): Promise<FlowRow[][]> {
  return flowsBy(context, 'batch.patrimony_id', `receivable.status IN ('OPEN', 'SETTLED')`, ids);
}

async function flowsBy(
  context: Context,
  key: 'batch.id' | 'batch.patrimony_id',
  condition: string,
  ids: readonly string[],
): Promise<FlowRow[][]> {
  const originators = hasRole(context.principal, 'read') ? null : await visibleOriginators(context);
  const rows = await context.manager.rows<FlowRow>(
    `WITH priced AS (
       SELECT ${key} AS key, receivable.day_count, ${pricedOn} AS priced_on, receivable.purchase_price, receivable.due_date,
         receivable.face_value, receivable.installments
       FROM credit_assignment.credit_batches AS batch JOIN credit_assignment.receivables AS receivable ON receivable.batch_id = batch.id
       WHERE ${key} = ANY ($1::uuid[]) AND ($2::uuid[] IS NULL OR batch.originator_id = ANY ($2::uuid[])) AND receivable.purchase_price IS NOT NULL AND ${condition})
     SELECT key, day_count AS "dayCount", priced_on::text AS "pricedOn", due::text AS "dueDate", sum(amount) AS amount, is_price AS "isPrice"
     FROM (SELECT key, day_count, priced_on, priced_on AS due, purchase_price AS amount, true AS is_price FROM priced
           UNION ALL SELECT key, day_count, priced_on, due_date, face_value, false FROM priced WHERE installments IS NULL
           UNION ALL SELECT key, day_count, priced_on, "dueDate", principal + interest, false
             FROM priced, jsonb_to_recordset(installments) AS one ("dueDate" date, principal numeric, interest numeric)) AS flow
     WHERE is_price OR due > priced_on GROUP BY key, day_count, priced_on, due, is_price`,
    [ids, originators],
  );
  return groupsOf(ids, rows, ({ key: of }) => of);
}
