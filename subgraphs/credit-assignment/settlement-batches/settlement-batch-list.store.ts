import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import { createdWithin, type CreatedBetween } from '../common/created-between.js';
import { seenOriginators } from '../originators/seen-originators.js';
import type { BatchStatus } from '../credit-batches/credit-batch-transitions.js';
import { settlementBatchColumns, type SettlementBatchRow, type SettlementError } from './settlement-batch.store.js';

/** Filters for the caller's settlement batches; null does not narrow the list. */
export interface SettlementBatchQuery {
  readonly status: BatchStatus | null;
  readonly creditBatchId: string | null;
  readonly patrimonyId: string | null;
  readonly created: CreatedBetween;
}

/** A range of places in a list. */
export interface SettlementBatchPlaces {
  /** Id of the batch after which the range begins; null for the start of the list. */
  readonly after: string | null;
  readonly offset: number;
  readonly limit: number;
}

/** Returns the conditions of a query, with their parameters appended to the given ones. */
function narrowed(
  { status, creditBatchId, patrimonyId, created }: SettlementBatchQuery,
  parameters: readonly unknown[],
) {
  const all = [...parameters];
  const place = (value: unknown) => `$${all.push(value)}`;
  const columns = { status, credit_batch_id: creditBatchId, patrimony_id: patrimonyId };
  const conditions = Object.entries(columns).flatMap(([column, value]) =>
    value === null ? [] : [` AND ${column} = ${place(value)}`],
  );
  return { where: conditions.join('') + createdWithin(created, place), parameters: all };
}

/** Returns batches that the caller may see, newest first: the first few of each originator, straight from an index, and then the first of these. */
export async function settlementBatchesAt(
  context: Context,
  query: SettlementBatchQuery,
  { after, offset, limit }: SettlementBatchPlaces,
): Promise<SettlementBatchRow[]> {
  const originators = await seenOriginators(context);
  const { where, parameters } = narrowed(query, [originators, after, offset, limit]);
  return context.manager.rows(
    `SELECT batch.* FROM unnest($1::uuid[]) AS originator (id) CROSS JOIN LATERAL (
       SELECT ${settlementBatchColumns} FROM credit_assignment.settlement_batches
       WHERE originator_id = originator.id AND ($2::uuid IS NULL OR id < $2)${where}
       ORDER BY id DESC LIMIT $3::bigint + $4) AS batch
     ORDER BY batch.id DESC OFFSET $3 LIMIT $4`,
    parameters,
  );
}

/** Counts the batches of a query that the caller may see. */
export async function countSettlementBatches(context: Context, query: SettlementBatchQuery): Promise<number> {
  const { where, parameters } = narrowed(query, [await seenOriginators(context)]);
  const row = await context.manager.row<{ count: number }>(
    `SELECT count(*)::integer AS count FROM credit_assignment.settlement_batches
     WHERE originator_id = ANY ($1::uuid[])${where}`,
    parameters,
  );
  return row?.count ?? 0;
}

/** Returns the batches with the given ids that the caller may see, in the order of the ids. */
export async function seenSettlementBatchesById(
  context: Context,
  ids: readonly string[],
): Promise<(SettlementBatchRow | undefined)[]> {
  const originators = await seenOriginators(context);
  if (originators.length === 0) return ids.map(() => undefined);
  const rows = await context.manager.rows<SettlementBatchRow>(
    `SELECT ${settlementBatchColumns} FROM credit_assignment.settlement_batches
     WHERE id = ANY ($1::uuid[]) AND originator_id = ANY ($2::uuid[])`,
    [ids, originators],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

/** A key of batched reads: a credit batch, and how many of its newest settlement batches to return. */
export interface NewestSettlementBatches {
  readonly creditBatchId: string;
  readonly first: number;
}

/** Loads the newest settlement batches of each given credit batch, in the order of the keys: one query for all keys with the same limit. */
export async function newestSettlementBatchesOf(
  { manager }: Context,
  keys: readonly NewestSettlementBatches[],
): Promise<SettlementBatchRow[][]> {
  const found = new Map<NewestSettlementBatches, SettlementBatchRow[]>();
  for (const [first, alike] of groupBy(keys, (key) => key.first)) {
    const rows = await manager.rows<SettlementBatchRow>(
      `SELECT batch.* FROM unnest($1::uuid[]) AS credit (id) CROSS JOIN LATERAL (
         SELECT ${settlementBatchColumns} FROM credit_assignment.settlement_batches
         WHERE credit_batch_id = credit.id ORDER BY id DESC LIMIT $2) AS batch`,
      [[...new Set(alike.map(({ creditBatchId }) => creditBatchId))], first],
    );
    const byCreditBatch = groupBy(rows, ({ creditBatchId }) => creditBatchId);
    for (const key of alike) found.set(key, byCreditBatch.get(key.creditBatchId) ?? []);
  }
  return keys.map((key) => found.get(key) ?? []);
}

/** A key of batched reads: a batch, and how many of its first errors to return. */
export interface FirstSettlementErrors {
  readonly batchId: string;
  readonly first: number;
}

/** Loads the first errors of each given batch, in the order of the keys: one query for all keys with the same limit. */
export async function settlementErrorsOf(
  { manager }: Context,
  keys: readonly FirstSettlementErrors[],
): Promise<(readonly SettlementError[])[]> {
  const found = new Map<FirstSettlementErrors, readonly SettlementError[]>();
  for (const [first, alike] of groupBy(keys, (key) => key.first)) {
    const rows = await manager.rows<{ id: string; errors: SettlementError[] }>(
      `SELECT id, jsonb_path_query_array(errors, '$[0 to $last]', jsonb_build_object('last', $2::integer - 1)) AS errors
       FROM credit_assignment.settlement_batches WHERE id = ANY ($1::uuid[])`,
      [[...new Set(alike.map(({ batchId }) => batchId))], first],
    );
    const byBatch = new Map(rows.map(({ id, errors }) => [id, errors]));
    for (const key of alike) found.set(key, byBatch.get(key.batchId) ?? []);
  }
  return keys.map((key) => found.get(key) ?? []);
}
