import { Decimal, round } from '../../../shared/kernel/decimal.js';
import { formatAmount } from '../format-amount.js';
import type { RejectReason, Side } from '../venues/venue.js';

export const orderStatuses = ['PENDING', 'PARTIALLY_FILLED', 'FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const orderTimesInForce = ['GTC', 'IOC', 'FOK', 'GTD'] as const;
export type OrderTimeInForce = (typeof orderTimesInForce)[number];

/** The filters of the list; OPEN is PENDING or PARTIALLY_FILLED. */
export const orderFilters = ['OPEN', ...orderStatuses] as const;
export type OrderFilter = (typeof orderFilters)[number];

const openStatuses: readonly OrderStatus[] = ['PENDING', 'PARTIALLY_FILLED'];

export function isOpen(status: OrderStatus): boolean {
  return openStatuses.includes(status);
}

/** The reasons why an order ended or an execution failed. A venue's own message may contain addresses and signatures of requests: it is only logged. The panel has each text in Portuguese. */
export const orderReasons = {
  INVALID: 'The venue does not support such an order',
  BELOW_MINIMUM: 'The order is below the minimum of the venue',
  INSUFFICIENT_FUNDS: 'The venue cannot accept the order at the moment',
  WOULD_TAKE: 'The order is post-only and would have been executed at once',
  MARKET_CLOSED: 'The venue does not trade the market at the moment',
  RATE_LIMITED: 'The venue accepts no more orders at the moment',
  VENUE_DOWN: 'The venue is not in use at the moment',
  OTHER: 'The venue rejected the order',
  NOT_CONNECTED: 'The venue is not connected',
  NOT_SENT: 'The order was not sent in time',
  ABSENT: 'The venue does not have the order',
  GONE: 'The venue no longer has the order',
  NOT_ARRIVED: 'The order did not arrive at the venue',
  RESOLVED: 'Resolved by an operator',
  NOT_FILLABLE: 'The order could not be filled completely at once',
  OUTSIDE_COLLAR: 'There are no offers within the price collar of the market',
  OUTSIDE_LIMIT: 'There are no offers within the limit',
} as const satisfies Readonly<Record<RejectReason, string>> & Readonly<Record<string, string>>;

/**
 * The events of an order:
 * - FILL: a part was executed, and more can be
 * - COMPLETE: all of it was executed
 * - REJECT: no venue accepted it
 * - END: nothing more will be executed; it was cancelled, or its time in force does not let it wait
 * - EXPIRE: the same, because it expired
 */
export type OrderEvent = 'FILL' | 'COMPLETE' | 'REJECT' | 'END' | 'EXPIRE';

/** The transitions of an order. A status that is not listed is final; late fills do not change it. */
const transitions: Readonly<Partial<Record<OrderStatus, Readonly<Partial<Record<OrderEvent, OrderStatus>>>>>> = {
  PENDING: { FILL: 'PARTIALLY_FILLED', COMPLETE: 'FILLED', REJECT: 'REJECTED', END: 'CANCELLED', EXPIRE: 'EXPIRED' },
  PARTIALLY_FILLED: { FILL: 'PARTIALLY_FILLED', COMPLETE: 'FILLED', END: 'CANCELLED', EXPIRE: 'EXPIRED' },
};

/** Returns the status after an event; the same status if there is no transition. */
export function moved(status: OrderStatus, event: OrderEvent): OrderStatus {
  return transitions[status]?.[event] ?? status;
}

export interface Standing {
  readonly status: OrderStatus;
  /** Whether every execution has ended at its venue and all of its fills are recorded. */
  readonly settled: boolean;
  readonly filledAmount: Decimal;
  readonly placedAmount: Decimal;
  /** The ordered amount, if it is in the base currency. */
  readonly amount: Decimal | undefined;
  readonly allRejected: boolean;
  readonly expired: boolean;
}

export function eventOf(standing: Standing): OrderEvent | undefined {
  const { settled, filledAmount, placedAmount, amount, allRejected, expired } = standing;
  if (filledAmount.greaterThan(0) && filledAmount.greaterThanOrEqualTo(amount ?? placedAmount)) return 'COMPLETE';
  if (!settled) return filledAmount.greaterThan(0) ? 'FILL' : undefined;
  if (allRejected && filledAmount.isZero()) return 'REJECT';
  return expired ? 'EXPIRE' : 'END';
}

export interface HoldOf {
  readonly currency: string;
  readonly amount: Decimal;
}

/** How a value is charged: the highest fee that an execution can have, in percent, and the decimals of the quote currency. */
export interface FeeTerms {
  readonly feePercent: Decimal;
  readonly decimals: number;
}

/** Returns the base amount of a SELL; the worst-case cost of a BUY with the fee, each rounded up, so that no sum of roundings can exceed it. */
export function holdOf(
  side: Side,
  { base, quote }: { readonly base: string; readonly quote: string },
  worst: { readonly amount: Decimal; readonly notional: Decimal },
  { feePercent, decimals }: FeeTerms,
): HoldOf {
  if (side === 'SELL') return { currency: base, amount: worst.amount };
  const up = (value: Decimal) => value.toDecimalPlaces(decimals, Decimal.ROUND_UP);
  return { currency: quote, amount: up(worst.notional).plus(up(worst.notional.times(feePercent).dividedBy(100))) };
}

/** Returns the traded part of a quote amount: the rest pays the fee, so that value and fee, each rounded up, never exceed it together. */
export function budgetOf(quoteAmount: Decimal | string, { feePercent, decimals }: FeeTerms): Decimal {
  const factor = feePercent.dividedBy(100).plus(1);
  return new Decimal(quoteAmount).dividedBy(factor).toDecimalPlaces(decimals, Decimal.ROUND_DOWN);
}

/** Most decimals of an average price, unless the market has more. */
const averageDecimals = 8;

/** Returns the average price in the quote currency, rounded half up; undefined before the first fill. @param priceDecimals of the market */
export function averagePriceOf({
  filledAmount,
  exactValue,
  priceDecimals,
}: {
  readonly filledAmount: Decimal | string;
  readonly exactValue: Decimal | string;
  readonly priceDecimals: number;
}): string | undefined {
  const amount = new Decimal(filledAmount);
  if (amount.isZero()) return undefined;
  return formatAmount(
    round(new Decimal(exactValue).dividedBy(amount), Math.max(averageDecimals, priceDecimals)),
    priceDecimals,
  );
}
