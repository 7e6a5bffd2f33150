import type { Context } from '../../../shared/context.js';
import { alone, groupCommit, type Member } from '../../../shared/database/group-commit.js';
import { Decimal } from '../../../shared/decimal.js';
import { ApiError } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import { bindSubject } from '../../../shared/subgraph/in-steps.js';
import { holdJournal, type NewHold } from '../ledger/holds.js';
import { postBothWorlds } from '../ledger/post-journals.js';
import type { MarketRow } from '../markets/market.store.js';
import type { OwnWallet } from '../profiles/wallet.store.js';
import type { RoutePlan } from '../routing/routing.js';
import { tellAll } from '../streams/tell-readers.js';
import { announceEnded, newsOf } from './announce-order.js';
import type { Desk } from './desk.js';
import { fittingOf, type Demand } from './fitting.js';
import type { RequestedOrder } from './order-input.js';
import { isLimited, lockLimits } from './order-limits.js';
import { insertOrders, type NewOrder, type OrderRow } from './order.store.js';
import { holdOf, type FeeTerms, type HoldOf } from './order.js';
import { endingOf, type Ending, type Planned } from './plan-order.js';
import { plannedExecutions } from './planned-executions.js';

/** An order to place. */
export interface Placing {
  readonly desk: Desk;
  readonly wallet: OwnWallet;
  readonly market: MarketRow;
  readonly request: RequestedOrder;
  readonly planned: Planned;
}

/** Everything that is written when an order is placed. */
interface Written extends NewOrder {
  readonly desk: Desk;
  readonly wallet: OwnWallet;
  /** Its worst-case value, in its quote currency; undefined if it was rejected at once. */
  readonly worst: Decimal | undefined;
  readonly hold: NewHold | undefined;
}

export type Placed = Pick<NewOrder, 'order' | 'executions'>;

/**
 * Writes an order with its hold and its executions; nothing is sent before this is committed.
 * @throws {ApiError} INSUFFICIENT_BALANCE; CONFLICT for a client order id that the wallet has used; UNPROCESSABLE beyond a limit
 */
export function placeOrder(context: Context, placing: Placing): Promise<Placed> {
  return place(context, writtenOf(context, placing));
}

const place = groupCommit<Written, Placed>({
  work: writeOrders,
  // Limits are checked against what is already written: orders of a company with limits run one after another.
  lockOf: ({ wallet: { id, companyId, terms } }) => (isLimited(terms) ? companyId : id),
  isSingle: ({ wallet }) => isLimited(wallet.terms),
});

type Members = readonly Member<Written>[];

async function writeOrders(tx: Context, members: Members): Promise<(Placed | typeof alone)[]> {
  await lockLimits(
    tx,
    members.map(({ item }) => item.wallet),
  );
  const fitting = await fittingOf(tx, members, demandOf);
  const added = await insertOrders(
    tx,
    fitting.map(({ item }) => item),
  );
  const placed = fitting.filter(({ item: { order } }) => added.has(order.id));
  if (members.length === 1 && placed.length === 0) throw usedBefore(members[0]?.item.order.clientOrderId);
  for (const { context, item } of placed) await bindSubject({ ...tx, ...keyOf(context) }, item.order.id);
  await postBothWorlds(
    tx,
    placed.flatMap(({ item: { hold } }) => (hold === undefined ? [] : [holdJournal(hold)])),
  );
  await announceEnded(
    tx,
    placed.map(({ item: { order } }) => order),
  );
  await tellAll(
    tx,
    placed.map(({ item: { order, hold } }) => newsOf(order, hold === undefined ? [] : [hold.currency])),
  );
  return members.map(({ item }) => (added.has(item.order.id) ? item : alone));
}

const keyOf = ({ idempotency }: Context) => (idempotency === undefined ? {} : { idempotency });

function demandOf({ desk, wallet: { terms }, order, worst, hold }: Written): Demand {
  return { desk, terms, order, value: worst, giving: hold };
}

/** Returns the error for a client order id that the wallet has used. */
export function usedBefore(id: string | null | undefined): ApiError {
  return new ApiError('CONFLICT', { message: `The wallet already has an order with the clientOrderId ${id ?? ''}` });
}

function writtenOf(context: Context, placing: Placing): Written {
  const { desk, wallet, request } = placing;
  const { result, decision } = placing.planned;
  const plan = result.kind === 'PLAN' ? result : undefined;
  const ending = result.kind === 'REFUSED' ? endingOf(result, request) : undefined;
  const order = orderOf(context, placing, plan, ending);
  const all = { desk, wallet, order, decision };
  if (plan === undefined || order.holdId === null) return { ...all, executions: [], hold: undefined, worst: undefined };
  const { id: walletId, synthetic } = wallet;
  const held = heldFor(placing, plan);
  const hold = { id: order.holdId, walletId, synthetic, cause: 'order', causeId: order.id, ...held };
  const executions = plannedExecutions(context, order, plan, { session: desk.session, round: 1 });
  return { ...all, executions, hold, worst: worstOf(plan, request).notional };
}

/** Returns what is set aside for an order with a plan. */
export function heldFor(placing: Omit<Placing, 'planned'>, plan: RoutePlan): HoldOf {
  const { market, request } = placing;
  return holdOf(request.side, market, worstOf(plan, request), feesOf(placing));
}

/** Returns how an order is charged at most. */
export function feesOf({ desk, wallet: { terms }, market }: Pick<Placing, 'desk' | 'wallet' | 'market'>): FeeTerms {
  return { feePercent: Decimal.max(terms.makerFee, terms.takerFee), decimals: desk.decimals(market.quote) };
}

/**
 * Returns the worst case: everything that is placed, at the limit prices of the executions, or at the worst price of all rounds for an order that may be sent
 * again.
 */
export function worstOf({ amount, worstNotional, worstPrice }: RoutePlan, { side, timeInForce, size }: RequestedOrder) {
  const notional = timeInForce === 'IOC' && side === 'BUY' ? amount.times(worstPrice) : worstNotional;
  return { amount, notional: 'budget' in size ? Decimal.min(notional, size.budget) : notional };
}

function orderOf(
  { clock }: Context,
  { desk, wallet, market, request }: Placing,
  plan: RoutePlan | undefined,
  ending: Ending | undefined,
): OrderRow {
  const now = clock.now();
  const { size, price, ...requested } = request;
  return {
    id: newId(now.getTime()),
    companyId: wallet.companyId,
    walletId: wallet.id,
    synthetic: wallet.synthetic,
    ...requested,
    base: market.base,
    quote: market.quote,
    amount: 'amount' in size ? size.amount.toFixed() : null,
    quoteAmount: 'quoteAmount' in size ? size.quoteAmount.toFixed() : null,
    price: price?.toFixed() ?? null,
    worstPrice: request.timeInForce === 'IOC' ? (plan?.worstPrice.toFixed() ?? null) : null,
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
    baseDecimals: desk.decimals(market.base),
    quoteDecimals: desk.decimals(market.quote),
    priceDecimals: market.priceDecimals,
  };
}
