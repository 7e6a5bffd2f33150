import type { Context } from '../../../shared/kernel/context.js';
import { lowestIdAt } from '../../../shared/kernel/ids.js';
import type { RuleValue } from '../../../shared/kernel/errors.js';
import { valuesOf, groupBy, itemsOf, readAlike } from '../../../shared/kernel/group-by.js';
import type { BatchStatus } from './transitions.js';
import { keyset } from '../../../shared/graphql/list-page.js';
import { visibleOriginators } from '../originators/visible-originators.js';
import type { ActivityActor } from '../activity/activity.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import { requirePeriod } from '../../../shared/kernel/bounds.js';

/** A rule for which a batch is rejected as a whole, with the values in its text. */
export interface RejectionRule {
  readonly rule: string;
  readonly values: readonly RuleValue[];
}

export interface BatchRow {
  readonly id: string;
  /** Among all batches of its originator in the civil year of its creation, from 1. */
  readonly number: number;
  readonly sender: ActivityActor;
  /** Key of a signed request: SHA-256 of its DER, in hexadecimal. */
  readonly senderKey: string | null;
  /** Name of the file that contained the batch; null without a file or a name. */
  readonly fileName: string | null;
  /** The number of its first line in that file, where the others follow one by one. */
  readonly firstLine: number | null;
  readonly originatorId: string;
  readonly patrimonyId: string;
  readonly status: BatchStatus;
  readonly lineCount: number;
  /** Sum of its lines, in BRL with 2 decimals. */
  readonly total: string;
  readonly rejectionReason: string | null;
  /** The rules behind the reason; null unless the batch was rejected. */
  readonly rejectionRules: readonly RejectionRule[] | null;
  readonly errorCount: number;
  readonly createdAt: Date;
  readonly submittedAt: Date | null;
  readonly processAfter: Date | null;
  readonly processedAt: Date | null;
  readonly cancelledAt: Date | null;
}

export interface BatchErrorRow {
  /** Position of the line in the batch, from 0. */
  readonly index: number;
  /** Null for a payment whose contract is unknown. */
  readonly externalId: string | null;
  readonly path: string;
  /** Completes a sentence that begins with the path. */
  readonly message: string;
  /** The field of the line, the code of the rule that it breaks, and the message in Brazilian Portuguese; older errors have none of them. */
  readonly field?: string;
  readonly rule?: string;
  readonly messagePt?: string;
}

export const maxErrors = 1_000;

/** A batch with the account whose webhooks receive its events: the originator's account, or the originator's own id where it has none. */
export type OwnedBatch<Row extends BatchRow> = Row & { readonly ownerId: string };

export interface BatchTable<Row extends BatchRow> {
  readonly table: string;
  readonly columns: readonly (readonly [field: keyof Row & string, column: string])[];
  readonly idFilters: readonly (readonly [filter: IdFilter, column: string])[];
}

type IdFilter = 'creditBatchId' | 'patrimonyId';

export const commonColumns = [
  ['id', 'id'],
  ['number', 'number'],
  ['sender', 'sender'],
  ['senderKey', 'sender_key'],
  ['fileName', 'file_name'],
  ['firstLine', 'first_line'],
  ['originatorId', 'originator_id'],
  ['patrimonyId', 'patrimony_id'],
  ['status', 'status'],
  ['rejectionReason', 'rejection_reason'],
  ['rejectionRules', 'rejection_rules'],
  ['errorCount', 'error_count'],
  ['createdAt', 'created_at'],
  ['submittedAt', 'submitted_at'],
  ['processAfter', 'process_after'],
  ['processedAt', 'processed_at'],
  ['cancelledAt', 'cancelled_at'],
] as const satisfies BatchTable<BatchRow>['columns'];

export function selection<Row extends BatchRow>({ columns }: Pick<BatchTable<Row>, 'columns'>): string {
  return columns.map(([field, column]) => `${column} AS "${field}"`).join(', ');
}

/** Selects batches with their owners; `rest` is the SQL after the table. */
function ownedBatches<Row extends BatchRow>(
  { manager }: Context,
  kind: BatchTable<Row>,
  rest: string,
  parameters: readonly unknown[],
): Promise<OwnedBatch<Row>[]> {
  return manager.rows(
    `SELECT ${selection(kind)}, (SELECT coalesce(account_id, id::text) FROM credit_assignment.originators AS originator
       WHERE originator.id = originator_id) AS "ownerId"
     FROM ${kind.table} ${rest}`,
    parameters,
  );
}

export async function lockBatch<Row extends BatchRow>(
  tx: Context,
  kind: BatchTable<Row>,
  originatorId: string,
  id: string,
): Promise<OwnedBatch<Row> | undefined> {
  return (
    await ownedBatches(tx, kind, 'WHERE id = $1 AND originator_id = $2 FOR NO KEY UPDATE', [id, originatorId])
  )[0];
}

/** Locks the batch for which a lease is held; undefined when another holder has it by now, or it is decided. */
export async function lockLeasedBatch<Row extends BatchRow>(
  tx: Context,
  kind: BatchTable<Row>,
  id: string,
  lease: string,
): Promise<OwnedBatch<Row> | undefined> {
  const leased = `WHERE id = $1 AND lease = $2 AND status = 'PROCESSING' FOR NO KEY UPDATE`;
  return (await ownedBatches(tx, kind, leased, [id, lease]))[0];
}

/** Locks batches, in the same order in every transaction, and returns those that exist. */
export function lockBatches<Row extends BatchRow>(
  tx: Context,
  kind: BatchTable<Row>,
  ids: readonly string[],
): Promise<OwnedBatch<Row>[]> {
  return ownedBatches(tx, kind, 'WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE', [ids]);
}

/** Returns batches, unlocked, in the order of their ids. */
export function listOwnedBatches<Row extends BatchRow>(
  context: Context,
  kind: BatchTable<Row>,
  ids: readonly string[],
): Promise<OwnedBatch<Row>[]> {
  return ownedBatches(context, kind, 'WHERE id = ANY ($1::uuid[]) ORDER BY id', [ids]);
}

/** Returns the account whose webhooks receive the events of an originator's batches. */
export async function ownerOf({ manager }: Context, originatorId: string): Promise<string> {
  return (
    (await manager.value<string>(
      `SELECT coalesce(account_id, id::text) AS "ownerId" FROM credit_assignment.originators WHERE id = $1`,
      [originatorId],
    )) ?? originatorId
  );
}

/** Inserts a batch that is not rejected, without its number. */
export async function addBatch<Row extends BatchRow>(
  { manager }: Context,
  { table, columns }: BatchTable<Row>,
  row: Row,
): Promise<void> {
  const known = columns.filter(([field]) => field !== 'number');
  await manager.execute(
    `INSERT INTO ${table} (${known.map(([, column]) => column).join(', ')})
     VALUES (${known.map((_, index) => `$${index + 1}`).join(', ')})`,
    known.map(([field]) => row[field]),
  );
}

/** Gives an inserted batch the next number of its originator and year, and returns it. Comes last in its transaction: other batches of the originator wait for its end. */
export async function numberBatch<Row extends BatchRow>(
  { manager }: Context,
  { table }: { readonly table: string },
  row: Row,
): Promise<Row> {
  const { number } = await manager.one<{ number: number }>(
    `WITH drawn AS (
       INSERT INTO credit_assignment.batch_numbers AS own (originator_id, year, last) VALUES ($2, $3, 1)
       ON CONFLICT (originator_id, year) DO UPDATE SET last = own.last + 1 RETURNING last)
     UPDATE ${table} SET number = drawn.last FROM drawn WHERE id = $1 RETURNING number`,
    [row.id, row.originatorId, civilDate(row.createdAt).slice(0, 4)],
  );
  return { ...row, number };
}

/** Writes the status of a batch, with its times, reason and errors, and ends its lease. Without errors the recorded ones stay. */
export async function saveBatch(
  { manager }: Context,
  { table }: { readonly table: string },
  row: BatchRow,
  errors?: readonly BatchErrorRow[],
): Promise<void> {
  const times = valuesOf(row, 'submittedAt', 'processAfter', 'processedAt', 'cancelledAt');
  const rules = row.rejectionRules === null ? null : JSON.stringify(row.rejectionRules);
  await manager.execute(
    `UPDATE ${table} SET status = $2, rejection_reason = $3, errors = coalesce($4::jsonb, errors), error_count = $5, submitted_at = $6,
       process_after = $7, processed_at = $8, cancelled_at = $9, rejection_rules = $10, lease = NULL, leased_until = NULL WHERE id = $1`,
    [
      row.id,
      row.status,
      row.rejectionReason,
      errors === undefined ? null : JSON.stringify(errors),
      row.errorCount,
      ...times,
      rules,
    ],
  );
}

export interface LinePlaces {
  readonly batchId: string;
  /** The position beyond which they are; null for the first, or the last where `backward`. */
  readonly after: number | null;
  /** Whether they are read from the last to the first. */
  readonly backward: boolean;
  readonly first: number;
}

export type LineLoader<Row> = (context: Context, keys: readonly LinePlaces[]) => Promise<(readonly Row[])[]>;

/** @param columns SQL, with the position of the line as `position` @param from SQL of the tables @param line the name of the table of lines in it */
export function lineLoader<Row>(columns: string, from: string, line: string): LineLoader<Row> {
  return ({ manager }, keys) =>
    readAlike(keys, ['first', 'backward'], async (one, alike) => {
      const { beyond, direction } = keyset('ASC', one);
      const rows = await manager.rows<Row & { readonly key: number }>(
        `SELECT place.* FROM unnest($1::uuid[], $2::integer[]) WITH ORDINALITY AS wanted (batch_id, after, key)
         CROSS JOIN LATERAL (
           SELECT wanted.key::integer, ${columns} FROM ${from}
           WHERE ${line}.batch_id = wanted.batch_id AND (wanted.after IS NULL OR ${line}.position ${beyond} wanted.after)
           ORDER BY ${line}.position ${direction} LIMIT $3) AS place
         ORDER BY place.key, place.position ${direction}`,
        [alike.map(({ batchId }) => batchId), alike.map(({ after }) => after), one.first],
      );
      const byKey = groupBy(rows, ({ key }) => key);
      return (_key, index) => byKey.get(index + 1) ?? [];
    });
}

/** Filters for the caller's batches of a kind; null does not narrow the list. */
export interface BatchQuery {
  readonly status: BatchStatus | null;
  readonly number: number | null;
  readonly ids: Readonly<Partial<Record<IdFilter, string | null>>>;
  readonly created: CreatedBetween;
}

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
  { status, number, ids, created }: BatchQuery,
  parameters: readonly unknown[],
) {
  const all = [...parameters];
  const place = (value: unknown) => `$${all.push(value)}`;
  const values = [
    ['status', status],
    ['number', number],
    ...idFilters.map(([filter, column]) => [column, ids[filter] ?? null]),
  ];
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

export interface FirstErrors {
  readonly batchId: string;
  readonly first: number;
}

export type ErrorLoader = (context: Context, keys: readonly FirstErrors[]) => Promise<(readonly BatchErrorRow[])[]>;

export function batchErrorLoader({ table }: { readonly table: string }): ErrorLoader {
  return ({ manager }, keys) =>
    readAlike(keys, ['first'], async ({ first }, alike) => {
      const rows = await manager.rows<{ id: string; errors: BatchErrorRow[] }>(
        `SELECT id, jsonb_path_query_array(errors, '$[0 to $last]', jsonb_build_object('last', $2::integer - 1)) AS errors
         FROM ${table} WHERE id = ANY ($1::uuid[])`,
        [alike.map(({ batchId }) => batchId), first],
      );
      const byBatch = new Map(rows.map(({ id, errors }) => [id, errors]));
      return ({ batchId }) => byBatch.get(batchId) ?? [];
    });
}

/** A period of creation: civil days in São Paulo, both included; null does not narrow a list. */
interface CreatedBetween {
  readonly from: string | null;
  readonly to: string | null;
}

/** @throws {ApiError} BAD_REQUEST for a period that ends before it begins */
export function createdBetween(from: string | null | undefined, to: string | null | undefined): CreatedBetween {
  requirePeriod(from, to);
  return { from: from ?? null, to: to ?? null };
}

const startOf = (day: string): string => `((${day})::date::timestamp AT TIME ZONE 'America/Sao_Paulo')`;

/** Compares `created_at`, and at the start of the period also `id`, so that scans of the indexes in the order of ids end there. @param place adds a value as a parameter and returns its name */
function createdWithin({ from, to }: CreatedBetween, place: (value: unknown) => string): string {
  const conditions: string[] = [];
  if (from !== null) {
    const begin = startOf(place(from));
    conditions.push(` AND created_at >= ${begin} AND id >= ${lowestIdAt(begin)}`);
  }
  if (to !== null) conditions.push(` AND created_at < ${startOf(`${place(to)}::date + 1`)}`);
  return conditions.join('');
}
