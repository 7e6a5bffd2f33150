import type { Context } from '../../../shared/context.js';
import { newId } from '../../../shared/ids.js';
import type { RoutePlan } from '../routing/routing.js';
import { unsent, type ExecutionRow } from './execution.store.js';
import type { OrderRow } from './order.store.js';

/** Returns the executions of a round of an order, which are to be committed before they are sent. */
export function plannedExecutions(
  { clock }: Pick<Context, 'clock'>,
  { id: orderId, synthetic, symbol, side }: Pick<OrderRow, 'id' | 'synthetic' | 'symbol' | 'side'>,
  { children }: Pick<RoutePlan, 'children'>,
  { session, round }: Pick<ExecutionRow, 'session' | 'round'>,
): ExecutionRow[] {
  const createdAt = clock.now();
  return children.map(({ venue, amount, limitPrice, timeInForce, postOnly }) => ({
    id: newId(createdAt.getTime()),
    orderId,
    round,
    synthetic,
    venue,
    symbol,
    side,
    amount: amount.toFixed(),
    limitPrice: limitPrice.toFixed(),
    timeInForce,
    postOnly,
    session,
    createdAt,
    ...unsent,
  }));
}
