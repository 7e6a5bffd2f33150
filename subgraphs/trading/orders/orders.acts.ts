import type { Shape } from '../../../shared/graphql/shape.js';
import type { OrderPreview } from './order.type.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { subjectOf, bindSubject } from '../../../shared/graphql/in-steps.js';
import type { Catalogue } from '../markets/catalogue.js';
import { requireActive, requireWallet, type WalletChoice } from '../profiles/require-wallet.js';
import type { Desk } from './desk.js';
import { readOrder, type OrderInput, type RequestedOrder } from './order-input.js';
import { getOrder, type OrderRow, insertOrders, type NewOrder, isClientOrderIdUsed } from './order.store.js';
import { planOrder, endingOf, type Ending, type Planned, fittingOf, type Demand } from './plan-order.js';
import { alone, groupCommit, type Member } from '../../../shared/database/group-commit.js';
import { Decimal, round } from '../../../shared/kernel/decimal.js';
import { newId } from '../../../shared/kernel/ids.js';
import { holdJournal, type NewHold, postBothWorlds, withinFunds } from '../ledger/post-journals.js';
import type { MarketRow } from '../markets/market.store.js';
import type { OwnWallet } from '../profiles/profile.store.js';
import type { RoutePlan } from '../routing/routing.js';
import { tellAll } from '../streams/tell-readers.js';
import { announceEnded, newsOf } from './announce-order.js';
import { isLimited, lockLimits, requireWithinLimits } from './order-limits.js';
import { holdOf, type FeeTerms, type HoldOf, averagePriceOf } from './order.js';
import { plannedExecutions } from './next-round.js';
import { formatAmount } from '../format-amount.js';

interface Placing {
  readonly desk: Desk;
  readonly wallet: OwnWallet;
  readonly market: MarketRow;
  readonly request: RequestedOrder;
  readonly planned: Planned;
}

interface Written extends NewOrder {
  readonly desk: Desk;
  readonly wallet: OwnWallet;
  /** Its worst-case value, in its quote currency; undefined if it was rejected at once. */
  readonly worst: Decimal | undefined;
  readonly hold: NewHold | undefined;
}

export type Placed = Pick<NewOrder, 'order' | 'executions'>;

/** Nothing is sent before this is committed. @throws {ApiError} INSUFFICIENT_BALANCE; CONFLICT for a used client order id; UNPROCESSABLE beyond a limit */
function placeOrder(context: Context, placing: Placing): Promise<Placed> {
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

function usedBefore(id: string | null | undefined): ApiError {
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

function heldFor(placing: Placing, plan: RoutePlan): HoldOf {
  const { market, request } = placing;
  return holdOf(request.side, market, worstOf(plan, request), feesOf(placing));
}

function feesOf({ desk, wallet: { terms }, market }: Pick<Placing, 'desk' | 'wallet' | 'market'>): FeeTerms {
  return { feePercent: Decimal.max(terms.makerFee, terms.takerFee), decimals: desk.decimals(market.quote) };
}

/** Assumes all that is placed, at the executions' limit prices, or at the worst price of all rounds for an order that may be sent again. */
function worstOf({ amount, worstNotional, worstPrice }: RoutePlan, { side, timeInForce, size }: RequestedOrder) {
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

/** Judges what the house cannot execute by what the client has, with the errors of an order that it can, before the client learns of it. @throws {ApiError} as `placeOrder` */
async function requireWanted(context: Context, placing: Placing): Promise<void> {
  const { wallet, request, planned } = placing;
  const { wanted, result } = planned;
  // Otherwise the transaction that places it judges the same.
  if (wanted.kind === 'PLAN' && wanted === result) return;
  await requireAgreed(context, placing);
  if (request.clientOrderId !== null && (await isClientOrderIdUsed(context, wallet.id, request.clientOrderId)))
    throw usedBefore(request.clientOrderId);
  await requireMeans(context, placing);
}

/** @throws {ApiError} UNPROCESSABLE for an order that, as the books allow it, is beyond an agreed limit, which it names */
async function requireAgreed(context: Context, { desk, wallet, market, request, planned }: Placing): Promise<void> {
  const { wanted } = planned;
  if (wanted.kind !== 'PLAN') return;
  const order = { companyId: wallet.companyId, walletId: wallet.id, synthetic: wallet.synthetic, quote: market.quote };
  await requireWithinLimits(context, desk, wallet.terms, order, worstOf(wanted, request).notional);
}

/** The wallet must appear to have the funds, whatever the house has; nothing is locked. @throws {ApiError} INSUFFICIENT_BALANCE; the errors of `endingOf` */
async function requireMeans(context: Context, placing: Placing): Promise<void> {
  const { id: walletId, synthetic } = placing.wallet;
  const needed = neededFor(placing);
  if (needed === undefined) return;
  const [isFunded] = await withinFunds(context, [{ walletId, synthetic, ...needed }]);
  if (isFunded !== true) throw new ApiError('INSUFFICIENT_BALANCE');
}

/** Returns the funds that a client needs for an order; for an order that ends at once, its least cost. Undefined if there is no price. */
function neededFor(placing: Placing): HoldOf | undefined {
  const { market, request, planned } = placing;
  const { wanted } = planned;
  if (wanted.kind === 'PLAN') return heldFor(placing, wanted);
  endingOf(wanted, request);
  const { size, side } = request;
  if ('quoteAmount' in size) return { currency: market.quote, amount: size.quoteAmount };
  const price = request.price ?? wanted.mid;
  if (side === 'SELL') return { currency: market.base, amount: size.amount };
  if (price === undefined) return undefined;
  return holdOf(side, market, { amount: size.amount, notional: size.amount.times(price) }, feesOf(placing));
}

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
  parts: OrderParts,
  choice: WalletChoice,
  input: OrderInput,
): Promise<OrderRow> {
  const resumed = subjectOf(context);
  if (resumed !== undefined) return requireKnown(await getOrder(context, resumed));
  const placing = await readPlacing(context, parts, choice, input);
  await requireWanted(context, placing);
  const begunMs = performance.now();
  const placed = await placeOrder(context, placing);
  if (placed.executions.length === 0) return placed.order;
  return parts.desk.send(context, placed.order.id, placed.executions, begunMs);
}

async function readPlacing(
  context: Context,
  { desk, catalogue }: OrderParts,
  choice: WalletChoice,
  input: OrderInput,
): Promise<Placing> {
  const wallet = await requireWallet(context, choice);
  requireActive(wallet);
  const market = await catalogue.requireActive(context, input.symbol, wallet.synthetic);
  const fee = feesOf({ desk, wallet, market });
  const request = readOrder(input, market, { fee, now: context.clock.now() });
  return { desk, wallet, market, request, planned: planOrder(desk, request, market, wallet.synthetic) };
}

function requireKnown(order: OrderRow | undefined): OrderRow {
  if (order === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such order' });
  return order;
}

/** Routes by the present books as `createOrder` does, and writes nothing. @throws {ApiError} the errors of `createOrder`, except errors about the client order id */
export async function previewOrder(
  context: Context,
  parts: OrderParts,
  choice: WalletChoice,
  input: OrderInput,
): Promise<Shape<OrderPreview>> {
  const placing = await readPlacing(context, parts, choice, input);
  await requireAgreed(context, placing);
  await requireMeans(context, placing);
  const { desk, wallet, market, request } = placing;
  const { result } = placing.planned;
  const { priceDecimals } = market;
  const [baseDecimals, quoteDecimals] = [desk.decimals(market.base), desk.decimals(market.quote)];
  if (result.kind === 'REFUSED')
    return {
      refused: endingOf(result, request).reason,
      amount: formatAmount('0', baseDecimals),
      notional: formatAmount('0', quoteDecimals),
      averagePrice: null,
      worstPrice: null,
      slippagePercent: null,
      fee: formatAmount('0', quoteDecimals),
      feeCurrency: market.quote,
      hold: null,
    };
  const { amount, notional } = result.expected;
  const held = heldFor(placing, result);
  return {
    refused: null,
    amount: formatAmount(amount, baseDecimals),
    notional: round(notional, quoteDecimals).toFixed(quoteDecimals),
    averagePrice: averagePriceOf({ filledAmount: amount, exactValue: notional, priceDecimals }) ?? null,
    worstPrice: formatAmount(request.price ?? result.worstPrice, priceDecimals),
    slippagePercent: result.slippagePercent?.toDecimalPlaces(4, Decimal.ROUND_HALF_UP).toFixed() ?? null,
    fee: notional.times(wallet.terms.takerFee).dividedBy(100).toFixed(quoteDecimals, Decimal.ROUND_DOWN),
    feeCurrency: market.quote,
    hold: { currency: held.currency, amount: formatAmount(held.amount, desk.decimals(held.currency)) },
  };
}
