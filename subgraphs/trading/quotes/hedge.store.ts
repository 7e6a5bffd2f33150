import type { Context } from '../../../shared/context.js';
import type { ExecutionState } from '../orders/execution.store.js';
import type { Fill, Side } from '../venues/venue.js';

/** A hedge, with what its quote says. Amounts are decimal text. */
export interface HedgeRow {
  readonly quoteId: string;
  readonly synthetic: boolean;
  readonly state: 'OPEN' | 'DONE';
  /** In the base currency: to be traded in all, and traded. */
  readonly amount: string;
  readonly hedgedAmount: string;
  /** In the quote currency: what the client paid or got without the fee, and what the venues got or paid. */
  readonly quoteAmount: string;
  readonly hedgedValue: string;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Of the client, and so of the house at the venues. */
  readonly side: Side;
  /** Why nothing could be sent when that was last tried. */
  readonly reason: string | null;
}

/** What was sent to one venue for a hedge; its id is the client order id there. */
export interface HedgeOrderRow {
  readonly id: string;
  readonly venue: string;
  readonly symbol: string;
  readonly side: Side;
  readonly amount: string;
  readonly limitPrice: string;
  readonly timeInForce: 'IOC';
  readonly postOnly: false;
  readonly state: ExecutionState;
  readonly reason: string | null;
  readonly reportedAmount: string;
  readonly filledAmount: string;
  readonly looks: number;
  readonly nextLookAt: Date | null;
  readonly createdAt: Date;
}

const columns = `h.quote_id AS "quoteId", h.synthetic, h.state, q.amount, h.hedged_amount AS "hedgedAmount",
  q.quote_amount AS "quoteAmount", h.hedged_value AS "hedgedValue", q.symbol, q.base, q.quote, q.side, h.reason`;

/** Says that a quote is to be hedged, at once. */
export async function insertHedge({ manager }: Context, quoteId: string, synthetic: boolean): Promise<void> {
  await manager.query(
    `INSERT INTO trading.hedges (quote_id, synthetic, state, due_at) VALUES ($1, $2, 'OPEN', clock_timestamp())`,
    [quoteId, synthetic],
  );
}

/** Takes hedges that are due, the longest due first, and has them alone for some seconds. */
export async function leaseHedges({ manager }: Context, limit: number, seconds: number): Promise<HedgeRow[]> {
  const [rows]: [HedgeRow[], number] = await manager.query(
    `UPDATE trading.hedges AS h SET due_at = clock_timestamp() + make_interval(secs => $2) FROM trading.quotes AS q
     WHERE q.id = h.quote_id AND h.quote_id IN (
       SELECT quote_id FROM trading.hedges WHERE state = 'OPEN' AND due_at <= clock_timestamp()
       ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING ${columns}`,
    [limit, seconds],
  );
  return rows;
}

/** A hedge, locked until the transaction ends. */
export async function lockHedge({ manager }: Context, quoteId: string): Promise<HedgeRow> {
  const [row]: HedgeRow[] = await manager.query(
    `SELECT ${columns} FROM trading.hedges AS h JOIN trading.quotes AS q ON q.id = h.quote_id
     WHERE h.quote_id = $1 FOR NO KEY UPDATE OF h`,
    [quoteId],
  );
  if (row === undefined) throw new Error(`The quote ${quoteId} has no hedge`);
  return row;
}

/** Writes what became of a hedge. @param afterSeconds when an open one is looked at again */
export async function saveHedge({ manager }: Context, row: HedgeRow, afterSeconds: number): Promise<void> {
  await manager.query(
    `UPDATE trading.hedges SET state = $2, hedged_amount = $3, hedged_value = $4, reason = $6,
       due_at = clock_timestamp() + make_interval(secs => $5), done_at = CASE $2 WHEN 'DONE' THEN clock_timestamp() END
     WHERE quote_id = $1`,
    [row.quoteId, row.state, row.hedgedAmount, row.hedgedValue, afterSeconds, row.reason],
  );
}

/** All that was sent for a hedge, the oldest first. */
export function hedgeOrdersOf({ manager }: Context, { quoteId, symbol, side }: HedgeRow): Promise<HedgeOrderRow[]> {
  return manager.query(
    `SELECT id, venue, $2::text AS symbol, $3::text AS side, amount, limit_price AS "limitPrice", 'IOC' AS "timeInForce",
       false AS "postOnly", state, reason, reported_amount AS "reportedAmount", filled_amount AS "filledAmount", looks,
       NULL::timestamptz AS "nextLookAt", created_at AS "createdAt"
     FROM trading.hedge_orders WHERE quote_id = $1 ORDER BY id`,
    [quoteId, symbol, side],
  );
}

export async function insertHedgeOrders(
  { manager }: Context,
  quoteId: string,
  rows: readonly HedgeOrderRow[],
): Promise<void> {
  await manager.query(
    `INSERT INTO trading.hedge_orders (id, quote_id, venue, amount, limit_price, state, created_at)
     SELECT given.id, $1, given.venue, given.amount, given.limit_price, given.state, given.created_at
     FROM unnest($2::uuid[], $3::text[], $4::numeric[], $5::numeric[], $6::text[], $7::timestamptz[])
       AS given(id, venue, amount, limit_price, state, created_at)`,
    [
      quoteId,
      rows.map(({ id }) => id),
      rows.map(({ venue }) => venue),
      rows.map(({ amount }) => amount),
      rows.map(({ limitPrice }) => limitPrice),
      rows.map(({ state }) => state),
      rows.map(({ createdAt }) => createdAt),
    ],
  );
}

export async function saveHedgeOrders({ manager }: Context, rows: readonly HedgeOrderRow[]): Promise<void> {
  await manager.query(
    `UPDATE trading.hedge_orders AS sent SET state = given.state, reason = given.reason, reported_amount = given.reported,
       filled_amount = given.filled, looks = given.looks
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::numeric[], $5::numeric[], $6::integer[])
       AS given(id, state, reason, reported, filled, looks)
     WHERE sent.id = given.id`,
    [
      rows.map(({ id }) => id),
      rows.map(({ state }) => state),
      rows.map(({ reason }) => reason),
      rows.map(({ reportedAmount }) => reportedAmount),
      rows.map(({ filledAmount }) => filledAmount),
      rows.map(({ looks }) => looks),
    ],
  );
}

/** Records fills; returns the trade ids of those that were not known. */
export async function insertHedgeFills({ manager }: Context, fills: readonly Fill[]): Promise<Set<string>> {
  const rows: { tradeId: string }[] = await manager.query(
    `INSERT INTO trading.hedge_fills (venue, trade_id, hedge_order_id, price, amount, venue_fee, venue_fee_currency, traded_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::uuid[], $4::numeric[], $5::numeric[], $6::numeric[], $7::text[], $8::timestamptz[])
     ON CONFLICT DO NOTHING RETURNING trade_id AS "tradeId"`,
    [
      fills.map(({ venue }) => venue),
      fills.map(({ tradeId }) => tradeId),
      fills.map(({ clientOrderId }) => clientOrderId),
      fills.map(({ price }) => price.toFixed()),
      fills.map(({ amount }) => amount.toFixed()),
      fills.map(({ fee }) => fee.toFixed()),
      fills.map(({ feeCurrency }) => feeCurrency),
      fills.map(({ at }) => at),
    ],
  );
  return new Set(rows.map(({ tradeId }) => tradeId));
}
