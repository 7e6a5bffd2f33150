import type { Calendar } from '../../../shared/calendar/calendar.js';
import { Decimal, truncate } from '../../../shared/decimal.js';
import { amortizationPercentages, type AmortizationSystem } from './amortization-percentages.js';
import { percentageOf } from './compose.js';
import { addMonths, dayOfMonth } from './months.js';
import type { UnitPriceEvent } from './policy.js';

/** When a series pays, and what. */
export interface SchedulePolicy {
  /** Month of the first instalment, `YYYY-MM`. */
  readonly firstMonth: string;
  /** Day of the month, 1 to 31; the last one in a month without such a day. */
  readonly anniversaryDay: number;
  /** Months from one instalment to the next, 1 to 120. */
  readonly everyMonths: number;
  /** How many there are, 1 to 600. */
  readonly instalments: number;
  /** Whether interest runs up to the anniversary although it is paid later, or up to the day on which it is paid. */
  readonly accrueUntil: 'ANNIVERSARY' | 'DUE_DATE';
  readonly amortization: AmortizationSystem;
  /** How many instalments at the beginning amortize nothing ("carência"); fewer than all. */
  readonly principalGrace: number;
  /** How many at the beginning pay no interest either; at most `principalGrace`. */
  readonly interestGrace: number;
  /** What becomes of that interest. */
  readonly graceInterest: 'INCORPORATED' | 'ACCRUED';
  /** Decimals of the amortization percentages, 0 to 8; deeds have 4. */
  readonly percentageDecimals: number;
}

/** One instalment. Its `amortizationPercentage` is that of the balance, which prices; the other two are what is shown. */
export interface Instalment extends UnitPriceEvent {
  /** From 1. */
  readonly installmentNumber: number;
  /** The anniversary, or the first business day after it. */
  readonly dueDate: string;
  /** How much of the accrued interest it pays: 100 or 0 percent. */
  readonly interestPercentage: Decimal;
  /** How much of the principal it pays, in percent with 8 decimals; together they are 100. */
  readonly principalPercentage: Decimal;
}

/**
 * Every instalment of a series, in order.
 * @throws {RangeError} for a policy without meaning, or a day that the calendar does not cover
 */
export function schedule(policy: SchedulePolicy, calendar: Calendar): Instalment[] {
  requireSchedule(policy);
  const percentages = amortizationPercentages(policy);
  let remaining = new Decimal(100);
  return percentages.map((amortizationPercentage, index) => {
    const anniversary = dayOfMonth(addMonths(policy.firstMonth, index * policy.everyMonths), policy.anniversaryDay);
    const dueDate = calendar.following(anniversary);
    const paysInterest = index >= policy.interestGrace;
    const principalPercentage = truncate(percentageOf(remaining, amortizationPercentage), 8);
    remaining = remaining.minus(principalPercentage);
    return {
      installmentNumber: index + 1,
      calculationDate: policy.accrueUntil === 'DUE_DATE' ? dueDate : anniversary,
      dueDate,
      interest: paysInterest ? 'PAID' : policy.graceInterest,
      interestPercentage: new Decimal(paysInterest ? 100 : 0),
      amortizationPercentage,
      principalPercentage,
    };
  });
}

function requireSchedule(policy: SchedulePolicy): void {
  const bounds = [
    ['anniversaryDay', 1, 31],
    ['everyMonths', 1, 120],
    ['instalments', 1, 600],
    ['percentageDecimals', 0, 8],
    ['principalGrace', 0, policy.instalments - 1],
    ['interestGrace', 0, policy.principalGrace],
  ] as const;
  for (const [name, min, max] of bounds) {
    const value = policy[name];
    if (!Number.isInteger(value) || value < min || value > max)
      throw new RangeError(`${name} must be a whole number from ${min} to ${max}`);
  }
}
