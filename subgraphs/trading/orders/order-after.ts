import type { Context } from '../../../shared/context.js';
import { Decimal } from '../../../shared/decimal.js';
import type { Journal } from '../ledger/post-journals.js';
import type { Fill } from '../venues/venue.js';
import type { Divided } from './beyond.js';
import type { ExecutionRow } from './execution.store.js';
import { lastRound, ofRound } from './next-round.js';
import { eventOf, isOpen, moved } from './order.js';
import type { LockedOrder } from './order.store.js';
import { isSettled, type Report } from './report.js';
import type { Executed, Settled, SettledOrder } from './settlement.js';

/** An order with the reports on it, and the resulting changes of its executions. */
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
  /** Whether that part is sent again. */
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

/** Returns the currency that the client pays with. */
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

/**
 * Returns the order after a change of its executions. A closed order keeps its status: late fills only add to the executed amount. Executions of earlier
 * rounds are over for the order: what they left was sent again.
 */
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
