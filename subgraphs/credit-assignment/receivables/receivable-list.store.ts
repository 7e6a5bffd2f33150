import type { Context } from '../../../shared/kernel/context.js';
import { conditionsOf, type Conditions } from '../../../shared/database/conditions.js';
import { keyset, type PageRange } from '../../../shared/graphql/list-page.js';
import { columns, openBalance, type ReceivableRow, type ReceivableStatus } from './receivable.store.js';

/** Filters for receivables; null does not narrow the list. */
export interface ReceivableQuery {
  readonly externalId: string | null;
  readonly status: ReceivableStatus | null;
  readonly patrimonyId: string | null;
  readonly dueFrom: string | null;
  readonly dueTo: string | null;
}

/** A place in the list: a batch, and a contract in it. */
export type ReceivablePlace = readonly [batchId: string, position: string];

/**
 * Lists contracts of the given originators, those of the newest batch first, and in the order of their batch. Batches are read one after the other until the
 * page is full.
 */
export function listReceivables(
  { manager }: Context,
  originatorIds: readonly string[],
  query: ReceivableQuery,
  { place, backward, limit }: Pick<PageRange, 'backward' | 'limit'> & { readonly place: ReceivablePlace | undefined },
): Promise<ReceivableRow[]> {
  const batches = keyset('DESC', { backward });
  const contracts = keyset('ASC', { backward });
  const outer = batchConditions(originatorIds, query);
  const inner = contractConditions(query, outer);
  if (place !== undefined) {
    const [batchId, position] = place;
    outer.where(batchId, (id) => `batch.id ${batches.beyond}= ${id}::uuid`);
    const [id, at] = [outer.place(batchId), outer.place(position)];
    inner.push(`(batch.id <> ${id}::uuid OR receivable.position ${contracts.beyond} ${at}::integer)`);
  }
  const size = outer.place(limit + 1);
  return manager.rows(
    `SELECT ${columns} FROM (
       SELECT id, status FROM credit_assignment.credit_batches AS batch WHERE ${outer.text()} ORDER BY id ${batches.direction}
     ) AS batch CROSS JOIN LATERAL (
       SELECT * FROM credit_assignment.receivables AS receivable WHERE ${inner.join(' AND ')}
       ORDER BY position ${contracts.direction} LIMIT ${size}
     ) AS receivable
     ORDER BY batch.id ${batches.direction}, receivable.position ${contracts.direction} LIMIT ${size}`,
    outer.values,
  );
}

/** Number of contracts, and the amounts of those that were assigned. */
export interface ReceivableTotalsRow {
  readonly count: number;
  readonly faceValue: string;
  readonly openBalance: string;
}

/** Sums up the contracts of the given originators that a query selects. */
export function sumReceivables(
  { manager }: Context,
  originatorIds: readonly string[],
  query: ReceivableQuery,
): Promise<ReceivableTotalsRow> {
  const outer = batchConditions(originatorIds, query);
  const inner = contractConditions(query, outer);
  return manager.one(
    `SELECT count(*)::float8 AS count,
       coalesce(sum(receivable.face_value) FILTER (WHERE receivable.status <> 'PENDING'), 0)::numeric(24, 2) AS "faceValue",
       coalesce(sum(${openBalance}), 0)::numeric(24, 2) AS "openBalance"
     FROM credit_assignment.credit_batches AS batch JOIN credit_assignment.receivables AS receivable ON ${inner.join(' AND ')}
     WHERE ${outer.text()}`,
    outer.values,
  );
}

function batchConditions(originatorIds: readonly string[], { patrimonyId }: ReceivableQuery): Conditions {
  // The first parameter, also where the caller has no originator: an empty list of `where` would not restrict anything.
  const conditions = conditionsOf('batch.originator_id = ANY ($1::uuid[])');
  conditions.place(originatorIds);
  conditions.where(patrimonyId, (id) => `batch.patrimony_id = ${id}::uuid`);
  return conditions;
}

/** Returns the conditions on a contract; their values are placed among those of the batch. */
function contractConditions(
  { externalId, status, dueFrom, dueTo }: ReceivableQuery,
  { place }: Pick<Conditions, 'place'>,
): string[] {
  return [
    'receivable.batch_id = batch.id',
    ...(externalId === null ? [] : [`receivable.external_id = ${place(externalId)}`]),
    ...(status === null ? [] : [`receivable.status = ${place(status)}`]),
    ...(status === 'OPEN' ? ['receivable.written_off_at IS NULL'] : []),
    ...(dueFrom === null ? [] : [`receivable.due_date >= ${place(dueFrom)}::date`]),
    ...(dueTo === null ? [] : [`receivable.due_date <= ${place(dueTo)}::date`]),
  ];
}
