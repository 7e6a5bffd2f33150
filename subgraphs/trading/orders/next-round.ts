import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import type { RouteBounds, RoutePlan } from '../routing/routing.js';
import { type ExecutionRow, unsent } from './execution.store.js';
import { budgetOf, isOpen, eventOf, moved } from './order.js';
import type { OrderRow, LockedOrder } from './order.store.js';
import { isSettled, type Report } from './report.js';
import { type Executed, housePostings, type Settled, type SettledOrder } from './settlement.js';
import type { Journal } from '../ledger/post-journals.js';
import type { Fill } from '../venues/venue.js';
import type { Context } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';

/** Rounds in which an order that may not wait is sent to venues, at most; the database checks it as well. */
export const maxRounds = 3;
/** Time from the placing of an order after which it gets no further round: it was to be executed at once. */
const roundsWithinMs = 5_000;

/** The bounds of the first plan: of all rounds together. */
export interface FirstPlan extends RouteBounds {
  /** In the base currency. */
  readonly amount: Decimal;
}

/** The unfilled rest of an order whose round is over. */
export interface Rest {
  /** In the base currency; more than 0. */
  readonly amount: Decimal;
  readonly within: RouteBounds;
  readonly executions: readonly ExecutionRow[];
}

type Bounded = Pick<OrderRow, 'side' | 'quoteAmount' | 'worstPrice' | 'makerFee' | 'takerFee' | 'quoteDecimals'>;

export interface Reached {
  readonly order: Bounded & Pick<OrderRow, 'status' | 'cancelRequestedAt' | 'createdAt'>;
  readonly executions: readonly ExecutionRow[];
  readonly executed: Pick<Executed, 'amount' | 'exactValue'>;
}

/** Returns the number of the last round of an order; 0 for one without executions. */
export function lastRound(executions: readonly Pick<ExecutionRow, 'round'>[]): number {
  return Math.max(0, ...executions.map(({ round }) => round));
}

function ofRound<Execution extends Pick<ExecutionRow, 'round'>>(
  executions: readonly Execution[],
  wanted: number,
): Execution[] {
  return executions.filter(({ round }) => round === wanted);
}

/** No later round sends more, at a worse price, or for a BUY at a higher value than the first plan; undefined for an order that is sent once. */
export function boundsOf(
  { side, quoteAmount, worstPrice: worst, makerFee, takerFee, quoteDecimals: decimals }: Bounded,
  executions: readonly Pick<ExecutionRow, 'round' | 'amount'>[],
): FirstPlan | undefined {
  if (worst === null) return undefined;
  const amount = sum(ofRound(executions, 1).map((sent) => sent.amount));
  const worstPrice = new Decimal(worst);
  if (side === 'SELL') return { amount, worstPrice, value: undefined };
  const value = amount.times(worstPrice);
  if (quoteAmount === null) return { amount, worstPrice, value };
  const budget = budgetOf(quoteAmount, { feePercent: Decimal.max(makerFee, takerFee), decimals });
  return { amount, worstPrice, value: Decimal.min(value, budget) };
}

/** Returns undefined until each execution of the last round has ended with all fills recorded: while an outcome is unknown, the same could be executed twice. */
export function restOf({ order, executions, executed }: Reached): Rest | undefined {
  const last = ofRound(executions, lastRound(executions));
  const first = boundsOf(order, executions);
  if (first === undefined || !isOpen(order.status) || last.length === 0 || !last.every(isSettled)) return undefined;
  const amount = first.amount.minus(executed.amount);
  const value = first.value?.minus(executed.exactValue);
  const isOver = amount.lessThanOrEqualTo(0) || value?.lessThanOrEqualTo(0) === true;
  return isOver ? undefined : { amount, within: { worstPrice: first.worstPrice, value }, executions };
}

/** Allows none after a cancel, an operator's settlement or too long, nor where all of the round was rejected for a reason that concerns the order. @param reports with which the round ended */
export function mayGoOn({ order, executions }: Reached, reports: readonly Report[], now: Date): boolean {
  const round = lastRound(executions);
  if (round >= maxRounds || order.cancelRequestedAt !== null) return false;
  if (now.getTime() - order.createdAt.getTime() > roundsWithinMs) return false;
  if (executions.some(({ resolvedAt }) => resolvedAt !== null)) return false;
  const passing = new Set(reports.flatMap(({ executionId, elsewhere }) => (elsewhere === true ? [executionId] : [])));
  return ofRound(executions, round).some(({ id, state }) => state !== 'REJECTED' || passing.has(id));
}

/** Whether its last round was executed whole and what is left pays less than the market's minimum. @param minOrderSize in the base currency */
export function isSpent({ order, executions }: Reached, { within }: Rest, minOrderSize: string): boolean {
  const last = ofRound(executions, lastRound(executions));
  if (order.quoteAmount === null || !last.every(({ state }) => state === 'FILLED')) return false;
  return within.value?.dividedBy(within.worstPrice).lessThan(minOrderSize) === true;
}

interface Divided {
  readonly client: readonly Fill[];
  /** Fills that are the house's: beyond the requested amount, beyond what an operator has settled, or of a round whose rest was sent again. */
  readonly beyond: readonly Fill[];
}

/** The client gets at most each execution's amount, and nothing once it was resolved or its rest sent again. The venue's fee of a split fill stays with the client's part. */
export function divideFills(executions: readonly ExecutionRow[], fills: readonly Fill[]): Divided {
  const last = lastRound(executions);
  const left = new Map(
    executions.map(({ id, round, amount, filledAmount, resolvedAt }) => [
      id,
      resolvedAt === null && round === last ? Decimal.max(0, new Decimal(amount).minus(filledAmount)) : new Decimal(0),
    ]),
  );
  const client: Fill[] = [];
  const beyond: Fill[] = [];
  for (const fill of fills) {
    const own = Decimal.min(fill.amount, left.get(fill.clientOrderId) ?? 0);
    const rest = fill.amount.minus(own);
    left.set(fill.clientOrderId, (left.get(fill.clientOrderId) ?? new Decimal(0)).minus(own));
    if (own.greaterThan(0)) client.push({ ...fill, amount: own });
    if (rest.greaterThan(0)) beyond.push({ ...fill, amount: rest, ...(own.isZero() ? {} : { fee: new Decimal(0) }) });
  }
  return { client, beyond };
}

/** Returns the journal between the house's own position and the venue for a fill that is not the client's. */
export function beyondJournal(order: OrderRow, fill: Fill): Journal {
  return {
    key: `fill:${fill.venue}:${fill.tradeId}:beyond`,
    cause: 'order.beyond',
    causeId: order.id,
    synthetic: order.synthetic,
    postings: housePostings(order, fill),
  };
}

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

export interface Settlement {
  readonly before: LockedOrder;
  readonly reports: readonly Report[];
  /** The executions before and after the reports. */
  readonly known: readonly ExecutionRow[];
  readonly executions: readonly ExecutionRow[];
  readonly fills: Divided;
}

/** How an order goes on after a round that left a part of it. */
export interface Outlook {
  readonly goesOn: boolean;
  /** Whether nothing that could be traded is left of its quote amount. */
  readonly isSpent: boolean;
}

export const noOutlook: Outlook = { goesOn: false, isSpent: false };

export function executedOf(order: LockedOrder): Executed {
  return {
    amount: new Decimal(order.filledAmount),
    exactValue: new Decimal(order.exactValue),
    value: new Decimal(order.filledValue),
    exactFee: new Decimal(order.exactFee),
    fee: new Decimal(order.fee),
  };
}

export function termsOf(order: LockedOrder): SettledOrder {
  return { ...order, makerFee: new Decimal(order.makerFee), takerFee: new Decimal(order.takerFee) };
}

export const givenOf = ({ side, base, quote }: LockedOrder): string => (side === 'BUY' ? quote : base);

export function journalOf(order: LockedOrder, fill: Fill, settled: Settled): Journal {
  const { synthetic, id: causeId } = order;
  return {
    key: `fill:${fill.venue}:${fill.tradeId}`,
    cause: 'order.fill',
    causeId,
    synthetic,
    postings: settled.postings,
  };
}

/** A closed order keeps its status: late fills only add to the executed amount. Executions of earlier rounds are over: their rest was sent again. */
export function orderAfter(
  { clock }: Context,
  order: LockedOrder,
  executions: readonly ExecutionRow[],
  executed: Executed,
  { goesOn, isSpent }: Outlook = noOutlook,
): LockedOrder {
  const now = clock.now();
  const standing = {
    status: order.status,
    settled: !goesOn && ofRound(executions, lastRound(executions)).every(isSettled),
    filledAmount: executed.amount,
    placedAmount: isSpent
      ? executed.amount
      : ofRound(executions, 1).reduce((sum, { amount }) => sum.plus(amount), new Decimal(0)),
    amount: order.amount === null ? undefined : new Decimal(order.amount),
    allRejected: executions.every(({ state }) => state === 'REJECTED'),
    expired: order.expiresAt !== null && order.expiresAt <= now,
  };
  const event = eventOf(standing);
  const status = event === undefined ? order.status : moved(order.status, event);
  const closes = isOpen(order.status) && !isOpen(status);
  const reasons = executions.flatMap(({ venue, reason }) => (reason === null ? [] : [`${venue}: ${reason}`]));
  return {
    ...order,
    status,
    reason: closes && status !== 'FILLED' && reasons.length > 0 ? reasons.join('; ').slice(0, 500) : order.reason,
    filledAmount: executed.amount.toFixed(),
    filledValue: executed.value.toFixed(),
    exactValue: executed.exactValue.toFixed(),
    fee: executed.fee.toFixed(),
    exactFee: executed.exactFee.toFixed(),
    filledAt: closes && status === 'FILLED' ? now : order.filledAt,
    closedAt: closes ? now : order.closedAt,
  };
}
