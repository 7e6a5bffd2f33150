import type { Context } from '../../../shared/kernel/context.js';
import { itemsOf } from '../../../shared/kernel/group-by.js';
import { marketColumns, type MarketRow } from '../markets/market.store.js';
import type { Decision } from './decision.js';
import type { ExecutionRow } from './execution.store.js';

/** The market of an order, and whether anything new may be sent for the order at the moment. */
export interface RoundTerms extends MarketRow {
  readonly orderId: string;
  /** Neither the market, one of its currencies nor all trading is halted, and neither the company nor the profile is suspended. */
  readonly permitted: boolean;
}

/** Loads the terms of further rounds of orders, in the order of the ids. */
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

/** A further round of an order: its executions and the router's decision. */
export interface NewRound {
  readonly orderId: string;
  readonly round: number;
  readonly decision: Decision;
  readonly executions: readonly ExecutionRow[];
}

/** Inserts further rounds of orders, which are locked, in one statement. */
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
export const refusedRoutingsKept = '30 days';

/**
 * Lists the router's decisions about an order, one for each round, or the price components of the quote that it executes; none if they are not stored
 * any more.
 */
export function listDecisions({ manager }: Context, orderId: string): Promise<unknown[]> {
  return manager.values(
    `SELECT coalesce(routing.decision, quote.decision) AS decision
     FROM trading.orders LEFT JOIN trading.routings AS routing ON order_id = orders.id
     LEFT JOIN trading.quotes AS quote ON quote.id = quote_id
     WHERE orders.id = $1 AND (routing.decision IS NOT NULL OR quote.decision IS NOT NULL) ORDER BY routing.round`,
    [orderId],
  );
}

/** Deletes a batch of old routings of rejected orders. @returns the number of deleted rows */
export function deleteRefusedRoutings({ manager, clock }: Context, limit: number): Promise<number> {
  return manager.execute(
    `DELETE FROM trading.routings WHERE order_id IN (
       SELECT order_id FROM trading.routings WHERE kept_until <= $1 ORDER BY kept_until LIMIT $2)`,
    [clock.now(), limit],
  );
}
