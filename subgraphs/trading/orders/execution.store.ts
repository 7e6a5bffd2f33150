import type { Context } from '../../../shared/kernel/context.js';
import { groupsOf } from '../../../shared/kernel/group-by.js';
import type { Side, TimeInForce } from '../venues/venue.js';

/**
 * - SENDING: it is being sent
 * - UNKNOWN: it is not known yet whether the venue has it
 * - OPEN: the venue has it, and more of it may be filled
 */
export type ExecutionState = 'SENDING' | 'OPEN' | 'UNKNOWN' | 'FILLED' | 'CANCELLED' | 'REJECTED';

/** The part of an order that goes to one venue; its id is the client order id there. Amounts are decimal text. */
export interface ExecutionRow {
  readonly id: string;
  readonly orderId: string;
  /** In which round of its order it is sent, from 1. */
  readonly round: number;
  readonly synthetic: boolean;
  readonly venue: string;
  readonly symbol: string;
  readonly side: Side;
  readonly amount: string;
  readonly limitPrice: string;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly state: ExecutionState;
  readonly reason: string | null;
  /** The total that the venue reports as executed. */
  readonly reportedAmount: string;
  readonly filledAmount: string;
  readonly session: string;
  readonly looks: number;
  /** Consecutive "unknown order" replies from the venue. */
  readonly absences: number;
  readonly nextLookAt: Date | null;
  readonly resolvedAt: Date | null;
  readonly createdAt: Date;
}

export const unsent = {
  state: 'SENDING',
  reason: null,
  reportedAmount: '0',
  filledAmount: '0',
  looks: 0,
  absences: 0,
  nextLookAt: null,
  resolvedAt: null,
} as const;

/** A request to a venue: an execution of a client's order, or of the house's own. */
export type Outgoing = Omit<ExecutionRow, 'orderId' | 'round' | 'session' | 'synthetic'>;

/** Executions that a list leaves out: those under way, and those at venues at which many are under way. */
export interface Busy {
  readonly ids: readonly string[];
  readonly venues: readonly string[];
}

const columns = `id, order_id AS "orderId", round, synthetic, venue, symbol, side, amount, limit_price AS "limitPrice",
  time_in_force AS "timeInForce", post_only AS "postOnly", state, reason, reported_amount AS "reportedAmount",
  filled_amount AS "filledAmount", session, looks, absences, next_look_at AS "nextLookAt", resolved_at AS "resolvedAt", created_at AS "createdAt"`;

/** SQL for unsettled executions and hedge orders, as in the index: still open at the venue, or with reported fills that are not recorded yet. */
export const isUnsettled = `(state IN ('SENDING', 'OPEN', 'UNKNOWN') OR filled_amount < reported_amount)`;

/** Lists the executions of an order in all rounds, by venue. The order is locked: they change only under its lock. */
export function executionsOf({ manager }: Context, orderId: string): Promise<ExecutionRow[]> {
  return manager.rows(`SELECT ${columns} FROM trading.executions WHERE order_id = $1 ORDER BY venue, id`, [orderId]);
}

export async function executionsOfOrders({ manager }: Context, orderIds: readonly string[]): Promise<ExecutionRow[][]> {
  const rows = await manager.rows<ExecutionRow>(
    `SELECT ${columns} FROM trading.executions WHERE order_id = ANY ($1::uuid[]) ORDER BY venue, id`,
    [orderIds],
  );
  return groupsOf(orderIds, rows, ({ orderId }) => orderId);
}

export function findExecution({ manager }: Context, id: string): Promise<ExecutionRow | undefined> {
  return manager.row(`SELECT ${columns} FROM trading.executions WHERE id = $1`, [id]);
}

export function findExecutions({ manager }: Context, ids: readonly string[]): Promise<ExecutionRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return manager.rows(
    `SELECT ${columns} FROM trading.executions WHERE id = ANY ((SELECT $1::uuid[])::uuid[]) ORDER BY id`,
    [ids],
  );
}

export function liveExecutions({ manager }: Context, session: string, limit: number): Promise<ExecutionRow[]> {
  return manager.rows(
    `SELECT ${columns} FROM trading.executions WHERE session = $1 AND ${isUnsettled}
     ORDER BY id LIMIT $2`,
    [session, limit],
  );
}

/** Lists the executions of a session that are due for a look-up, those that have waited longest first, without busy ones. */
export function dueExecutions(
  { manager, clock }: Context,
  session: string,
  { ids, venues }: Busy,
  limit: number,
): Promise<ExecutionRow[]> {
  return manager.rows(
    `SELECT ${columns} FROM trading.executions
     WHERE session = $1 AND next_look_at <= $2 AND NOT id = ANY ($4::uuid[]) AND NOT venue = ANY ($5::text[])
     ORDER BY next_look_at LIMIT $3`,
    [session, clock.now(), limit, ids, venues],
  );
}

export async function putOff(
  { manager }: Context,
  executions: readonly Pick<ExecutionRow, 'id' | 'nextLookAt'>[],
): Promise<void> {
  await manager.execute(
    `UPDATE trading.executions AS execution SET looks = looks + 1, absences = 0, next_look_at = given.next_look_at
     FROM unnest($1::uuid[], $2::timestamptz[]) AS given (id, next_look_at)
     WHERE execution.id = given.id AND state <> 'SENDING'`,
    [executions.map(({ id }) => id), executions.map(({ nextLookAt }) => nextLookAt)],
  );
}

/** Makes a session's open executions due for a look-up at once, after fills were lost on their way. */
export async function lookAtOpen({ manager, clock }: Context, session: string): Promise<void> {
  await manager.execute(
    `UPDATE trading.executions SET next_look_at = $2 WHERE session = $1 AND state = 'OPEN' AND next_look_at IS NULL`,
    [session, clock.now()],
  );
}

/**
 * Makes the executions that a session was sending due for a look-up at once if no call waits for the venue now: its response came while the database was
 * unavailable.
 * @param sending ids of executions that are being sent now
 * @param before only executions that are older
 */
export async function lookAtUnsettled(
  { manager, clock }: Context,
  session: string,
  { sending, before }: { readonly sending: readonly string[]; readonly before: Date },
): Promise<void> {
  await manager.execute(
    `UPDATE trading.executions SET state = 'UNKNOWN', next_look_at = $2, updated_at = $2
     WHERE session = $1 AND state = 'SENDING' AND created_at < $3 AND NOT id = ANY ($4::uuid[])`,
    [session, clock.now(), before, sending],
  );
}

/** Includes ones whose look-up is planned for missing fills; those whose venue did not respond (with a reason) are looked up first. */
export function endingExecutions(
  { manager }: Context,
  session: string,
  { ids, venues }: Busy,
  limit: number,
): Promise<ExecutionRow[]> {
  return manager.rows(
    `SELECT ${columns} FROM trading.executions
     WHERE session = $1 AND ${isEnding}
       AND NOT id = ANY ($3::uuid[]) AND NOT venue = ANY ($4::text[])
     ORDER BY id LIMIT $2`,
    [session, limit, ids, venues],
  );
}

/** Returns when the session's engine has something to do next: a look-up, an end, an order or timer; undefined where nothing waits. */
export async function nextDue({ manager, clock }: Context, session: string): Promise<Date | undefined> {
  const dueAt = await manager.value<Date>(
    `SELECT least(
       (SELECT next_look_at FROM trading.executions WHERE session = $1 AND next_look_at IS NOT NULL ORDER BY next_look_at LIMIT 1),
       (SELECT expires_at FROM trading.orders WHERE closed_at IS NULL AND cancel_requested_at IS NULL AND expires_at IS NOT NULL ORDER BY expires_at LIMIT 1),
       (SELECT fires_at FROM trading.cancel_timers ORDER BY fires_at LIMIT 1),
       (SELECT $2::timestamptz WHERE EXISTS (SELECT FROM trading.executions WHERE session = $1 AND ${isEnding})))`,
    [session, clock.now()],
  );
  return dueAt ?? undefined;
}

const isEnding = `state = 'OPEN' AND (next_look_at IS NULL OR reason IS NULL) AND order_id IN (
         SELECT id FROM trading.orders WHERE cancel_requested_at IS NOT NULL AND closed_at IS NULL)`;

export async function keepSession({ manager, clock }: Context, session: string): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.sessions (id, seen_at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
    [session, clock.now()],
  );
}

export async function endSession({ manager }: Context, session: string): Promise<void> {
  await manager.execute("UPDATE trading.sessions SET seen_at = '-infinity' WHERE id = $1", [session]);
}

/** Takes over orders: those being sent may have left, resting ones may have been filled unnoticed, and fills of ended ones may be missing. @returns the number of executions */
export async function takeOver({ manager, clock }: Context, session: string, silentSince: Date): Promise<number> {
  const { count } = await manager.one<{ count: number }>(
    `WITH dead AS (
       SELECT id FROM trading.sessions WHERE seen_at < $3 AND id <> $1 FOR UPDATE SKIP LOCKED
     ), taken AS (
       UPDATE trading.executions SET session = $1, updated_at = $2, next_look_at = $2, absences = 0,
         state = CASE WHEN state = 'SENDING' THEN 'UNKNOWN' ELSE state END
       WHERE session IN (SELECT id FROM dead) AND ${isUnsettled} RETURNING id
     ), gone AS (DELETE FROM trading.sessions WHERE id IN (SELECT id FROM dead))
     SELECT count(*)::integer AS count FROM taken`,
    [session, clock.now(), silentSince],
  );
  return count;
}
