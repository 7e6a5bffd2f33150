import { addDays } from '../../../shared/kernel/calendar/days.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, sum, truncate } from '../../../shared/kernel/decimal.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import type { PaymentRow } from '../operations/operation-list.store.js';
import { amountsOf, openOf, partialRedemption, paymentStatus } from '../payments/payment.js';
import type { SeriesRow } from '../series/series.store.js';
import { paidByDay, type PaidOnDay } from '../../securities/period-return.js';
import type { Flow } from '../../securities/yield.js';

export interface Period {
  readonly from: string;
  readonly to: string;
}

type UnitPayment = Pick<
  PaymentRow,
  'seriesId' | 'event' | 'dueDate' | 'paidDate' | 'principalValue' | 'totalValue' | 'units' | 'pricedUntil'
>;

/** A partial redemption pays the units that cease, at their price: nothing to those that are left. */
const paysEveryUnit = ({ event }: UnitPayment) => !partialRedemption.test(event);

const perUnit = (total: string, units: Decimal | string) => new Decimal(total).div(units);

/** Whether the unit price of a day is without a payment: of the engine, after its calculation day; of others, from the business day on which it fell due. */
function isWithout(day: string, { dueDate, pricedUntil }: UnitPayment, calendar: Calendar): boolean {
  return pricedUntil === null ? dueDate <= day && calendar.following(dueDate) <= day : pricedUntil < day;
}

/**
 * Returns the payments on a unit of a series in a period: a subscribed unit, or an issued one if subscribed units are not counted. A payment counts if the first price is with it
 * and the last one without. Undefined if the total of a payment or the number of units is not known, or if a payment that fell due in the period is open.
 */
export function paymentsPerUnit(
  payments: readonly UnitPayment[],
  series: Pick<SeriesRow, 'id' | 'subscribedQuotas' | 'quantity'>,
  { from, to }: Period,
  calendar: Calendar,
): readonly PaidOnDay[] | undefined {
  const due = payments
    .filter(paysEveryUnit)
    .filter(
      (payment) =>
        (payment.seriesId === series.id || payment.seriesId === null) &&
        isWithout(to, payment, calendar) &&
        !isWithout(from, payment, calendar),
    );
  // One that is open, or of the whole operation, was paid on a unit to an extent that is not known.
  const own = due.filter(({ seriesId, paidDate }) => seriesId !== null && paidDate !== null);
  if (own.length < due.length) return undefined;
  const units = new Decimal(series.subscribedQuotas ?? series.quantity);
  if (units.isZero() && own.length > 0) return undefined;
  const paid = own.flatMap(({ totalValue, principalValue, units: their, pricedUntil, dueDate }) => {
    if (totalValue === null) return [];
    const value = perUnit(totalValue, their ?? units);
    if (pricedUntil === null) return { date: calendar.following(dueDate), value, lowers: null };
    // A premium is no part of the engine's price.
    return { date: addDays(pricedUntil, 1), value, lowers: principalValue === null ? new Decimal(0) : value };
  });
  return paid.length < own.length ? undefined : paidByDay(paid);
}

/** Returns the amount due and unpaid on a unit of a series, in reais with 8 decimals, truncated; undefined if an amount is not known. */
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
    return value === null || new Decimal(units).isZero() ? [] : { value, units };
  });
  if (open.length < late.length) return undefined;
  // Amounts over the same units are divided together: a sum of rounded quotients may end below what is exact.
  const owed = [...groupBy(open, ({ units }) => units)];
  return truncate(sum(owed.map(([units, own]) => sum(own.map(({ value }) => value)).div(units))), 8);
}

/**
 * Returns the payments still due on a unit of a series after a day. Undefined unless the payments are known up to its maturity, each with its
 * total or an amount that the engine expects.
 */
export function cashFlowsAfter(
  day: string,
  payments: readonly PaymentRow[],
  series: Pick<SeriesRow, 'id' | 'subscribedQuotas' | 'quantity' | 'maturityDate'>,
  calendar: Calendar,
): Flow[] | undefined {
  const units = new Decimal(series.subscribedQuotas ?? series.quantity);
  const ahead = payments
    .filter(paysEveryUnit)
    .filter(
      (payment) => payment.seriesId === series.id && payment.paidDate === null && !isWithout(day, payment, calendar),
    );
  if (units.isZero() || !ahead.some(({ dueDate }) => dueDate >= series.maturityDate)) return undefined;
  const flows = ahead.flatMap((payment) => {
    const { totalValue } = amountsOf(payment);
    if (totalValue === null) return [];
    const days = calendar.businessDaysBetween(day, calendar.following(payment.dueDate));
    return { dayCount: 'BUS252' as const, days, amount: perUnit(totalValue, payment.units ?? units) };
  });
  // A price has no yield if its only remaining payment is due at once.
  return flows.length < ahead.length || flows.every(({ days }) => days === 0) ? undefined : flows;
}
