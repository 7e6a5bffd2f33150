import type { Context } from '../../../shared/context.js';
import { Decimal } from '../../../shared/decimal.js';
import type { MarketRow } from '../markets/market.store.js';
import type { RouteInput } from '../routing/routing.js';
import type { Desk } from './desk.js';
import type { ExecutionRow } from './execution.store.js';
import { lastRound, type Rest } from './next-round.js';
import type { RequestedOrder } from './order-input.js';
import type { OrderRow } from './order.store.js';
import { plan, routeInput } from './plan-order.js';
import { plannedExecutions } from './planned-executions.js';
import type { NewRound } from './round.store.js';

/**
 * Routes what is left of an order after a round, by the current books and within the bounds of its first plan; undefined where they offer nothing. Reads memory only: it
 * is called in the transaction that settles the round.
 */
export function planRest(
  context: Pick<Context, 'clock'>,
  desk: Desk,
  order: OrderRow,
  market: MarketRow,
  { amount, within, executions }: Rest,
): NewRound | undefined {
  const { id: orderId, symbol, side, type, price, clientOrderId, synthetic } = order;
  const request: RequestedOrder = {
    symbol,
    side,
    type,
    size: { amount },
    price: price === null ? undefined : new Decimal(price),
    clientOrderId,
    timeInForce: 'IOC',
    postOnly: false,
    expiresAt: null,
  };
  const input = withoutFailed(desk, { ...routeInput(desk, request, market, synthetic), within }, synthetic, executions);
  const { result, decision } = plan(input);
  if (result.kind === 'REFUSED') return undefined;
  const round = lastRound(executions) + 1;
  return {
    orderId,
    round,
    decision,
    executions: plannedExecutions(context, order, result, { session: desk.session, round }),
  };
}

/**
 * Gives nothing to venues that rejected a part of the order, or whose book is not newer than the last part sent there: it still shows what was gone when that arrived.
 * Their books count for the mid price.
 */
function withoutFailed(
  desk: Desk,
  input: RouteInput,
  synthetic: boolean,
  executions: readonly ExecutionRow[],
): RouteInput {
  const readAt = new Map(desk.markets.books(synthetic, input.symbol).map(({ venue, at }) => [venue, at]));
  const isOut = (venue: string) => {
    const at = readAt.get(venue);
    return executions.some(
      (sent) => sent.venue === venue && (sent.state === 'REJECTED' || at === undefined || at < sent.createdAt),
    );
  };
  const none = { base: new Decimal(0), quote: new Decimal(0) };
  return { ...input, venues: input.venues.map((one) => (isOut(one.venue) ? { ...one, funds: none } : one)) };
}
