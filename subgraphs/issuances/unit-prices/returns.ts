import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, round, sum, truncate } from '../../../shared/kernel/decimal.js';
import type { PaymentRow } from '../operations/operation-list.store.js';
import { openOf, partialRedemption, paymentStatus } from '../payments/payment.js';
import type { SeriesRow } from '../series/series.store.js';

/** Days between two prices of a series. */
export interface Period {
  /** Day of the first price, whose payments it is already without. */
  readonly from: string;
  readonly to: string;
}

type UnitPayment = Pick<PaymentRow, 'seriesId' | 'event' | 'dueDate' | 'paidDate' | 'totalValue' | 'units'>;

/** A partial redemption pays the units that cease, at their price: nothing to those that are left. */
const paysEveryUnit = ({ event }: UnitPayment) => !partialRedemption.test(event);

const perUnit = (total: string, units: Decimal | string) => new Decimal(total).div(units);

/**
 * Returns what was paid on a unit of a series in a period: on a subscribed one, or on an issued one where these are not counted. A payment counts on the business day on which it fell due, since the price of that day is
 * without it. Undefined where the total of a payment, or the number of units, is not known, and where a payment that fell due in it is open.
 */
export function paidPerUnit(
  payments: readonly UnitPayment[],
  series: Pick<SeriesRow, 'id' | 'subscribedQuotas' | 'quantity'>,
  { from, to }: Period,
  calendar: Calendar,
): Decimal | undefined {
  const due = payments.filter(paysEveryUnit).filter(({ seriesId, dueDate }) => {
    if ((seriesId !== series.id && seriesId !== null) || dueDate > to) return false;
    const day = calendar.following(dueDate);
    return day > from && day <= to;
  });
  // One that is open, or of the whole operation, was paid on a unit to an extent that is not known.
  const own = due.filter(({ seriesId, paidDate }) => seriesId !== null && paidDate !== null);
  if (own.length < due.length) return undefined;
  const units = new Decimal(series.subscribedQuotas ?? series.quantity);
  const totals = own.flatMap(({ totalValue, units: paid }) =>
    totalValue === null ? [] : perUnit(totalValue, paid ?? units),
  );
  if (totals.length < own.length || (units.isZero() && own.length > 0)) return undefined;
  return own.length === 0 ? new Decimal(0) : round(sum(totals), 8);
}

/** Returns what is due on a unit of a series and unpaid, in reais with 8 decimals, truncated; undefined where an amount is not known. */
export function overduePerUnit(
  payments: readonly (UnitPayment & Pick<PaymentRow, 'openValue'>)[],
  series: Pick<SeriesRow, 'id' | 'subscribedQuotas' | 'quantity'>,
  today: string,
  calendar: Calendar,
): Decimal | undefined {
  const late = payments.filter(
    (payment) =>
      payment.seriesId === series.id && paysEveryUnit(payment) && paymentStatus(payment, today, calendar) === 'OVERDUE',
  );
  const open = late.flatMap((payment) => {
    const [value, units] = [openOf(payment, 'OVERDUE'), payment.units ?? series.subscribedQuotas ?? series.quantity];
    return value === null || new Decimal(units).isZero() ? [] : perUnit(value, units);
  });
  return open.length < late.length ? undefined : truncate(sum(open), 8);
}

/** Returns the return of a period in percent, 4 decimals: (last price + payments) ÷ first price − 1; undefined for a first price of 0. */
export function periodReturn(first: string, last: string, paid: Decimal): Decimal | undefined {
  const opening = new Decimal(first);
  return opening.isZero() ? undefined : round(paid.plus(last).div(opening).minus(1).times(100), 4);
}

/** A payment to come on a unit. */
export interface CashFlow {
  /** From the day of the price, at least 1. */
  readonly businessDays: number;
  readonly value: Decimal;
}

/**
 * Returns what a unit of a series is still paid after a day, soonest first. Undefined unless the payments are known up to its maturity, each with its total:
 * that of an indexed series is not.
 */
export function cashFlowsAfter(
  day: string,
  payments: readonly UnitPayment[],
  series: Pick<SeriesRow, 'id' | 'subscribedQuotas' | 'quantity' | 'maturityDate'>,
  calendar: Calendar,
): CashFlow[] | undefined {
  const units = new Decimal(series.subscribedQuotas ?? series.quantity);
  const ahead = payments
    .filter(paysEveryUnit)
    .filter(
      ({ seriesId, paidDate, dueDate }) =>
        seriesId === series.id && paidDate === null && calendar.following(dueDate) > day,
    );
  if (units.isZero() || !ahead.some(({ dueDate }) => dueDate >= series.maturityDate)) return undefined;
  const flows = ahead.flatMap(({ dueDate, totalValue, units: paid }) =>
    totalValue === null
      ? []
      : {
          businessDays: calendar.businessDaysBetween(day, calendar.following(dueDate)),
          value: perUnit(totalValue, paid ?? units),
        },
  );
  return flows.length < ahead.length ? undefined : flows.sort((one, other) => one.businessDays - other.businessDays);
}

/** Yield of a unit at a price. */
export interface UnitYield {
  /** Percent a year of 252 business days, 4 decimals. */
  readonly yield: Decimal;
  /** Macaulay duration in years of 252 business days, 4 decimals. */
  readonly duration: Decimal;
}

const daysOfYear = 252;
/** Newton's method needs far fewer for any yield that a paper has. */
const mostSteps = 100;

/**
 * Returns the yield to maturity y at which a price is worth the payments to come, price = Σ CF ÷ (1 + y)^(du ÷ 252), and the duration
 * Σ (du ÷ 252) × CF ÷ (1 + y)^(du ÷ 252) ÷ price (Macaulay; ANBIMA counts business days in the same way). Undefined for a price or payments of 0.
 * Solved for v = (1 + y)^(−1 ÷ 252), of which the present value is a polynomial that grows and is convex, from a v that is not too small: v^du is convex in
 * du, so that the payments are worth at least their sum × v^(mean du, weighted by value).
 */
export function yieldAt(price: Decimal, flows: readonly CashFlow[]): UnitYield | undefined {
  const total = sum(flows.map(({ value }) => value));
  if (!price.isPositive() || price.isZero() || total.isZero()) return undefined;
  const mean = sum(flows.map(({ businessDays, value }) => value.times(businessDays))).div(total);
  let factor = price.div(total).pow(new Decimal(1).div(mean));
  for (let step = 0; step < mostSteps; step++) {
    const { worth, weighted } = presentValue(flows, factor);
    const change = worth.minus(price).times(factor).div(weighted);
    factor = factor.minus(change);
    if (change.abs().lt('1e-25'))
      return {
        yield: round(factor.pow(-daysOfYear).minus(1).times(100), 4),
        duration: round(weighted.div(price).div(daysOfYear), 4),
      };
  }
  return undefined;
}

/** Returns Σ CF × v^du, and the same weighted by du. */
function presentValue(flows: readonly CashFlow[], factor: Decimal): { worth: Decimal; weighted: Decimal } {
  const powers = new Map<number, Decimal>();
  let [worth, weighted, power, day] = [new Decimal(0), new Decimal(0), new Decimal(1), 0];
  for (const { businessDays, value } of flows) {
    const days = businessDays - day;
    const known = powers.get(days) ?? factor.pow(days);
    powers.set(days, known);
    power = power.times(known);
    day = businessDays;
    const present = value.times(power);
    worth = worth.plus(present);
    weighted = weighted.plus(present.times(businessDays));
  }
  return { worth, weighted };
}
