import type { Context } from '../../../shared/kernel/context.js';
import { groupsOf } from '../../../shared/kernel/group-by.js';
import type { WatchedQueue } from '../../../shared/work/queue/watched-queue.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { isUnsettled } from '../orders/execution.store.js';
import type { UnknownExecution } from '../orders/order-execution.type.js';
import type { OpenHedge } from './quote.type.js';

/** An unfinished hedge, as operators see it. */
export type OpenHedgeRow = Shape<OpenHedge>;

/** An amount in the base currency, with at least its decimals. */
const inBase = (column: string) =>
  `round(${column}, greatest(scale(trim_scale(${column})), (SELECT decimals FROM trading.currencies WHERE code = q.base)))::text`;

const columns = `h.quote_id AS "quoteId", q.company_id AS "companyId", h.synthetic, q.symbol, q.side,
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
  lastError: 'NULL',
  listsItems: false,
  hasUuids: true,
};

export function listOpenHedges({ manager }: Context, limit: number): Promise<OpenHedgeRow[]> {
  return manager.rows(
    `SELECT ${columns} FROM trading.hedges AS h JOIN trading.quotes AS q ON q.id = h.quote_id
     WHERE h.state = 'OPEN' ORDER BY q.executed_at, q.id LIMIT $1`,
    [limit],
  );
}

/** Marks hedges of the real world that have been open for so many seconds. @returns those that were not marked before */
export function markOverdue({ manager }: Context, afterSeconds: number): Promise<OpenHedgeRow[]> {
  return manager.rows(
    `UPDATE trading.hedges AS h SET overdue_at = clock_timestamp() FROM trading.quotes AS q
     WHERE q.id = h.quote_id AND h.state = 'OPEN' AND NOT h.synthetic AND h.overdue_at IS NULL
       AND q.executed_at < clock_timestamp() - make_interval(secs => $1)
     RETURNING ${columns}`,
    [afterSeconds],
  );
}

/** Returns the age of the oldest open hedge of the real world, in seconds; 0 if there is none. */
export async function oldestOpenSeconds({ manager }: Context): Promise<number> {
  const row = await manager.row<{ seconds: number }>(
    `SELECT coalesce(extract(epoch FROM clock_timestamp() - min(q.executed_at)), 0)::double precision AS seconds
     FROM trading.hedges AS h JOIN trading.quotes AS q ON q.id = h.quote_id
     WHERE h.state = 'OPEN' AND NOT h.synthetic`,
  );
  return Math.max(0, row?.seconds ?? 0);
}

/** Lists unsettled child orders of hedges, oldest first, in the order of their quotes. */
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
