import type { Calendar } from '../../../shared/calendar/calendar.js';
import { Decimal, truncate } from '../../../shared/decimal.js';
import { amortizationPercentages } from './amortization-percentages.js';
import { percentageOf } from './compose.js';
import { addMonths, dayOfMonth } from './months.js';
import type { UnitPriceEvent, UnitPricePolicy } from './policy.js';
import type { SchedulePolicy } from './schedule-policy.js';

/** One instalment. Prices use `amortizationPercentage`; the other two percentages are for display. */
export interface Instalment extends UnitPriceEvent {
  /** From 1. */
  readonly installmentNumber: number;
  /** The anniversary, or the first business day after it. */
  readonly dueDate: string;
  /** Share of the accrued interest that it pays: 100 or 0 percent. */
  readonly interestPercentage: Decimal;
  /** Share of the principal that it pays, in percent with 8 decimals; the sum over all instalments is 100. */
  readonly principalPercentage: Decimal;
}

/**
 * Returns every instalment of a series, in order.
 * @param amortizationOf the base of the amortization percentages: the balance, or the issue value
 * @throws {RangeError} for an invalid policy, or a day that the calendar does not cover
 */
export function schedule(
  policy: SchedulePolicy,
  calendar: Calendar,
  amortizationOf: UnitPricePolicy['amortizationOf'] = 'BALANCE',
): Instalment[] {
  requireSchedule(policy);
  const percentages = amortizationPercentages(policy, amortizationOf);
  let remaining = new Decimal(100);
  return percentages.map((amortizationPercentage, index) => {
    const anniversary = dayOfMonth(addMonths(policy.firstMonth, index * policy.everyMonths), policy.anniversaryDay);
    const dueDate = calendar.following(anniversary);
    const paysInterest = index >= policy.interestGrace;
    const principalPercentage =
      amortizationOf === 'ISSUE_VALUE'
        ? amortizationPercentage
        : truncate(percentageOf(remaining, amortizationPercentage), 8);
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

/** Thrown for a number of a policy that is out of its bounds. */
export class PolicyOutOfBounds extends RangeError {
  constructor(
    readonly field: string,
    readonly min: number,
    readonly max: number,
  ) {
    super(`${field} must be a whole number from ${min} to ${max}`);
  }
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
    if (!Number.isInteger(value) || value < min || value > max) throw new PolicyOutOfBounds(name, min, max);
  }
}
