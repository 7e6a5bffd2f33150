import { arraysOf } from '../../../shared/kernel/group-by.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { LoggedRequest, RequestErrors, RequestLogFilter } from './request-log.type.js';
import type { Pool } from 'pg';
import type { Context } from '../../../shared/kernel/context.js';
import { conditionsOf, type Conditions } from '../../../shared/database/conditions.js';
import { untilFew } from '../../../shared/kernel/turns.js';
import { keyset, type PageRange } from '../../../shared/graphql/list-page.js';

export interface LoggedRow extends Omit<Shape<LoggedRequest>, 'path'> {
  readonly id: string;
  readonly accountId: string;
  readonly route: string;
}

/** Requests of the caller's account; an omitted field does not filter. */
export type RequestFilter = Shape<RequestLogFilter>;

/** Leaves stored ones, since a connection may be lost after the commit. Keys are locked against deletion meanwhile: rows of one being deleted go with it, or are not written. */
export async function addRequests(pool: Pool, rows: readonly LoggedRow[]): Promise<void> {
  await pool.query(
    `WITH ended AS (
         SELECT * FROM unnest($1::timestamptz[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::smallint[],
           $8::text[], $9::integer[], $10::bigint[])
           AS ended(at, id, key_id, request_id, method, route, status, error_code, duration_ms, response_bytes)),
       api AS (SELECT id, account_id FROM accounts.api_keys WHERE id = ANY ($3) ORDER BY id FOR KEY SHARE),
       developer AS (SELECT id, account_id FROM accounts.developer_keys WHERE id = ANY ($3) ORDER BY id FOR KEY SHARE)
     INSERT INTO accounts.request_log
       (at, id, account_id, key_id, request_id, method, route, status, error_code, duration_ms, response_bytes)
     SELECT at, ended.id, account_id, key_id, request_id, method, route, status, error_code, duration_ms, response_bytes
     FROM ended JOIN (TABLE api UNION ALL TABLE developer) AS key ON key.id = key_id
     ON CONFLICT DO NOTHING`,
    [
      ...arraysOf(rows, 'at', 'id', 'keyId', 'requestId', 'method'),
      ...arraysOf(rows, 'route', 'status', 'errorCode', 'durationMs', 'bytes'),
    ],
  );
}

const columns = `at, id, account_id AS "accountId", key_id AS "keyId", request_id AS "requestId", method, route, status,
  error_code AS "errorCode", duration_ms AS "durationMs", response_bytes::float8 AS bytes`;

export type ListedRequest = LoggedRow & { readonly exactAt: string };

/** The requests that an account sees: its own. */
export interface VisibleRequests {
  readonly accountId: string;
  /** Older ones are about to be deleted; null for all that are held. */
  readonly since: Date | null;
}

export function listRequests(
  { manager }: Context,
  visible: VisibleRequests,
  filter: RequestFilter,
  page: Pick<PageRange, 'limit' | 'backward'> & { readonly position: readonly string[] },
): Promise<ListedRequest[]> {
  const conditions = filtered(visible, filter);
  const { beyond, direction } = keyset('DESC', page);
  const [exactAt, id] = page.position;
  const { place } = conditions;
  const behind =
    exactAt === undefined || id === undefined
      ? ''
      : ` AND (at, id) ${beyond} (${place(exactAt)}::timestamptz, ${place(id)}::uuid)`;
  return manager.rows(
    `SELECT ${columns}, at::text AS "exactAt" FROM accounts.request_log WHERE ${conditions.text()}${behind}
     ORDER BY at ${direction}, id ${direction} LIMIT ${place(page.limit + 1)}`,
    conditions.values,
  );
}

export const mostCounted = 10_000;

/** Counts the requests of an account; null for more than 10,000. */
export async function countRequests(
  { manager }: Context,
  visible: VisibleRequests,
  filter: RequestFilter,
): Promise<number | null> {
  const conditions = filtered(visible, filter);
  const count = await manager.countRows(
    `SELECT count(*)::integer AS count FROM (
       SELECT FROM accounts.request_log WHERE ${conditions.text()} LIMIT ${mostCounted + 1}) AS found`,
    conditions.values,
  );
  return count > mostCounted ? null : count;
}

/** Requests of one route that failed with one status and code. */
export interface ErrorGroupRow extends Omit<Shape<RequestErrors>, 'path'> {
  readonly route: string;
}

/** Returns the failed requests of an account, grouped: the most frequent groups first. */
export function groupErrors(
  { manager }: Context,
  visible: VisibleRequests,
  filter: Pick<RequestFilter, 'from' | 'to' | 'keyId'>,
  take: number,
): Promise<ErrorGroupRow[]> {
  const conditions = filtered(visible, filter, '(status >= 400 OR error_code IS NOT NULL)');
  return manager.rows(
    `SELECT method, route, status, error_code AS "errorCode", count(*)::float8 AS count, min(at) AS "firstAt", max(at) AS "lastAt"
     FROM accounts.request_log WHERE ${conditions.text()} GROUP BY method, route, status, error_code
     ORDER BY count(*) DESC, max(at) DESC, method, route LIMIT ${conditions.place(take)}`,
    conditions.values,
  );
}

function filtered(
  { accountId, since }: VisibleRequests,
  filter: RequestFilter,
  ...first: readonly string[]
): Conditions {
  const conditions = conditionsOf(...first);
  const { where } = conditions;
  where(accountId, (id) => `account_id = ${id}`);
  where(since, (moment) => `at >= ${moment}::timestamptz`);
  where(filter.from, (from) => `at >= ${from}::timestamptz`);
  where(filter.to, (to) => `at < ${to}::timestamptz`);
  where(filter.status, (status) => `status / CASE WHEN ${status}::integer < 10 THEN 100 ELSE 1 END = ${status}`);
  where(filter.path, (path) => `starts_with(route, ${path})`);
  where(filter.keyId, (id) => `key_id = ${id}::uuid`);
  where(filter.requestId, (id) => `request_id = ${id}::uuid`);
  return conditions;
}

/** Deletes the requests of an account. Its keys must be deleted already, in the same transaction. */
export async function removeRequestsOf({ manager }: Context, accountId: string): Promise<void> {
  await manager.execute('DELETE FROM accounts.request_log WHERE account_id = $1', [accountId]);
}

const batch = 5_000;

export async function deleteRequests({ manager }: Context, before: Date): Promise<void> {
  await untilFew(batch, () =>
    manager.execute(
      `DELETE FROM accounts.request_log WHERE (at, id) IN
         (SELECT at, id FROM accounts.request_log WHERE at < $1 ORDER BY at LIMIT ${batch})`,
      [before],
    ),
  );
}
