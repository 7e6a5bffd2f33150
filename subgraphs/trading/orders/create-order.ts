import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { subjectOf } from '../../../shared/subgraph/in-steps.js';
import type { Catalogue } from '../markets/catalogue.js';
import { requireActive, requireWallet, type WalletChoice } from '../profiles/require-wallet.js';
import type { Desk } from './desk.js';
import { readOrder, type OrderInput } from './order-input.js';
import { getOrder, type OrderRow } from './order.store.js';
import { feesOf, placeOrder } from './place-order.js';
import { planOrder } from './plan-order.js';
import { requireWanted } from './require-means.js';

export interface OrderParts {
  readonly desk: Desk;
  readonly catalogue: Catalogue;
}

/**
 * Places an order: sets its funds aside and commits the executions, then sends them, and returns the order once the venues
 * have responded. It is sent once: an order whose outcome at a venue is unknown stays PENDING with its funds set aside.
 * @throws {ApiError} BAD_REQUEST; NOT_FOUND for an unknown profile; FORBIDDEN for a suspended one; MARKET_NOT_AVAILABLE,
 * BELOW_MINIMUM, INSUFFICIENT_BALANCE; CONFLICT for a client order id that the wallet has used; UNPROCESSABLE beyond a limit
 */
export async function createOrder(
  context: Context,
  { desk, catalogue }: OrderParts,
  choice: WalletChoice,
  input: OrderInput,
): Promise<OrderRow> {
  const resumed = subjectOf(context);
  if (resumed !== undefined) return requireKnown(await getOrder(context, resumed));
  const wallet = await requireWallet(context, choice);
  requireActive(wallet);
  const market = await catalogue.requireActive(context, input.symbol, wallet.synthetic);
  const fee = feesOf({ desk, wallet, market });
  const request = readOrder(input, market, { fee, now: context.clock.now() });
  const planned = planOrder(desk, request, market, wallet.synthetic);
  const placing = { desk, wallet, market, request, planned };
  await requireWanted(context, placing);
  const begunMs = performance.now();
  const placed = await placeOrder(context, placing);
  if (placed.executions.length === 0) return placed.order;
  return desk.send(context, placed.order.id, placed.executions, begunMs);
}

function requireKnown(order: OrderRow | undefined): OrderRow {
  if (order === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such order' });
  return order;
}
