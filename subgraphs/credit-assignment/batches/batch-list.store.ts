import type { Context } from '../../../shared/kernel/context.js';
import { keyset } from '../../../shared/graphql/list-page.js';
import { itemsOf } from '../../../shared/kernel/group-by.js';
import { createdWithin, type CreatedBetween } from './created-between.js';
import { visibleOriginators } from '../originators/visible-originators.js';
import { selection, type BatchErrorRow, type BatchRow, type BatchTable, type IdFilter } from './batch.store.js';
import { distinct, loadByLimit } from './load-by-limit.js';
import type { BatchStatus } from './transitions.js';

/** Filters for the caller's batches of a kind; null does not narrow the list. */
export interface BatchQuery {
  readonly status: BatchStatus | null;
  readonly ids: Readonly<Partial<Record<IdFilter, string | null>>>;
  readonly created: CreatedBetween;
}

/** A range of places in a list. */
export interface BatchPlaces {
  /** Id of the batch beyond which the range is; null for the start of the list, or its end where `backward`. */
  readonly after: string | null;
  readonly backward: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Returns the conditions of a query, with their parameters appended to the given ones. */
function narrowed<Row extends BatchRow>(
  { idFilters }: BatchTable<Row>,
  { status, ids, created }: BatchQuery,
  parameters: readonly unknown[],
) {
  const all = [...parameters];
  const place = (value: unknown) => `$${all.push(value)}`;
  const values = [['status', status], ...idFilters.map(([filter, column]) => [column, ids[filter] ?? null])];
  const conditions = values.flatMap(([column, value]) => (value === null ? [] : [` AND ${column} = ${place(value)}`]));
  return { where: conditions.join('') + createdWithin(created, place), parameters: all };
}

/** Lists batches that the caller may see, newest first: the first few of each originator, straight from an index, and then the first of these. */
export async function listBatches<Row extends BatchRow>(
  context: Context,
  kind: BatchTable<Row>,
  query: BatchQuery,
  { after, backward, offset, limit }: BatchPlaces,
): Promise<Row[]> {
  const { beyond, direction } = keyset('DESC', { backward });
  const originators = await visibleOriginators(context);
  const { where, parameters } = narrowed(kind, query, [originators, after, offset, limit]);
  return context.manager.rows(
    `SELECT batch.* FROM unnest($1::uuid[]) AS originator (id) CROSS JOIN LATERAL (
       SELECT ${selection(kind)} FROM ${kind.table}
       WHERE originator_id = originator.id AND ($2::uuid IS NULL OR id ${beyond} $2)${where}
       ORDER BY id ${direction} LIMIT $3::bigint + $4) AS batch
     ORDER BY batch.id ${direction} OFFSET $3 LIMIT $4`,
    parameters,
  );
}

/** Counts the batches of a query that the caller may see. */
export async function countBatches<Row extends BatchRow>(
  context: Context,
  kind: BatchTable<Row>,
  query: BatchQuery,
): Promise<number> {
  const { where, parameters } = narrowed(kind, query, [await visibleOriginators(context)]);
  return context.manager.countRows(
    `SELECT count(*)::float8 FROM ${kind.table} WHERE originator_id = ANY ($1::uuid[])${where}`,
    parameters,
  );
}

/** Loads batches that the caller may see, in the order of their ids; undefined for the others. */
export type BatchLoader<Row> = (context: Context, ids: readonly string[]) => Promise<(Row | undefined)[]>;

/** Creates the loader of a kind of batches. */
export function visibleBatchLoader<Row extends BatchRow>(kind: BatchTable<Row>): BatchLoader<Row> {
  return async (context, ids) => {
    const originators = await visibleOriginators(context);
    if (originators.length === 0) return ids.map(() => undefined);
    const rows = await context.manager.rows<Row>(
      `SELECT ${selection(kind)} FROM ${kind.table} WHERE id = ANY ($1::uuid[]) AND originator_id = ANY ($2::uuid[])`,
      [ids, originators],
    );
    return itemsOf(ids, rows, ({ id }) => id);
  };
}

/** A key of batched reads: a batch, and how many of its first errors to return. */
export interface FirstErrors {
  readonly batchId: string;
  readonly first: number;
}

/** Loads the first errors of each given batch, in the order of the keys. */
export type ErrorLoader = (context: Context, keys: readonly FirstErrors[]) => Promise<(readonly BatchErrorRow[])[]>;

/** Creates the loader of the errors of a kind of batches. */
export function batchErrorLoader({ table }: { readonly table: string }): ErrorLoader {
  return ({ manager }, keys) =>
    loadByLimit(keys, async (first, alike) => {
      const rows = await manager.rows<{ id: string; errors: BatchErrorRow[] }>(
        `SELECT id, jsonb_path_query_array(errors, '$[0 to $last]', jsonb_build_object('last', $2::integer - 1)) AS errors
         FROM ${table} WHERE id = ANY ($1::uuid[])`,
        [distinct(alike, ({ batchId }) => batchId), first],
      );
      const byBatch = new Map(rows.map(({ id, errors }) => [id, errors]));
      return ({ batchId }) => byBatch.get(batchId);
    });
}
