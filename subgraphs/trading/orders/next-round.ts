import { Decimal, sum } from '../../../shared/decimal.js';
import type { RouteBounds } from '../routing/routing.js';
import type { ExecutionRow } from './execution.store.js';
import { budgetOf, isOpen } from './order.js';
import type { OrderRow } from './order.store.js';
import { isSettled, type Report } from './report.js';
import type { Executed } from './settlement.js';

/** Rounds in which an order that may not wait is sent to venues, at most; the database checks it as well. */
export const maxRounds = 3;
/** Time from the placing of an order after which it gets no further round: it was to be executed at once. */
const roundsWithinMs = 5_000;

/** The bounds of the first plan: of all rounds together. */
export interface FirstPlan extends RouteBounds {
  /** In the base currency. */
  readonly amount: Decimal;
}

/** What is left of an order whose round is over. */
export interface Rest {
  /** In the base currency; more than 0. */
  readonly amount: Decimal;
  readonly within: RouteBounds;
  /** All executions of the order so far. */
  readonly executions: readonly ExecutionRow[];
}

/** What the bounds of an order follow from. */
type Bounded = Pick<OrderRow, 'side' | 'quoteAmount' | 'worstPrice' | 'makerFee' | 'takerFee' | 'quoteDecimals'>;

/** An order after reports on its executions. */
export interface Reached {
  readonly order: Bounded & Pick<OrderRow, 'status' | 'cancelRequestedAt' | 'createdAt'>;
  readonly executions: readonly ExecutionRow[];
  readonly executed: Pick<Executed, 'amount' | 'exactValue'>;
}

/** Returns the number of the last round of an order; 0 for one without executions. */
export function lastRound(executions: readonly Pick<ExecutionRow, 'round'>[]): number {
  return Math.max(0, ...executions.map(({ round }) => round));
}

/** Returns the executions of one round. */
export function ofRound<Execution extends Pick<ExecutionRow, 'round'>>(
  executions: readonly Execution[],
  wanted: number,
): Execution[] {
  return executions.filter(({ round }) => round === wanted);
}

/**
 * Returns the bounds of an order that may not wait, by its first round: no round sends more, at a worse price, or for a BUY at a higher value, which is what its
 * hold pays before fees: the whole amount at the worst price, or what of the quote amount is traded. Undefined for an order that is sent once.
 */
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

/**
 * Returns what is left of an order that may not wait, once each execution of its last round has ended with all of its fills recorded. A round is not over while
 * the outcome of a part is unknown: the same could then be executed twice.
 */
export function restOf({ order, executions, executed }: Reached): Rest | undefined {
  const last = ofRound(executions, lastRound(executions));
  const first = boundsOf(order, executions);
  if (first === undefined || !isOpen(order.status) || last.length === 0 || !last.every(isSettled)) return undefined;
  const amount = first.amount.minus(executed.amount);
  const value = first.value?.minus(executed.exactValue);
  const isOver = amount.lessThanOrEqualTo(0) || value?.lessThanOrEqualTo(0) === true;
  return isOver ? undefined : { amount, within: { worstPrice: first.worstPrice, value }, executions };
}

/**
 * Whether what is left of an order may be sent again: not after a cancel was requested, an operator has settled a part of it, or too long a time, and not where
 * the venues rejected all of the round for a reason that concerns the order.
 * @param reports those with which the round ended
 */
export function mayGoOn({ order, executions }: Reached, reports: readonly Report[], now: Date): boolean {
  const round = lastRound(executions);
  if (round >= maxRounds || order.cancelRequestedAt !== null) return false;
  if (now.getTime() - order.createdAt.getTime() > roundsWithinMs) return false;
  if (executions.some(({ resolvedAt }) => resolvedAt !== null)) return false;
  const passing = new Set(reports.flatMap(({ executionId, elsewhere }) => (elsewhere === true ? [executionId] : [])));
  return ofRound(executions, round).some(({ id, state }) => state !== 'REJECTED' || passing.has(id));
}

/**
 * Whether an order by quote amount has spent it: all that its last round sent was executed, and what is left pays less than the minimum of the market.
 * @param minOrderSize in the base currency
 */
export function isSpent({ order, executions }: Reached, { within }: Rest, minOrderSize: string): boolean {
  const last = ofRound(executions, lastRound(executions));
  if (order.quoteAmount === null || !last.every(({ state }) => state === 'FILLED')) return false;
  return within.value?.dividedBy(within.worstPrice).lessThan(minOrderSize) === true;
}
