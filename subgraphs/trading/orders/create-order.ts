import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/decimal.js';
import { Fault } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import { bindSubject, subjectOf } from '../../../shared/subgraph/in-steps.js';
import { openHold } from '../ledger/holds.js';
import type { Catalogue } from '../markets/catalogue.js';
import type { MarketRow } from '../markets/market.store.js';
import { requireActive, requireWallet, type WalletChoice } from '../profiles/require-wallet.js';
import type { OwnWallet } from '../profiles/wallet.store.js';
import type { RoutePlan } from '../routing/routing.js';
import { tellOfOrder } from './announce-order.js';
import type { Desk } from './desk.js';
import type { ExecutionRow } from './execution.store.js';
import { readOrder, type OrderInput, type OrderWish } from './order-input.js';
import { lockLimits, requireWithinLimits } from './order-limits.js';
import { getOrder, insertOrder, type OrderRow } from './order.store.js';
import { holdOf } from './order.js';
import { endingOf, planOrder, type Ending, type Planned } from './plan-order.js';

export interface OrderParts {
  readonly desk: Desk;
  readonly catalogue: Catalogue;
}

/**
 * Places an order: sets its funds aside and commits what is to leave, then sends it, and returns it as it stands once the venues
 * have responded. It is sent once: an order whose fate at a venue is not known stays PENDING with its funds set aside.
 * @throws {Fault} BAD_REQUEST; NOT_FOUND for a profile that is none; FORBIDDEN for a suspended one; MARKET_NOT_AVAILABLE,
 *   BELOW_MINIMUM, INSUFFICIENT_BALANCE; CONFLICT for a client order id that the wallet has used; UNPROCESSABLE beyond a limit
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
  const wish = readOrder(input, market, { quoteDecimals: desk.decimals(market.quote), now: context.clock.now() });
  const planned = planOrder(desk, wish, market, wallet.synthetic);
  const ending = planned.result.kind === 'REFUSED' ? endingOf(planned.result, wish) : undefined;
  const begunMs = performance.now();
  const placed = await inTransaction(context, (tx) => place(tx, desk, { wallet, market, wish, planned, ending }));
  if (placed.executions.length === 0) return placed.order;
  return desk.send(context, placed.order.id, placed.executions, begunMs);
}

interface Placing {
  readonly wallet: OwnWallet;
  readonly market: MarketRow;
  readonly wish: OrderWish;
  readonly planned: Planned;
  readonly ending: Ending | undefined;
}

interface Placed {
  readonly order: OrderRow;
  readonly executions: readonly ExecutionRow[];
}

/** Writes an order with its hold and what is to leave. Nothing leaves before this is committed. */
async function place(tx: Context, desk: Desk, { wallet, market, wish, planned, ending }: Placing): Promise<Placed> {
  const { terms } = wallet;
  await lockLimits(tx, wallet.companyId, terms);
  const plan = planned.result.kind === 'PLAN' ? planned.result : undefined;
  const order = orderOf(tx, { wallet, market, wish, ending });
  if (plan !== undefined) await requireWithinLimits(tx, desk, terms, order, plan.worstNotional);
  const executions = plan === undefined ? [] : executionsOf(tx, desk, order, plan);
  if (!(await insertOrder(tx, order, executions, planned.decision))) {
    throw new Fault('CONFLICT', {
      message: `The wallet has an order with the clientOrderId ${order.clientOrderId ?? ''}`,
    });
  }
  await bindSubject(tx, order.id);
  if (plan === undefined || order.holdId === null) {
    await tellOfOrder(tx, order);
    return { order, executions };
  }
  const hold = holdOf(order.side, market, worstOf(plan, wish), {
    feePercent: Decimal.max(terms.makerFee, terms.takerFee),
    decimals: desk.decimals(market.quote),
  });
  await openHold(tx, {
    id: order.holdId,
    walletId: wallet.id,
    synthetic: wallet.synthetic,
    cause: 'order',
    causeId: order.id,
    ...hold,
  });
  await tellOfOrder(tx, order, [hold.currency]);
  return { order, executions };
}

/** What it can come to at the worst: all that was placed, at the limits of the executions. */
function worstOf({ amount, worstNotional }: RoutePlan, { size }: OrderWish) {
  const notional = 'quoteAmount' in size ? Decimal.min(worstNotional, size.quoteAmount) : worstNotional;
  return { amount, notional };
}

function executionsOf({ clock }: Context, desk: Desk, order: OrderRow, plan: RoutePlan): ExecutionRow[] {
  const { id: orderId, synthetic, symbol, side } = order;
  const createdAt = clock.now();
  return plan.children.map(({ venue, amount, limitPrice, timeInForce, postOnly }) => ({
    id: newId(createdAt.getTime()),
    orderId,
    synthetic,
    venue,
    symbol,
    side,
    amount: amount.toFixed(),
    limitPrice: limitPrice.toFixed(),
    timeInForce,
    postOnly,
    state: 'SENDING',
    reason: null,
    reportedAmount: '0',
    filledAmount: '0',
    session: desk.session,
    looks: 0,
    nextLookAt: null,
    resolvedAt: null,
    createdAt,
  }));
}

function orderOf({ clock }: Context, { wallet, market, wish, ending }: Omit<Placing, 'planned'>): OrderRow {
  const now = clock.now();
  return {
    id: newId(now.getTime()),
    companyId: wallet.companyId,
    walletId: wallet.id,
    synthetic: wallet.synthetic,
    clientOrderId: wish.clientOrderId,
    symbol: market.symbol,
    base: market.base,
    quote: market.quote,
    side: wish.side,
    type: wish.type,
    timeInForce: wish.timeInForce,
    postOnly: wish.postOnly,
    amount: 'amount' in wish.size ? wish.size.amount.toFixed() : null,
    quoteAmount: 'quoteAmount' in wish.size ? wish.size.quoteAmount.toFixed() : null,
    price: wish.price?.toFixed() ?? null,
    expiresAt: wish.expiresAt,
    status: ending?.status ?? 'PENDING',
    reason: ending?.reason ?? null,
    holdId: ending === undefined ? newId(now.getTime()) : null,
    makerFee: wallet.terms.makerFee,
    takerFee: wallet.terms.takerFee,
    filledAmount: '0',
    filledValue: '0',
    exactValue: '0',
    fee: '0',
    exactFee: '0',
    cancelRequestedAt: null,
    quarantinedAt: null,
    createdAt: now,
    filledAt: null,
    closedAt: ending === undefined ? null : now,
  };
}

function requireKnown(order: OrderRow | undefined): OrderRow {
  if (order === undefined) throw new Fault('NOT_FOUND', { message: 'There is no such order' });
  return order;
}
