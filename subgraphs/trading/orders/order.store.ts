import type { Context } from '../../../shared/kernel/context.js';
import type { OrderType, Side } from '../venues/venue.js';
import type { ExecutionRow } from './execution.store.js';
import type { OrderFilter, OrderStatus, OrderTimeInForce } from './order.js';
import { itemsOf } from '../../../shared/kernel/group-by.js';
import { marketColumns, type MarketRow } from '../markets/market.store.js';
import { z } from 'zod';

/** An order as it is stored. Amounts are decimal text. */
export interface OrderRow {
  readonly id: string;
  readonly companyId: string;
  readonly walletId: string;
  readonly synthetic: boolean;
  readonly clientOrderId: string | null;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: OrderTimeInForce;
  readonly postOnly: boolean;
  readonly amount: string | null;
  readonly quoteAmount: string | null;
  readonly price: string | null;
  readonly expiresAt: Date | null;
  /** The worst price of all rounds; null for an order that is sent once. */
  readonly worstPrice: string | null;
  readonly status: OrderStatus;
  readonly reason: string | null;
  readonly holdId: string | null;
  readonly makerFee: string;
  readonly takerFee: string;
  readonly filledAmount: string;
  readonly filledValue: string;
  readonly exactValue: string;
  readonly fee: string;
  readonly exactFee: string;
  readonly cancelRequestedAt: Date | null;
  readonly quarantinedAt: Date | null;
  readonly createdAt: Date;
  readonly filledAt: Date | null;
  readonly closedAt: Date | null;
  /** Decimals of the currencies, and of a price in the market. */
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  readonly priceDecimals: number;
}

const orderColumns = `id, company_id AS "companyId", wallet_id AS "walletId", synthetic, client_order_id AS "clientOrderId", symbol,
  base, quote, side, type, time_in_force AS "timeInForce", post_only AS "postOnly", amount, quote_amount AS "quoteAmount", price,
  expires_at AS "expiresAt", worst_price AS "worstPrice", status, reason, hold_id AS "holdId", maker_fee AS "makerFee", taker_fee AS "takerFee",
  filled_amount AS "filledAmount", filled_value AS "filledValue", exact_value AS "exactValue", fee, exact_fee AS "exactFee",
  cancel_requested_at AS "cancelRequestedAt", quarantined_at AS "quarantinedAt", created_at AS "createdAt",
  filled_at AS "filledAt", closed_at AS "closedAt",
  (SELECT decimals FROM trading.currencies WHERE code = orders.base) AS "baseDecimals",
  (SELECT decimals FROM trading.currencies WHERE code = orders.quote) AS "quoteDecimals",
  (SELECT price_decimals FROM trading.markets WHERE markets.symbol = orders.symbol) AS "priceDecimals"`;

export interface NewOrder {
  readonly order: OrderRow;
  readonly executions: readonly ExecutionRow[];
  /** The router's decision; for an order that executes a quote, the quote holds it. */
  readonly decision?: unknown;
  readonly quoteId?: string;
}

/** Runs one statement. @returns the ids of the inserted orders, without those whose wallet has used the client order id before */
export async function insertOrders({ manager }: Context, orders: readonly NewOrder[]): Promise<Set<string>> {
  if (orders.length === 0) return new Set();
  const rows = await manager.rows<{ id: string }>(
    `WITH given AS MATERIALIZED (
       SELECT * FROM json_to_recordset($1) AS given (id uuid, "companyId" uuid, "walletId" uuid, synthetic boolean, "clientOrderId" text,
         symbol text, base text, quote text, side text, type text, "timeInForce" text, "postOnly" boolean, amount numeric,
         "quoteAmount" numeric, price numeric, "expiresAt" timestamptz, "worstPrice" numeric, status text, reason text, "holdId" uuid, "makerFee" numeric,
         "takerFee" numeric, "filledAmount" numeric, "filledValue" numeric, "exactValue" numeric, fee numeric, "exactFee" numeric,
         "createdAt" timestamptz, "filledAt" timestamptz, "closedAt" timestamptz, "quoteId" uuid, decision jsonb)
     ), placed AS (
       INSERT INTO trading.orders (id, company_id, wallet_id, synthetic, client_order_id, symbol, base, quote, side, type, time_in_force,
         post_only, amount, quote_amount, price, expires_at, worst_price, status, reason, hold_id, maker_fee, taker_fee, filled_amount,
         filled_value, exact_value, fee, exact_fee, created_at, filled_at, closed_at, quote_id)
       SELECT id, "companyId", "walletId", synthetic, "clientOrderId", symbol, base, quote, side, type, "timeInForce", "postOnly", amount,
         "quoteAmount", price, "expiresAt", "worstPrice", status, reason, "holdId", "makerFee", "takerFee", "filledAmount", "filledValue",
         "exactValue", fee, "exactFee", "createdAt", "filledAt", "closedAt", "quoteId" FROM given ORDER BY id
       ON CONFLICT ON CONSTRAINT orders_client_order_id DO NOTHING RETURNING id
     ), executed AS (
       INSERT INTO trading.executions (id, order_id, synthetic, venue, symbol, side, amount, limit_price, time_in_force, post_only, state,
         session, created_at, updated_at)
       SELECT given.id, placed.id, synthetic, venue, symbol, side, amount, "limitPrice", "timeInForce", "postOnly", state, session,
         "createdAt", "createdAt"
       FROM json_to_recordset($2) AS given (id uuid, "orderId" uuid, synthetic boolean, venue text, symbol text, side text, amount numeric,
         "limitPrice" numeric, "timeInForce" text, "postOnly" boolean, state text, session uuid, "createdAt" timestamptz)
       JOIN placed ON placed.id = "orderId"
     ), routed AS (
       INSERT INTO trading.routings (order_id, decision, kept_until)
       SELECT id, decision, CASE WHEN "holdId" IS NULL THEN "createdAt" + $3::interval END
       FROM given JOIN placed USING (id) WHERE decision IS NOT NULL
     )
     SELECT id FROM placed`,
    [
      JSON.stringify(orders.map(({ order, quoteId, decision }) => ({ ...order, quoteId, decision }))),
      JSON.stringify(orders.flatMap(({ executions }) => executions)),
      refusedRoutingsKept,
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

export function findOrder(
  { manager }: Context,
  wallet: { readonly id: string; readonly synthetic: boolean },
  id: string,
): Promise<OrderRow | undefined> {
  return manager.row(`SELECT ${orderColumns} FROM trading.orders WHERE id = $1 AND wallet_id = $2 AND synthetic = $3`, [
    id,
    wallet.id,
    wallet.synthetic,
  ]);
}

/** Finds any order, for the program itself and operators. */
export function getOrder({ manager }: Context, id: string): Promise<OrderRow | undefined> {
  return manager.row(`SELECT ${orderColumns} FROM trading.orders WHERE id = $1`, [id]);
}

export async function isClientOrderIdUsed(
  { manager }: Context,
  walletId: string,
  clientOrderId: string,
): Promise<boolean> {
  const known = 'SELECT id FROM trading.orders WHERE wallet_id = $1 AND client_order_id = $2';
  return (await manager.value(known, [walletId, clientOrderId])) !== undefined;
}

export interface LockedOrder extends OrderRow {
  /** The account whose webhooks receive its events: the company's account, or the company's own id if it has none. */
  readonly ownerId: string;
  /** The profile of its wallet; null for the company's own. */
  readonly profileId: string | null;
}

/** Locks orders until the transaction ends, in the same order in every transaction, and returns them in the order of the given ids. */
export async function lockOrders({ manager }: Context, ids: readonly string[]): Promise<LockedOrder[]> {
  const rows = await manager.rows<LockedOrder>(
    `SELECT ${orderColumns},
       (SELECT coalesce(account_id, companies.id::text) FROM trading.companies WHERE companies.id = company_id) AS "ownerId",
       (SELECT profile_id FROM trading.wallets WHERE wallets.id = wallet_id) AS "profileId"
     FROM trading.orders WHERE id = ANY ((SELECT $1::uuid[])::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    if (row === undefined) throw new Error(`There is no order ${id}`);
    return row;
  });
}

export async function saveOrders(
  { manager, clock }: Context,
  orders: readonly OrderRow[],
  executions: readonly ExecutionRow[],
): Promise<void> {
  await manager.execute(
    `WITH reported AS (
       UPDATE trading.executions AS execution SET state = given.state, reason = given.reason, reported_amount = "reportedAmount",
         filled_amount = "filledAmount", looks = given.looks, absences = given.absences, next_look_at = "nextLookAt", resolved_at = "resolvedAt", updated_at = $3
       FROM json_to_recordset($2) AS given (id uuid, state text, reason text, "reportedAmount" numeric, "filledAmount" numeric,
         looks integer, absences integer, "nextLookAt" timestamptz, "resolvedAt" timestamptz)
       WHERE execution.id = given.id
     )
     UPDATE trading.orders SET status = given.status, reason = given.reason, filled_amount = "filledAmount", filled_value = "filledValue",
       exact_value = "exactValue", fee = given.fee, exact_fee = "exactFee", filled_at = "filledAt", closed_at = "closedAt",
       quarantined_at = "quarantinedAt", cancel_requested_at = "cancelRequestedAt"
     FROM json_to_recordset($1) AS given (id uuid, status text, reason text, "filledAmount" numeric, "filledValue" numeric,
       "exactValue" numeric, fee numeric, "exactFee" numeric, "filledAt" timestamptz, "closedAt" timestamptz,
       "quarantinedAt" timestamptz, "cancelRequestedAt" timestamptz)
     WHERE orders.id = given.id`,
    [JSON.stringify(orders), JSON.stringify(executions), clock.now()],
  );
}

/** Requests the end of open orders; returns those for which it had not been requested before. */
export async function requestCancel({ manager, clock }: Context, ids: readonly string[]): Promise<OrderRow[]> {
  if (ids.length === 0) return [];
  return manager.rows(
    `UPDATE trading.orders SET cancel_requested_at = $2
     WHERE id = ANY ($1::uuid[]) AND closed_at IS NULL AND cancel_requested_at IS NULL RETURNING ${orderColumns}`,
    [ids, clock.now()],
  );
}

export function openOrdersOf(
  { manager }: Context,
  walletId: string,
  symbol: string | undefined,
  limit: number,
): Promise<string[]> {
  return manager.values(
    `SELECT id FROM trading.orders WHERE wallet_id = $1 AND closed_at IS NULL AND cancel_requested_at IS NULL
       AND ($2::text IS NULL OR symbol = $2) ORDER BY id LIMIT $3`,
    [walletId, symbol ?? null, limit],
  );
}

export function expiredOrders({ manager, clock }: Context, limit: number): Promise<string[]> {
  return manager.values(
    `SELECT id FROM trading.orders WHERE closed_at IS NULL AND expires_at <= $1 AND cancel_requested_at IS NULL
     ORDER BY expires_at LIMIT $2`,
    [clock.now(), limit],
  );
}

export interface OrderSelection {
  readonly walletId: string;
  readonly synthetic: boolean;
  readonly symbol: string | null;
  readonly status: OrderFilter | null;
  readonly after: string | null;
  readonly limit: number;
}

export function listOrders({ manager }: Context, selection: OrderSelection): Promise<OrderRow[]> {
  const { walletId, synthetic, symbol, status, after, limit } = selection;
  // Each kind of list is a statement of its own, with its own index.
  const [chosen, values] =
    status === null ? ['', []] : status === 'OPEN' ? ['AND closed_at IS NULL', []] : ['AND status = $6', [status]];
  return manager.rows(
    `SELECT ${orderColumns} FROM trading.orders
     WHERE wallet_id = $1 AND synthetic = $2 AND ($3::text IS NULL OR symbol = $3) AND ($4::uuid IS NULL OR id < $4) ${chosen}
     ORDER BY id DESC LIMIT $5`,
    [walletId, synthetic, symbol, after, limit, ...values],
  );
}

/** Marks an open order for an operator; returns false if it was marked before or is over. */
export async function quarantine({ manager, clock }: Context, id: string): Promise<boolean> {
  return manager.changes(
    'UPDATE trading.orders SET quarantined_at = $2 WHERE id = $1 AND closed_at IS NULL AND quarantined_at IS NULL',
    [id, clock.now()],
  );
}

/** Lists orders whose outcome an operator must find out, oldest first. */
export function listQuarantined({ manager }: Context, limit: number): Promise<OrderRow[]> {
  return manager.rows(
    `SELECT ${orderColumns} FROM trading.orders WHERE quarantined_at IS NOT NULL AND closed_at IS NULL
     ORDER BY quarantined_at LIMIT $1`,
    [limit],
  );
}

/** The time at which all open orders of a wallet are cancelled, unless the timer is set again before. */
export interface CancelTimer {
  readonly walletId: string;
  readonly firesAt: Date;
}

export async function setTimer({ manager }: Context, { walletId, firesAt }: CancelTimer): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.cancel_timers (wallet_id, fires_at) VALUES ($1, $2)
     ON CONFLICT (wallet_id) DO UPDATE SET fires_at = excluded.fires_at`,
    [walletId, firesAt],
  );
}

/** Removes a timer; with `dueAt`, one that was set again meanwhile stays. */
export async function removeTimer({ manager }: Context, walletId: string, dueAt?: Date): Promise<void> {
  await manager.execute(
    'DELETE FROM trading.cancel_timers WHERE wallet_id = $1 AND ($2::timestamptz IS NULL OR fires_at <= $2)',
    [walletId, dueAt ?? null],
  );
}

export function dueTimers({ manager, clock }: Context, limit: number): Promise<CancelTimer[]> {
  return manager.rows(
    `SELECT wallet_id AS "walletId", fires_at AS "firesAt" FROM trading.cancel_timers WHERE fires_at <= $1
     ORDER BY fires_at LIMIT $2`,
    [clock.now(), limit],
  );
}

export interface RoundTerms extends MarketRow {
  readonly orderId: string;
  /** Neither the market, one of its currencies nor all trading is halted, and neither the company nor the profile is suspended. */
  readonly permitted: boolean;
}

export async function loadRoundTerms(
  { manager }: Context,
  orderIds: readonly string[],
): Promise<(RoundTerms | undefined)[]> {
  if (orderIds.length === 0) return [];
  const rows = await manager.rows<RoundTerms>(
    `SELECT placed.id AS "orderId", market.*,
       market.status = 'ACTIVE' AND company.status = 'ACTIVE' AND coalesce(profile.status, 'ACTIVE') = 'ACTIVE'
         AND NOT EXISTS (SELECT FROM trading.trading_switch WHERE halted)
         AND NOT EXISTS (SELECT FROM trading.currency_halts AS halt
           WHERE halt.synthetic = placed.synthetic AND halt.currency IN (placed.base, placed.quote)) AS permitted
     FROM trading.orders AS placed
     JOIN (SELECT ${marketColumns} FROM trading.markets) AS market ON market.symbol = placed.symbol
     JOIN trading.companies AS company ON company.id = placed.company_id
     JOIN trading.wallets AS wallet ON wallet.id = placed.wallet_id
     LEFT JOIN trading.profiles AS profile ON profile.id = wallet.profile_id
     WHERE placed.id = ANY ($1::uuid[])`,
    [orderIds],
  );
  return itemsOf(orderIds, rows, ({ orderId }) => orderId);
}

export interface NewRound {
  readonly orderId: string;
  readonly round: number;
  readonly decision: Decision;
  readonly executions: readonly ExecutionRow[];
}

export async function insertRounds({ manager }: Context, rounds: readonly NewRound[]): Promise<void> {
  if (rounds.length === 0) return;
  await manager.execute(
    `WITH routed AS (
       INSERT INTO trading.routings (order_id, round, decision)
       SELECT "orderId", round, decision FROM json_to_recordset($1) AS given ("orderId" uuid, round smallint, decision jsonb)
     )
     INSERT INTO trading.executions (id, order_id, round, synthetic, venue, symbol, side, amount, limit_price, time_in_force, post_only,
       state, session, created_at, updated_at)
     SELECT id, "orderId", round, synthetic, venue, symbol, side, amount, "limitPrice", "timeInForce", "postOnly", state, session,
       "createdAt", "createdAt"
     FROM json_to_recordset($2) AS given (id uuid, "orderId" uuid, round smallint, synthetic boolean, venue text, symbol text, side text,
       amount numeric, "limitPrice" numeric, "timeInForce" text, "postOnly" boolean, state text, session uuid, "createdAt" timestamptz)`,
    [
      JSON.stringify(rounds.map(({ orderId, round, decision }) => ({ orderId, round, decision }))),
      JSON.stringify(rounds.flatMap(({ executions }) => executions)),
    ],
  );
}

/** How long the routing of a rejected order is stored, as an interval of PostgreSQL. */
const refusedRoutingsKept = '30 days';

/** Lists the decision of each round, or the price components of the executed quote; none if they are no longer stored. */
export function listDecisions({ manager }: Context, orderId: string): Promise<unknown[]> {
  return manager.values(
    `SELECT coalesce(routing.decision, quote.decision) AS decision
     FROM trading.orders LEFT JOIN trading.routings AS routing ON order_id = orders.id
     LEFT JOIN trading.quotes AS quote ON quote.id = quote_id
     WHERE orders.id = $1 AND (routing.decision IS NOT NULL OR quote.decision IS NOT NULL) ORDER BY routing.round`,
    [orderId],
  );
}

export function deleteRefusedRoutings({ manager, clock }: Context, limit: number): Promise<number> {
  return manager.execute(
    `DELETE FROM trading.routings WHERE order_id IN (
       SELECT order_id FROM trading.routings WHERE kept_until <= $1 ORDER BY kept_until LIMIT $2)`,
    [clock.now(), limit],
  );
}

const cost = z.object({ amount: z.string(), notional: z.string(), fees: z.string(), total: z.string() });
const levels = z.array(z.object({ price: z.string(), amount: z.string() }));

/** The form is that stored with the order: decimal text; amounts in the base, values in the quote currency, fees as fractions. */
export const decisionForm = z.object({
  mid: z.string().nullable(),
  bound: z.string().nullable(),
  slippagePercent: z.string().nullable(),
  refused: z.string().nullable(),
  expected: cost.nullable(),
  venues: z.array(
    z.object({
      venue: z.string(),
      usable: z.boolean(),
      makerFee: z.string(),
      takerFee: z.string(),
      bids: levels,
      asks: levels,
      /** The cost at this venue only; null if that was not possible. */
      alone: cost.nullable(),
    }),
  ),
  children: z.array(
    z.object({
      venue: z.string(),
      amount: z.string(),
      limitPrice: z.string(),
      timeInForce: z.enum(['GTC', 'IOC', 'FOK']),
    }),
  ),
});

export type Decision = z.output<typeof decisionForm>;
export type Cost = z.output<typeof cost>;
