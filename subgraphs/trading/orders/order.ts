import { Decimal } from '../../../shared/decimal.js';
import type { Side } from '../venues/venue.js';

export const orderStatuses = ['PENDING', 'PARTIALLY_FILLED', 'FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const orderTimesInForce = ['GTC', 'IOC', 'FOK', 'GTD'] as const;
export type OrderTimeInForce = (typeof orderTimesInForce)[number];

/** What the list can be filtered by; OPEN is PENDING or PARTIALLY_FILLED. */
export const orderFilters = ['OPEN', ...orderStatuses] as const;
export type OrderFilter = (typeof orderFilters)[number];

const openStatuses: readonly OrderStatus[] = ['PENDING', 'PARTIALLY_FILLED'];

export function isOpen(status: OrderStatus): boolean {
  return openStatuses.includes(status);
}

/**
 * What happens to an order:
 * - FILL: a part was executed, and more can be
 * - COMPLETE: all of it was executed
 * - REJECT: no venue took it
 * - END: nothing more will be executed of it; it was cancelled, or its time in force does not let it wait
 * - EXPIRE: the same, because its time is over
 */
export type OrderEvent = 'FILL' | 'COMPLETE' | 'REJECT' | 'END' | 'EXPIRE';

/** The states of an order. A state that is not here has no way out, but for late fills, which change no state. */
const transitions: Readonly<Partial<Record<OrderStatus, Readonly<Partial<Record<OrderEvent, OrderStatus>>>>>> = {
  PENDING: {
    FILL: 'PARTIALLY_FILLED',
    COMPLETE: 'FILLED',
    REJECT: 'REJECTED',
    END: 'CANCELLED',
    EXPIRE: 'EXPIRED',
  },
  PARTIALLY_FILLED: { FILL: 'PARTIALLY_FILLED', COMPLETE: 'FILLED', END: 'CANCELLED', EXPIRE: 'EXPIRED' },
};

/** The state after an event; the same state where the event does not move it. */
export function moved(status: OrderStatus, event: OrderEvent): OrderStatus {
  return transitions[status]?.[event] ?? status;
}

/** How the executions of an order stand. */
export interface Standing {
  readonly status: OrderStatus;
  /** Whether every execution has ended at its venue and all of its fills are here. */
  readonly settled: boolean;
  readonly filledAmount: Decimal;
  /** What the venues were asked for in all. */
  readonly placedAmount: Decimal;
  /** What was wanted, where it was an amount of the base currency. */
  readonly amount: Decimal | undefined;
  readonly allRejected: boolean;
  readonly expired: boolean;
}

/** What the executions of an order mean for it; undefined while they mean nothing. */
export function eventOf(standing: Standing): OrderEvent | undefined {
  const { settled, filledAmount, placedAmount, amount, allRejected, expired } = standing;
  if (filledAmount.greaterThan(0) && filledAmount.greaterThanOrEqualTo(amount ?? placedAmount)) return 'COMPLETE';
  if (!settled) return filledAmount.greaterThan(0) ? 'FILL' : undefined;
  if (allRejected && filledAmount.isZero()) return 'REJECT';
  return expired ? 'EXPIRE' : 'END';
}

/** What has to be set aside for an order that can cost so much at the worst. */
export interface HoldOf {
  readonly currency: string;
  readonly amount: Decimal;
}

/**
 * The hold of an order: the base amount of a SELL; of a BUY its worst cost with the fee, each rounded up, so that no order of
 * roundings can exceed it.
 * @param feePercent the highest that an execution of it can be charged
 * @param decimals of the quote currency
 */
export function holdOf(
  side: Side,
  { base, quote }: { readonly base: string; readonly quote: string },
  worst: { readonly amount: Decimal; readonly notional: Decimal },
  { feePercent, decimals }: { readonly feePercent: Decimal; readonly decimals: number },
): HoldOf {
  if (side === 'SELL') return { currency: base, amount: worst.amount };
  const up = (value: Decimal) => value.toDecimalPlaces(decimals, Decimal.ROUND_UP);
  return { currency: quote, amount: up(worst.notional).plus(up(worst.notional.times(feePercent).dividedBy(100))) };
}

/** The average price of what was executed, in the quote currency with up to 8 decimals; undefined before the first fill. */
export function averagePriceOf({
  filledAmount,
  exactValue,
}: {
  readonly filledAmount: string;
  readonly exactValue: string;
}): string | undefined {
  const amount = new Decimal(filledAmount);
  if (amount.isZero()) return undefined;
  return new Decimal(exactValue).dividedBy(amount).toDecimalPlaces(8, Decimal.ROUND_HALF_UP).toFixed();
}
