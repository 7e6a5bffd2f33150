import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { addDays } from '../../../shared/kernel/calendar/days.js';
import { Decimal, sum, truncate } from '../../../shared/kernel/decimal.js';
import type { PolicyColumns, EventColumns } from '../price-runs/policy-of.js';
import { percentageOf } from '../unit-price/compose.js';
import { countedDays, daysBetween } from '../../securities/day-count.js';
import type { PaidOnUnit } from '../../securities/period-return.js';
import { power } from '../unit-price/power.js';
import { spreadFactor, type UnitPriceRow } from '../unit-price/unit-price.js';
import type { ScheduleEntryRow } from '../schedule/schedule.store.js';
import type { TrancheEventRow } from './event.store.js';

/** Payment of an instalment or an event for all units of a series, in reais with 2 decimals. */
export interface EntryValue {
  readonly installmentNumber: number;
  readonly interestValue: string;
  readonly principalValue: string;
  /** Premium of an event, by its rule. */
  readonly premiumValue: string;
  readonly totalValue: string;
}

export interface DayOfSchedule {
  /** The instalment of the day and the events, in this order. */
  readonly rows: readonly EventColumns[];
  readonly series: PolicyColumns & { readonly tokenQuantity: string };
  readonly events: readonly TrancheEventRow[];
}

/**
 * Computes the payment of each row of a day, from the price of that day. The payment of a unit is truncated at 8 decimals, multiplied by the units, and
 * truncated at 2; it is never below zero. The interest is the instalment's, or else the first event's; amortization is shared by percentages. Source: B3,
 * *Caderno de Fórmulas* of Cetip21: unit values have 8 decimals without rounding, and the financial value is the unit value times the quantity.
 * @throws {RangeError} for a sum that no column can hold
 */
export function entryValues(price: UnitPriceRow, day: DayOfSchedule, calendar: Calendar): EntryValue[] {
  const { rows, series, events } = day;
  return rows.map((row, index): EntryValue => {
    const { installmentNumber: number } = row;
    const event = events.find((one) => one.number === -number);
    const left = unitAfter(price, rows, rows.slice(0, index));
    const quantity = event?.quantity ?? null;
    const unit = quantity === null ? paidBy(row, price, rows, left) : left;
    const units = quantity ?? unitsOn(series.tokenQuantity, events, price.date, -number);
    const premium =
      event && premiumOf(event, { ...day, price, unit, left, restarts: isSettled(rows.slice(0, index)) }, calendar);
    const interestValue = ofAll(unit.interest, units, price.date);
    const principalValue = ofAll(unit.principal, units, price.date);
    const premiumValue = ofAll(premium ?? new Decimal(0), units, price.date);
    const totalValue = sum([interestValue, principalValue, premiumValue]).toFixed(2);
    return { installmentNumber: number, interestValue, principalValue, premiumValue, totalValue };
  });
}

interface UnitValue {
  readonly interest: Decimal;
  readonly principal: Decimal;
}

/** Returns the units before the payments of a day, or an event of it; units that are redeemed are gone from their redemption on. @param number of the event; earlier ones of the day are past */
export function unitsOn(tokenQuantity: string, events: readonly TrancheEventRow[], date: string, number = 0): string {
  const gone = events.map((event) => {
    if (event.quantity === null) return new Decimal(0);
    const isPast = event.day < date || (event.day === date && event.number < number);
    return new Decimal(event.quantity).times((isPast ? 1 : 0) - (event.isPaid ? 1 : 0));
  });
  return new Decimal(tokenQuantity).minus(sum(gone)).toFixed();
}

/** Returns the part of an instalment's charges that holders waived, in percent. */
export function waivedShares({ installmentNumber }: ScheduleEntryRow, events: readonly TrancheEventRow[]): string[] {
  return events.flatMap((event) =>
    event.kind === 'WAIVER' && event.installmentNumber === installmentNumber ? (event.percent ?? '100') : [],
  );
}

/** Returns the payments of rows of a schedule on a unit that is left after them, in reais, each from the day after its calculation; null while one of them is open. */
export function paidOnUnit(
  tokenQuantity: string,
  rows: readonly ScheduleEntryRow[],
  events: readonly TrancheEventRow[],
): readonly PaidOnUnit[] | null {
  // A partial redemption pays the units that cease.
  const own = rows.filter(
    ({ installmentNumber, interestEvent, amortizationPercentage }) =>
      (interestEvent === 'PAID' || !new Decimal(amortizationPercentage).isZero()) &&
      events.every((one) => one.number !== -installmentNumber || one.quantity === null),
  );
  const amounts = own.flatMap(({ status, totalValue, premiumValue, calculationDate, installmentNumber }) => {
    const units = new Decimal(unitsOn(tokenQuantity, events, calculationDate, Math.max(-installmentNumber, 0)));
    if (status !== 'PAID' || totalValue === null || units.isZero()) return [];
    const value = new Decimal(totalValue).div(units);
    // A premium is no part of the price.
    return { date: addDays(calculationDate, 1), value, lowers: value.minus(new Decimal(premiumValue).div(units)) };
  });
  return amounts.length < own.length ? null : amounts;
}

const shareOf = (rows: readonly EventColumns[]) =>
  sum(rows.map(({ amortizationPercentage }) => amortizationPercentage));
const isSettled = (rows: readonly EventColumns[]) => rows.some(({ interestEvent }) => interestEvent !== 'ACCRUED');

function amortizedBy(price: UnitPriceRow, all: readonly EventColumns[], some: readonly EventColumns[]): Decimal {
  const total = shareOf(all);
  return total.isZero() ? total : price.amortization.times(shareOf(some)).div(total);
}

function unitAfter(price: UnitPriceRow, all: readonly EventColumns[], past: readonly EventColumns[]): UnitValue {
  const isIncorporated = past.some(({ interestEvent }) => interestEvent === 'INCORPORATED');
  const principal = price.vna.minus(amortizedBy(price, all, past));
  return {
    interest: isSettled(past) ? new Decimal(0) : price.interestJ,
    principal: isIncorporated ? principal.plus(price.interestJ) : principal,
  };
}

/** Returns the payment of a row on a unit; the first row that pays interest pays all of it. */
function paidBy(row: EventColumns, price: UnitPriceRow, rows: readonly EventColumns[], left: UnitValue): UnitValue {
  return {
    interest: row.interestEvent === 'PAID' ? left.interest : new Decimal(0),
    principal: amortizedBy(price, rows, [row]),
  };
}

function ofAll(unit: Decimal, units: string, date: string): string {
  const value = truncate(truncate(Decimal.max(unit, 0), 8).times(units), 2);
  if (value.gte('1e17')) throw new RangeError(`The payment of the instalment of ${date} is too large to be stored`);
  return value.toFixed(2);
}

interface PaidUnit extends DayOfSchedule {
  readonly price: UnitPriceRow;
  /** Payment on a unit, without a premium. */
  readonly unit: UnitValue;
  /** Value of a unit before the payment. */
  readonly left: UnitValue;
  /** Whether the interest until then was paid or incorporated before it. */
  readonly restarts: boolean;
}

/**
 * Returns the premium of an event for a unit, in reais. Its base is what is amortized, and of a redemption the interest too.
 * FLAT: base × percent ÷ 100. YEARLY: base × percent ÷ 100 × du ÷ 252, du business days from the event to the last instalment.
 * MAKE_WHOLE: what Σ PMT ÷ (1 + percent ÷ 100)^(du ÷ 252) over the later instalments is more than the price; of an amortization its share.
 * Sources: clauses on early redemption (resgate antecipado facultativo) of deeds of debentures and CRI; MAKE_WHOLE has PMT at the updated value of the day.
 */
function premiumOf(event: TrancheEventRow, paid: PaidUnit, calendar: Calendar): Decimal {
  const { kind, day, premiumRule, premiumPercent, remaining } = event;
  const { unit, left } = paid;
  if (premiumRule === null || premiumPercent === null) return new Decimal(0);
  const isPart = kind === 'EXTRA_AMORTIZATION';
  const base = isPart ? unit.principal : unit.principal.plus(unit.interest);
  const rate = new Decimal(premiumPercent).div(100);
  if (premiumRule === 'FLAT') return base.times(rate);
  const years = (due: string) => new Decimal(calendar.businessDaysBetween(day, due)).div(252);
  if (premiumRule === 'YEARLY') return base.times(rate).times(years(remaining.at(-1)?.dueDate ?? day));
  const payments = laterPayments(event, paid, calendar);
  const worth = sum(payments.map(({ due, value }) => value.div(power(rate.plus(1), years(due)))));
  const more = Decimal.max(worth.minus(left.principal).minus(left.interest), 0);
  return isPart && !left.principal.isZero() ? more.times(unit.principal).div(left.principal) : more;
}

/** Returns the payments of the later instalments on a unit, without the event, in money of its day. */
function laterPayments(
  { remaining }: TrancheEventRow,
  { price, series, left, restarts }: PaidUnit,
  calendar: Calendar,
): { readonly due: string; readonly value: Decimal }[] {
  let [start, balance] = [restarts ? price.date : price.accrualStart, left.principal];
  return remaining.map(({ calculationDate, dueDate: due, interestEvent, amortizationPercentage }) => {
    if (interestEvent === 'ACCRUED') return { due, value: new Decimal(0) };
    const days = countedDays(series.dayCount, daysBetween(start, calculationDate, calendar));
    const interest = balance.times(spreadFactor(new Decimal(series.rate), series.dayCount, days).minus(1));
    const amortized = percentageOf(balance, new Decimal(amortizationPercentage));
    const isPaid = interestEvent === 'PAID';
    balance = balance.minus(amortized).plus(isPaid ? 0 : interest);
    start = calculationDate;
    return { due, value: amortized.plus(isPaid ? interest : 0) };
  });
}
