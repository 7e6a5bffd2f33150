import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import { createdWithin, type CreatedBetween } from '../common/created-between.js';
import { seenOriginators } from '../originators/seen-originators.js';
import type { BatchStatus } from './credit-batch-transitions.js';
import { creditBatchColumns, type CreditBatchRow } from './credit-batch.store.js';

/** Filters for the caller's batches; null does not narrow the list. */
export interface BatchQuery {
  readonly status: BatchStatus | null;
  readonly patrimonyId: string | null;
  readonly created: CreatedBetween;
}

/** A range of places in a list. */
export interface BatchPlaces {
  /** Id of the batch after which the range begins; null for the start of the list. */
  readonly after: string | null;
  readonly offset: number;
  readonly limit: number;
}

/** Returns the conditions of a query, with their parameters appended to the given ones. */
function narrowed({ status, patrimonyId, created }: BatchQuery, parameters: readonly unknown[]) {
  const all = [...parameters];
  const place = (value: unknown) => `$${all.push(value)}`;
  const conditions = Object.entries({ status, patrimony_id: patrimonyId }).flatMap(([column, value]) =>
    value === null ? [] : [` AND ${column} = ${place(value)}`],
  );
  return { where: conditions.join('') + createdWithin(created, place), parameters: all };
}

/** Returns batches that the caller may see, newest first: the first few of each originator, straight from an index, and then the first of these. */
export async function batchesAt(
  context: Context,
  query: BatchQuery,
  { after, offset, limit }: BatchPlaces,
): Promise<CreditBatchRow[]> {
  const originators = await seenOriginators(context);
  const { where, parameters } = narrowed(query, [originators, after, offset, limit]);
  return context.manager.rows(
    `SELECT batch.* FROM unnest($1::uuid[]) AS originator (id) CROSS JOIN LATERAL (
       SELECT ${creditBatchColumns} FROM credit_assignment.credit_batches
       WHERE originator_id = originator.id AND ($2::uuid IS NULL OR id < $2)${where}
       ORDER BY id DESC LIMIT $3::bigint + $4) AS batch
     ORDER BY batch.id DESC OFFSET $3 LIMIT $4`,
    parameters,
  );
}

/** Counts the batches of a query that the caller may see. */
export async function countBatches(context: Context, query: BatchQuery): Promise<number> {
  const { where, parameters } = narrowed(query, [await seenOriginators(context)]);
  const row = await context.manager.row<{ count: number }>(
    `SELECT count(*)::integer AS count FROM credit_assignment.credit_batches
     WHERE originator_id = ANY ($1::uuid[])${where}`,
    parameters,
  );
  return row?.count ?? 0;
}

/** Returns the batches with the given ids that the caller may see, in the order of the ids. */
export async function seenBatchesById(
  context: Context,
  ids: readonly string[],
): Promise<(CreditBatchRow | undefined)[]> {
  const originators = await seenOriginators(context);
  if (originators.length === 0) return ids.map(() => undefined);
  const rows = await context.manager.rows<CreditBatchRow>(
    `SELECT ${creditBatchColumns} FROM credit_assignment.credit_batches
     WHERE id = ANY ($1::uuid[]) AND originator_id = ANY ($2::uuid[])`,
    [ids, originators],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

/** Returns the batch of each given receivable where the caller may see it, in the order of the ids. */
export async function seenBatchesOfReceivables(
  context: Context,
  receivableIds: readonly string[],
): Promise<(CreditBatchRow | undefined)[]> {
  const originators = await seenOriginators(context);
  if (originators.length === 0) return receivableIds.map(() => undefined);
  const rows = await context.manager.rows<CreditBatchRow & { readonly receivableId: string }>(
    `SELECT receivable.id AS "receivableId", batch.* FROM credit_assignment.receivables AS receivable
     JOIN (SELECT ${creditBatchColumns} FROM credit_assignment.credit_batches WHERE originator_id = ANY ($2::uuid[]))
       AS batch ON batch.id = receivable.batch_id
     WHERE receivable.id = ANY ($1::uuid[])`,
    [receivableIds, originators],
  );
  const byReceivable = new Map(rows.map(({ receivableId, ...row }) => [receivableId, row]));
  return receivableIds.map((id) => byReceivable.get(id));
}

/** A key of batched reads: an estate, and how many of its newest batches to return. */
export interface NewestBatches {
  readonly patrimonyId: string;
  readonly first: number;
}

/** Loads the caller's newest batches of each given estate, in the order of the keys: one query for all keys with the same limit. */
export async function newestBatchesOf(context: Context, keys: readonly NewestBatches[]): Promise<CreditBatchRow[][]> {
  const originators = await seenOriginators(context);
  if (originators.length === 0) return keys.map(() => []);
  const found = new Map<NewestBatches, CreditBatchRow[]>();
  for (const [first, alike] of groupBy(keys, (key) => key.first)) {
    const rows = await context.manager.rows<CreditBatchRow>(
      `SELECT batch.* FROM unnest($1::uuid[]) AS patrimony (id) CROSS JOIN LATERAL (
         SELECT own.* FROM unnest($2::uuid[]) AS originator (id) CROSS JOIN LATERAL (
           SELECT ${creditBatchColumns} FROM credit_assignment.credit_batches
           WHERE originator_id = originator.id AND patrimony_id = patrimony.id ORDER BY id DESC LIMIT $3) AS own
         ORDER BY own.id DESC LIMIT $3) AS batch
       ORDER BY batch.id DESC`,
      [[...new Set(alike.map(({ patrimonyId }) => patrimonyId))], originators, first],
    );
    const byPatrimony = groupBy(rows, ({ patrimonyId }) => patrimonyId);
    for (const key of alike) found.set(key, byPatrimony.get(key.patrimonyId) ?? []);
  }
  return keys.map((key) => found.get(key) ?? []);
}

/** An error of a contract. */
export interface BatchErrorRow {
  readonly index: number;
  readonly externalId: string;
  readonly path: string;
  readonly message: string;
}

/** A key of batched reads: a batch, and how many of its first errors to return. */
export interface FirstErrors {
  readonly batchId: string;
  readonly first: number;
}

/** Loads the first errors of each given batch, in the order of the keys: one query for all keys with the same limit. */
export async function firstErrorsOf(
  { manager }: Context,
  keys: readonly FirstErrors[],
): Promise<(readonly BatchErrorRow[])[]> {
  const found = new Map<FirstErrors, readonly BatchErrorRow[]>();
  for (const [first, alike] of groupBy(keys, (key) => key.first)) {
    const rows = await manager.rows<{ id: string; errors: BatchErrorRow[] }>(
      `SELECT id, jsonb_path_query_array(errors, '$[0 to $last]', jsonb_build_object('last', $2::integer - 1)) AS errors
       FROM credit_assignment.credit_batches WHERE id = ANY ($1::uuid[])`,
      [[...new Set(alike.map(({ batchId }) => batchId))], first],
    );
    const byBatch = new Map(rows.map(({ id, errors }) => [id, errors]));
    for (const key of alike) found.set(key, byBatch.get(key.batchId) ?? []);
  }
  return keys.map((key) => found.get(key) ?? []);
}
