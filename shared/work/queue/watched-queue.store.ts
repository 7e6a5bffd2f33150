import type { Context } from '../../kernel/context.js';
import { sqlNow, statementTime } from '../../database/statement-time.js';
import { isUuid, newId } from '../../kernel/ids.js';
import type { WatchedQueue, WorkItemState } from './watched-queue.js';

export interface WorkCounts {
  readonly due: number;
  readonly claimed: number;
  readonly waiting: number;
  readonly failing: number;
  readonly givenUp: number;
  readonly quarantined: number;
  /** Since when the oldest due item is due. */
  readonly oldestDueAt: Date | null;
}

export interface WatchedItem {
  readonly id: string;
  readonly state: WorkItemState;
  readonly isFailing: boolean;
  readonly attempts: number | null;
  readonly lastError: string | null;
  readonly dueAt: Date | null;
}

/** Number of items of each set (open, given up, in quarantine) that are counted at most. */
export const mostCounted = 10_000;
/** Number of items that one act retries at most. */
const mostRetried = 1_000;

export function countWork(context: Context, queue: WatchedQueue): Promise<WorkCounts> {
  const number = (name: string, condition: string) => `(count(*) FILTER (WHERE ${condition}))::integer AS "${name}"`;
  const inState = (state: WorkItemState) => `state = '${state}'`;
  return context.manager.one(
    `SELECT ${number('due', inState('DUE'))}, ${number('claimed', inState('CLAIMED'))},
       ${number('waiting', inState('WAITING'))}, ${number('givenUp', inState('GIVEN_UP'))},
       ${number('quarantined', inState('QUARANTINED'))},
       ${number('failing', `failing AND state IN ('DUE', 'CLAIMED', 'WAITING')`)},
       min(due_at) FILTER (WHERE ${inState('DUE')}) AS "oldestDueAt"
     FROM (${itemsOf(queue)}) AS item`,
    [statementTime(context), mostCounted],
  );
}

/** Age of the oldest failing open item in seconds, 0 without one, among those counted. @param since SQL of the time from which an item counts */
export async function oldestFailingSeconds(context: Context, queue: WatchedQueue, since: string): Promise<number> {
  const { table, as, dueAt, isOpen, isFailing } = queue;
  const { seconds } = await context.manager.one<{ seconds: number }>(
    `SELECT greatest(0, coalesce(extract(epoch FROM ${sqlNow} - min(since)), 0))::float8 AS seconds
     FROM (SELECT ${since} AS since FROM ${table} AS ${as} WHERE (${isOpen}) AND (${isFailing}) ORDER BY ${dueAt} LIMIT $2) AS failing`,
    [statementTime(context), mostCounted],
  );
  return seconds;
}

/** Lists the counted items that fail, were given up or are held back: those in quarantine last, otherwise by the time at which they are due. */
export function listTroubled(context: Context, queue: WatchedQueue, limit: number): Promise<WatchedItem[]> {
  return context.manager.rows(
    `SELECT ${itemColumns} FROM (${itemsOf(queue)}) AS item WHERE failing OR state IN ('GIVEN_UP', 'QUARANTINED')
     ORDER BY state = 'QUARANTINED', due_at, id LIMIT $3`,
    [statementTime(context), mostCounted, limit],
  );
}

export function findItem(context: Context, queue: WatchedQueue, id: string): Promise<WatchedItem | undefined> {
  if (!isKey(queue, id)) return Promise.resolve(undefined);
  return context.manager.row(`SELECT ${itemColumns} FROM (${itemsOf(queue, `${keyOf(queue)} = $3`)}) AS item LIMIT 1`, [
    statementTime(context),
    1,
    id,
  ]);
}

/** Makes failing items due and reopens given-up ones; with an `id` only that one. Skips due, claimed, quarantined and locked items. */
export async function retryItems(context: Context, queue: WatchedQueue, id: string | null): Promise<string[]> {
  const { table, as, dueAt, isOpen, isClaimed, isFailing, givenUp, retryAt } = queue;
  if (retryAt === undefined || (id !== null && !isKey(queue, id))) return [];
  const waits = `(${isOpen}) AND (${isFailing}) AND ${dueAt} > ${sqlNow} AND NOT (${isClaimed})`;
  const either = givenUp === undefined ? waits : `${waits} OR ${givenUp.is}`;
  return context.manager.values<string>(
    `WITH chosen AS MATERIALIZED (
       SELECT ${keyOf(queue)} AS id FROM ${table} AS ${as} WHERE (${either}) AND ${id === null ? 'true' : `${keyOf(queue)} = $3`}
       ORDER BY ${dueAt} LIMIT $2 FOR NO KEY UPDATE OF ${as} SKIP LOCKED
     ) UPDATE ${table} AS ${as} SET ${retryAt} = ${sqlNow}${givenUp === undefined ? '' : `, ${givenUp.reopen}`}
     FROM chosen WHERE ${keyOf(queue)} = chosen.id RETURNING chosen.id::text`,
    [statementTime(context), mostRetried, ...(id === null ? [] : [id])],
  );
}

/** Gives an unclaimed failing item a token that nobody has, so that no late worker writes. Returns false, changing nothing, for any other. */
export function holdItem(context: Context, queue: WatchedQueue, id: string): Promise<boolean> {
  const { table, as, dueAt, isOpen, isClaimed, isFailing, quarantine } = queue;
  if (quarantine === undefined || !isKey(queue, id)) return Promise.resolve(false);
  return context.manager.changes(
    `WITH chosen AS MATERIALIZED (
       SELECT ${keyOf(queue)} AS id FROM ${table} AS ${as}
       WHERE ${keyOf(queue)} = $2 AND (${isOpen}) AND (${isFailing}) AND NOT (${isClaimed} AND ${dueAt} > ${sqlNow})
       FOR NO KEY UPDATE OF ${as} SKIP LOCKED
     ) UPDATE ${table} AS ${as} SET quarantined_at = ${sqlNow}, lease = $3 FROM chosen WHERE ${keyOf(queue)} = chosen.id`,
    [statementTime(context), id, newId()],
  );
}

/** Makes an item in quarantine due now. Returns false, and changes nothing, if it is in none. */
export function releaseItem(context: Context, queue: WatchedQueue, id: string): Promise<boolean> {
  const { table, as, quarantine } = queue;
  if (quarantine === undefined || !isKey(queue, id)) return Promise.resolve(false);
  return context.manager.changes(
    `UPDATE ${table} AS ${as} SET quarantined_at = NULL, ${quarantine.leasedUntil} = ${sqlNow}
     WHERE ${keyOf(queue)} = $2 AND quarantined_at IS NOT NULL`,
    [statementTime(context), id],
  );
}

const itemColumns = 'id, state, failing AS "isFailing", attempts, error AS "lastError", due_at AS "dueAt"';

/** SQL of at most $2 items of each set, due first: each is read by its own index. @param condition narrows open and given-up ones */
function itemsOf(queue: WatchedQueue, condition = 'true'): string {
  const { table, as, dueAt, isOpen, isClaimed, isFailing, attempts, lastError, givenUp, quarantine } = queue;
  const open = `CASE WHEN ${dueAt} <= ${sqlNow} THEN 'DUE' WHEN ${isClaimed} THEN 'CLAIMED' ELSE 'WAITING' END`;
  const part = (state: string, which: string) =>
    `(SELECT ${keyOf(queue)}::text AS id, ${state} AS state, (${isFailing}) AS failing, (${attempts})::integer AS attempts,
        (${lastError})::text AS error, ${dueAt} AS due_at
      FROM ${table} AS ${as} WHERE ${which} ORDER BY ${dueAt} LIMIT $2)`;
  return [
    part(open, `(${isOpen}) AND (${condition})`),
    ...(givenUp === undefined ? [] : [part(`'GIVEN_UP'`, `${givenUp.is} AND (${condition})`)]),
    ...(quarantine === undefined ? [] : [part(`'QUARANTINED'`, `${as}.quarantined_at IS NOT NULL AND (${condition})`)]),
  ].join(' UNION ALL ');
}

function keyOf({ as, key }: WatchedQueue): string {
  return `${as}.${key}`;
}

/** Whether a text can be the key of an item; other texts need no query, and PostgreSQL would reject them. */
function isKey({ hasUuids }: WatchedQueue, id: string): boolean {
  return hasUuids ? isUuid(id) : !id.includes('\0');
}
