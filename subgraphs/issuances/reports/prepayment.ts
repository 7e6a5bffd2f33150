import { addMonths } from '../../../shared/kernel/calendar/days.js';
import { Decimal } from '../../../shared/kernel/decimal.js';

export interface MonthFlow {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly opening: Decimal;
  /** Principal due by the contracts' own schedules. */
  readonly scheduled: Decimal;
  /** Principal paid ahead of schedule. */
  readonly prepaid: Decimal;
}

/**
 * Returns single monthly mortality, as a fraction from 0 to 1: prepaid principal divided by the principal that the schedule
 * would have left (Bond Market Association, Standard Formulas, SF-4). Undefined if the schedule would have left nothing.
 */
export function singleMonthlyMortality({ opening, scheduled, prepaid }: Omit<MonthFlow, 'month'>): Decimal | undefined {
  const left = opening.minus(scheduled);
  if (!left.isPositive() || left.isZero()) return undefined;
  return Decimal.min(prepaid.div(left), 1);
}

/** Returns the constant prepayment rate, a yearly fraction: CPR = 1 − (1 − SMM)^12. */
export function constantPrepaymentRate(smm: Decimal): Decimal {
  return new Decimal(1).minus(new Decimal(1).minus(smm).pow(12));
}

/** Computes the prepayment speed over the 12 months that end with `month`, in percent, from flows ordered oldest first. @param month null for the newest month; a month without a flow has no SMM */
export function prepaymentSpeed(flows: readonly MonthFlow[], month: string | null) {
  const from = addMonths(month ?? flows.at(-1)?.month ?? '0001-12', -11);
  const measured = flows
    .filter((flow) => flow.month >= from)
    .map((flow) => ({ ...flow, fraction: singleMonthlyMortality(flow) }));
  const months = measured.map(({ fraction, ...flow }) => ({
    ...flow,
    smm: fraction?.times(100),
    cpr: fraction === undefined ? undefined : constantPrepaymentRate(fraction).times(100),
  }));
  const last = month === null ? months.at(-1) : months.find((one) => one.month === month);
  const fractions = measured.flatMap(({ fraction }) => fraction ?? []);
  return {
    smm: last?.smm,
    cpr: last?.cpr,
    cprTwelveMonths: compounded(fractions),
    measuredMonths: fractions.length,
    months,
  };
}

/** Returns the yearly rate of 12 monthly ones; undefined for fewer. */
function compounded(fractions: readonly Decimal[]): Decimal | undefined {
  if (fractions.length < 12) return undefined;
  const survived = fractions.reduce((left, smm) => left.times(new Decimal(1).minus(smm)), new Decimal(1));
  return new Decimal(1).minus(survived).times(100);
}
