import { arraysOf, groupBy, groupsOf } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';
import { type Outgoing, isUnsettled } from '../orders/execution.store.js';
import type { Side } from '../venues/venue.js';
import type { WatchedQueue } from '../../../shared/work/queue/watched-queue.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { UnknownExecution } from '../orders/order.type.js';
import type { OpenHedge } from './quote.type.js';

/** A hedge, with the data of its quote. Amounts are decimal text. */
export interface HedgeRow {
  readonly quoteId: string;
  readonly synthetic: boolean;
  readonly state: 'OPEN' | 'DONE';
  /** In the base currency: the total to trade, and the traded part. */
  readonly amount: string;
  readonly hedgedAmount: string;
  /** In the quote currency: what the client paid or received without the fee, and what the venues received or paid. */
  readonly quotedValue: string;
  readonly hedgedValue: string;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** The client's side, and therefore the house's side at the venues. */
  readonly side: Side;
  readonly reason: string | null;
}

/** A child order of a hedge at one venue; its id is the client order id there. */
export interface HedgeOrderRow extends Outgoing {
  readonly quoteId: string;
  readonly timeInForce: 'IOC';
  readonly postOnly: false;
}

const columns = `h.quote_id AS "quoteId", h.synthetic, h.state, q.amount, h.hedged_amount AS "hedgedAmount",
  q.quote_amount AS "quotedValue", h.hedged_value AS "hedgedValue", q.symbol, q.base, q.quote, q.side, h.reason`;

/** Leases due hedges, the longest due first, for some seconds. */
export function leaseHedges({ manager }: Context, limit: number, seconds: number): Promise<HedgeRow[]> {
  return manager.rows(
    // Materialized, since a plan might evaluate it repeatedly and lock other rows each time.
    `WITH due AS MATERIALIZED (
       SELECT quote_id FROM trading.hedges WHERE state = 'OPEN' AND due_at <= clock_timestamp()
       ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE trading.hedges AS h SET due_at = clock_timestamp() + make_interval(secs => $2)
     FROM due JOIN trading.quotes AS q ON q.id = due.quote_id WHERE h.quote_id = due.quote_id
     RETURNING ${columns}`,
    [limit, seconds],
  );
}

/** Returns the hedges in the order of the given ids; the order of locks is the same in every transaction. */
export async function lockHedges({ manager }: Context, quoteIds: readonly string[]): Promise<HedgeRow[]> {
  const rows = await manager.rows<HedgeRow>(
    `SELECT ${columns} FROM unnest((SELECT $1::uuid[])) AS wanted (id)
     JOIN trading.hedges AS h ON h.quote_id = wanted.id JOIN trading.quotes AS q ON q.id = h.quote_id
     ORDER BY h.quote_id FOR NO KEY UPDATE OF h`,
    [quoteIds],
  );
  const byQuote = new Map(rows.map((row) => [row.quoteId, row]));
  return quoteIds.map((quoteId) => {
    const row = byQuote.get(quoteId);
    if (row === undefined) throw new Error(`The quote ${quoteId} has no hedge`);
    return row;
  });
}

export async function hedgeOrdersOf({ manager }: Context, hedges: readonly HedgeRow[]): Promise<HedgeOrderRow[][]> {
  const rows = await manager.rows<HedgeOrderRow>(
    `SELECT sent.id, sent.quote_id AS "quoteId", sent.venue, wanted.symbol, wanted.side, sent.amount, sent.limit_price AS "limitPrice",
       'IOC' AS "timeInForce", false AS "postOnly", sent.state, sent.reason, sent.reported_amount AS "reportedAmount",
       sent.filled_amount AS "filledAmount", sent.looks, sent.absences, NULL::timestamptz AS "nextLookAt",
       sent.resolved_at AS "resolvedAt", sent.created_at AS "createdAt"
     FROM unnest((SELECT $1::uuid[]), $2::text[], $3::text[]) AS wanted (quote_id, symbol, side)
     JOIN trading.hedge_orders AS sent ON sent.quote_id = wanted.quote_id ORDER BY sent.id`,
    [hedges.map(({ quoteId }) => quoteId), hedges.map(({ symbol }) => symbol), hedges.map(({ side }) => side)],
  );
  const byQuote = groupBy(rows, ({ quoteId }) => quoteId);
  return hedges.map(({ quoteId }) => byQuote.get(quoteId) ?? []);
}

export async function insertHedgeOrders({ manager }: Context, rows: readonly HedgeOrderRow[]): Promise<void> {
  if (rows.length === 0) return;
  await manager.execute(
    `INSERT INTO trading.hedge_orders (id, quote_id, venue, amount, limit_price, state, created_at)
     SELECT * FROM unnest((SELECT $1::uuid[]), $2::uuid[], $3::text[], $4::numeric[], $5::numeric[], $6::text[], $7::timestamptz[])`,
    [...arraysOf(rows, 'id', 'quoteId', 'venue', 'amount', 'limitPrice', 'state', 'createdAt')],
  );
}

/** The new state of a hedge, and the seconds until it is due again while it is open; null leaves its time, and so the lease of its process, as it is. */
export interface SavedHedge {
  readonly after: HedgeRow;
  readonly afterSeconds: number | null;
}

export async function saveHedges(
  { manager }: Context,
  hedges: readonly SavedHedge[],
  orders: readonly HedgeOrderRow[],
): Promise<void> {
  await manager.execute(
    `WITH reported AS (
       UPDATE trading.hedge_orders AS sent SET state = given.state, reason = given.reason, reported_amount = given.reported,
         filled_amount = given.filled, looks = given.looks, absences = given.absences, resolved_at = given.resolved_at
       FROM unnest((SELECT $7::uuid[]), $8::text[], $9::text[], $10::numeric[], $11::numeric[], $12::integer[], $13::integer[],
         $14::timestamptz[]) AS given (id, state, reason, reported, filled, looks, absences, resolved_at)
       WHERE sent.id = given.id
     )
     UPDATE trading.hedges AS h SET state = given.state, hedged_amount = given.amount, hedged_value = given.value, reason = given.reason,
       due_at = coalesce(clock_timestamp() + make_interval(secs => given.seconds), h.due_at),
       done_at = CASE given.state WHEN 'DONE' THEN coalesce(h.done_at, clock_timestamp()) END
     FROM unnest((SELECT $1::uuid[]), $2::text[], $3::numeric[], $4::numeric[], $5::text[], $6::integer[])
       AS given (quote_id, state, amount, value, reason, seconds)
     WHERE h.quote_id = given.quote_id`,
    [
      hedges.map(({ after }) => after.quoteId),
      hedges.map(({ after }) => after.state),
      hedges.map(({ after }) => after.hedgedAmount),
      hedges.map(({ after }) => after.hedgedValue),
      hedges.map(({ after }) => after.reason),
      hedges.map(({ afterSeconds }) => afterSeconds),
      ...arraysOf(orders, 'id', 'state', 'reason', 'reportedAmount', 'filledAmount', 'looks', 'absences', 'resolvedAt'),
    ],
  );
}

export function findHedgedQuote({ manager }: Context, hedgeOrderId: string): Promise<string | undefined> {
  return manager.value('SELECT quote_id AS "quoteId" FROM trading.hedge_orders WHERE id = $1', [hedgeOrderId]);
}

export function findHedgeOrders(
  { manager }: Context,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly quoteId: string; readonly isSending: boolean }[]> {
  return manager.rows(
    `SELECT id, quote_id AS "quoteId", state = 'SENDING' AS "isSending" FROM trading.hedge_orders
     WHERE id = ANY ((SELECT $1::uuid[])::uuid[])`,
    [ids],
  );
}

type OpenHedgeRow = Shape<OpenHedge>;

/** An amount in the base currency, with at least its decimals. */
const inBase = (column: string) =>
  `round(${column}, greatest(scale(trim_scale(${column})), (SELECT decimals FROM trading.currencies WHERE code = q.base)))::text`;

const openColumns = `h.quote_id AS "quoteId", q.company_id AS "companyId", h.synthetic, q.symbol, q.side,
  ${inBase('q.amount')} AS amount, ${inBase('h.hedged_amount')} AS "hedgedAmount", q.executed_at AS since,
  h.overdue_at AS "overdueSince", coalesce(h.reason, (
    SELECT sent.reason FROM trading.hedge_orders AS sent WHERE sent.quote_id = h.quote_id ORDER BY sent.id DESC LIMIT 1)) AS reason`;

/** Open hedges as a queue: they are tried every few seconds, and `openHedges` lists them. A claim on one only postpones it, so that none shows as claimed. */
export const watchedHedges: WatchedQueue = {
  name: 'hedges',
  table: 'trading.hedges',
  as: 'hedge',
  key: 'quote_id',
  dueAt: 'hedge.due_at',
  isOpen: `hedge.state = 'OPEN'`,
  isClaimed: 'false',
  isFailing: 'hedge.reason IS NOT NULL',
  attempts: 'NULL',
  lastError: 'hedge.reason',
  hasUuids: true,
};

export function listOpenHedges({ manager }: Context, limit: number): Promise<OpenHedgeRow[]> {
  return manager.rows(
    `SELECT ${openColumns} FROM trading.hedges AS h JOIN trading.quotes AS q ON q.id = h.quote_id
     WHERE h.state = 'OPEN' ORDER BY q.executed_at, q.id LIMIT $1`,
    [limit],
  );
}

/** Marks live hedges that have been open for so many seconds. @returns the newly marked hedges */
export function markOverdue({ manager }: Context, afterSeconds: number): Promise<OpenHedgeRow[]> {
  return manager.rows(
    `UPDATE trading.hedges AS h SET overdue_at = clock_timestamp() FROM trading.quotes AS q
     WHERE q.id = h.quote_id AND h.state = 'OPEN' AND NOT h.synthetic AND h.overdue_at IS NULL
       AND q.executed_at < clock_timestamp() - make_interval(secs => $1)
     RETURNING ${openColumns}`,
    [afterSeconds],
  );
}

/** Returns the age of the oldest open live hedge, in seconds; 0 if there is none. */
export async function oldestOpenSeconds({ manager }: Context): Promise<number> {
  const row = await manager.row<{ seconds: number }>(
    `SELECT coalesce(extract(epoch FROM clock_timestamp() - min(q.executed_at)), 0)::double precision AS seconds
     FROM trading.hedges AS h JOIN trading.quotes AS q ON q.id = h.quote_id
     WHERE h.state = 'OPEN' AND NOT h.synthetic`,
  );
  return Math.max(0, row?.seconds ?? 0);
}

export async function unsettledOrdersOf(
  { manager }: Context,
  quoteIds: readonly string[],
): Promise<Shape<UnknownExecution>[][]> {
  const rows = await manager.rows<Shape<UnknownExecution> & { readonly quoteId: string }>(
    `SELECT quote_id AS "quoteId", id, venue, trim_scale(amount)::text AS amount, trim_scale(limit_price)::text AS "limitPrice",
       trim_scale(filled_amount)::text AS "filledAmount", reason, looks
     FROM trading.hedge_orders WHERE quote_id = ANY ($1::uuid[]) AND ${isUnsettled} ORDER BY id`,
    [quoteIds],
  );
  return groupsOf(quoteIds, rows, ({ quoteId }) => quoteId);
}
