import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, sum, truncate } from '../../../shared/kernel/decimal.js';
import type { PolicyColumns, EventColumns } from '../price-runs/policy-of.js';
import { percentageOf } from '../unit-price/compose.js';
import { countedDays, daysBetween } from '../unit-price/day-count.js';
import { power } from '../unit-price/power.js';
import { spreadFactor, type UnitPriceRow } from '../unit-price/unit-price.js';
import type { TrancheEventRow } from './event.store.js';

/** Amounts that an instalment, or an event, pays for all units of a series, in reais with 2 decimals. */
export interface InstalmentValue {
  readonly interestValue: string;
  readonly principalValue: string;
  /** Of an event, by its rule. */
  readonly premiumValue: string;
}

export interface EntryValue extends InstalmentValue {
  readonly installmentNumber: number;
}

/** What is due on a day. */
export interface DayOfSchedule {
  /** The instalment of the day and the events, in this order. */
  readonly rows: readonly EventColumns[];
  readonly series: PolicyColumns & { readonly tokenQuantity: string };
  /** The standing events of the series. */
  readonly events: readonly TrancheEventRow[];
}

/**
 * Computes what each row of a day pays, from the price of that day. What a unit pays is truncated at 8 decimals, multiplied by the units, and truncated at 2;
 * it is not below zero, whatever the rate was. The interest is that of the instalment, or else of the first event; amortization is shared by percentages.
 * Source: B3, *Caderno de Fórmulas* of Cetip21: unit values have 8 decimals without rounding, and the financial value is the unit value times the quantity.
 * @throws {RangeError} for a sum that no column can hold
 */
export function entryValues(price: UnitPriceRow, day: DayOfSchedule, calendar: Calendar): EntryValue[] {
  const { rows, series, events } = day;
  if (rows.length === 0) return [];
  const units = unitsOn(series.tokenQuantity, events, price.date);
  const total = sum(rows.map(({ amortizationPercentage }) => amortizationPercentage));
  const interest = price.payment.minus(price.amortization);
  const payer = rows.find(({ interestEvent }) => interestEvent === 'PAID');
  return rows.map((row): EntryValue => {
    const { installmentNumber } = row;
    const event = events.find(({ number }) => number === -installmentNumber);
    const own: UnitValue = {
      interest: row === payer ? interest : new Decimal(0),
      principal: total.isZero() ? total : price.amortization.times(row.amortizationPercentage).div(total),
    };
    const redeemed = event?.quantity ?? null;
    const unit = redeemed === null ? own : afterPayment(price, rows);
    const paid = redeemed ?? units;
    return {
      installmentNumber,
      interestValue: ofAll(unit.interest, paid, price.date),
      principalValue: ofAll(unit.principal, paid, price.date),
      premiumValue:
        event === undefined ? '0.00' : ofAll(premiumOf(event, { ...day, price, unit }, calendar), paid, price.date),
    };
  });
}

/** Amounts of a unit. */
interface UnitValue {
  readonly interest: Decimal;
  readonly principal: Decimal;
}

/** Returns the units of a series before the payments of a day: those that are redeemed cease once they are paid, in its quantity, and by the day of their redemption here. */
export function unitsOn(tokenQuantity: string, events: readonly TrancheEventRow[], date: string): string {
  const gone = events.map(({ quantity, isPaid, day }) => {
    if (quantity === null) return new Decimal(0);
    return new Decimal(quantity).times((day < date ? 1 : 0) - (isPaid ? 1 : 0));
  });
  return new Decimal(tokenQuantity).minus(sum(gone)).toFixed();
}

/** What a unit is worth once the instalment and the amortizations of its day are paid. */
function afterPayment(
  { vna, interestJ, amortization, payment }: UnitPriceRow,
  rows: readonly EventColumns[],
): UnitValue {
  const isIncorporated = rows.some(({ interestEvent }) => interestEvent === 'INCORPORATED');
  return {
    interest: isIncorporated ? new Decimal(0) : interestJ.minus(payment.minus(amortization)),
    principal: vna.minus(amortization).plus(isIncorporated ? interestJ : 0),
  };
}

function ofAll(unit: Decimal, units: string, date: string): string {
  const value = truncate(truncate(Decimal.max(unit, 0), 8).times(units), 2);
  if (value.gte('1e17')) throw new RangeError(`The payment of the instalment of ${date} is too large to be stored`);
  return value.toFixed(2);
}

/** An event on its day: what it pays of a unit without a premium, and of which balance. */
interface PaidUnit extends DayOfSchedule {
  readonly price: UnitPriceRow;
  readonly unit: UnitValue;
}

/**
 * Returns the premium of an event for a unit, in reais. Its base is what is amortized, and of a redemption the interest too.
 * FLAT: base × percent ÷ 100. YEARLY: base × percent ÷ 100 × du ÷ 252, du business days from the event to the last instalment.
 * MAKE_WHOLE: what Σ PMT ÷ (1 + percent ÷ 100)^(du ÷ 252) over the later instalments is more than the price; of an amortization its share.
 * Sources: clauses on early redemption (resgate antecipado facultativo) of deeds of debentures and CRI; MAKE_WHOLE has PMT at the updated value of the day.
 */
function premiumOf(event: TrancheEventRow, paid: PaidUnit, calendar: Calendar): Decimal {
  const { kind, day, premiumRule, premiumPercent, remaining } = event;
  const { principal, interest } = paid.unit;
  if (premiumRule === null || premiumPercent === null) return new Decimal(0);
  const isPart = kind === 'EXTRA_AMORTIZATION';
  const base = isPart ? principal : principal.plus(interest);
  const rate = new Decimal(premiumPercent).div(100);
  if (premiumRule === 'FLAT') return base.times(rate);
  const years = (due: string) => new Decimal(calendar.businessDaysBetween(day, due)).div(252);
  if (premiumRule === 'YEARLY') return base.times(rate).times(years(remaining.at(-1)?.dueDate ?? day));
  const balance = isPart ? paid.price.vna.minus(paid.price.amortization).plus(principal) : principal;
  const payments = laterPayments(event, { ...paid, balance }, calendar);
  const worth = sum(payments.map(({ due, value }) => value.div(power(rate.plus(1), years(due)))));
  const more = Decimal.max(worth.minus(balance).minus(interest), 0);
  return isPart ? more.times(principal).div(balance) : more;
}

/** Returns what the later instalments would pay for a balance, without an event, in money of the day. */
function laterPayments(
  { number, remaining }: TrancheEventRow,
  { price, rows, series, balance: whole }: PaidUnit & { readonly balance: Decimal },
  calendar: Calendar,
): { readonly due: string; readonly value: Decimal }[] {
  // An instalment of the day has paid, or incorporated, the interest until then.
  const restarts = rows.some((row) => row.installmentNumber !== -number && row.interestEvent !== 'ACCRUED');
  let [start, balance] = [restarts ? price.date : price.accrualStart, whole];
  const issued = new Decimal(series.issueValue).times(price.indexFactor);
  return remaining.map(({ calculationDate, dueDate: due, interestEvent, amortizationPercentage }) => {
    if (interestEvent === 'ACCRUED') return { due, value: new Decimal(0) };
    const days = countedDays(series.dayCount, daysBetween(start, calculationDate, calendar));
    const interest = balance.times(spreadFactor(new Decimal(series.rate), series.dayCount, days).minus(1));
    const amortized = percentageOf(
      series.amortizationOf === 'BALANCE' ? balance : issued,
      new Decimal(amortizationPercentage),
    );
    const isPaid = interestEvent === 'PAID';
    balance = balance.minus(amortized).plus(isPaid ? 0 : interest);
    start = calculationDate;
    return { due, value: amortized.plus(isPaid ? interest : 0) };
  });
}
