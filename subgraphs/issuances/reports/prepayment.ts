import { Decimal } from '../../../shared/kernel/decimal.js';

/** Principal flows of a portfolio in a month. */
export interface MonthFlow {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly opening: Decimal;
  /** Principal due by the contracts' own schedules. */
  readonly scheduled: Decimal;
  /** Principal paid ahead of schedule. */
  readonly prepaid: Decimal;
}

export type PrepaymentMonth = MonthFlow & {
  readonly smm: Decimal | undefined;
  readonly cpr: Decimal | undefined;
};

export interface Prepayment {
  /** For the requested month, or else for the last one available. */
  readonly smm: Decimal | undefined;
  readonly cpr: Decimal | undefined;
  /** Annualized speed over up to 12 months, compounded. */
  readonly cprTwelveMonths: Decimal | undefined;
  /** Oldest first. */
  readonly months: readonly PrepaymentMonth[];
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

/**
 * Computes prepayment speeds over the last 12 of the given months, ordered oldest first. All figures of the result are in
 * percent.
 * @param month the month whose speed is wanted, `YYYY-MM`: never that of another one. Null: the last one there is
 */
export function prepaymentSpeed(flows: readonly MonthFlow[], month: string | null): Prepayment {
  const measured = flows.slice(-12).map((flow) => ({ ...flow, fraction: singleMonthlyMortality(flow) }));
  const months = measured.map(({ fraction, ...flow }) => ({
    ...flow,
    smm: fraction?.times(100),
    cpr: fraction === undefined ? undefined : constantPrepaymentRate(fraction).times(100),
  }));
  const last = month === null ? months.at(-1) : months.find((one) => one.month === month);
  const fractions = measured.flatMap(({ fraction }) => fraction ?? []);
  return { smm: last?.smm, cpr: last?.cpr, cprTwelveMonths: compounded(fractions), months };
}

function compounded(fractions: readonly Decimal[]): Decimal | undefined {
  if (fractions.length === 0) return undefined;
  const survived = fractions.reduce((left, smm) => left.times(new Decimal(1).minus(smm)), new Decimal(1));
  const yearly = survived.isZero() ? survived : survived.pow(new Decimal(12).div(fractions.length));
  return new Decimal(1).minus(yearly).times(100);
}
