import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, truncate, round, sum } from '../../../shared/kernel/decimal.js';
import { percentageOf } from './compose.js';
import { addMonths, dayOfMonth } from '../../../shared/kernel/calendar/days.js';
import type { UnitPriceEvent, UnitPricePolicy } from './policy.js';
import type { SchedulePolicy, AmortizationSystem } from './schedule-policy.js';
import { power } from './power.js';

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

/** @param amortizationOf the base of the percentages: the balance, or the issue value @throws {RangeError} for an invalid policy, or a day that the calendar does not cover */
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

/** Rounds as the policy says: of the balance, where the last one is 100, or of the issue value, where they add up to 100. @throws {RangeError} for a table that does not fit */
function amortizationPercentages(policy: SchedulePolicy, of: UnitPricePolicy['amortizationOf']): Decimal[] {
  const { percentageDecimals, amortization } = policy;
  if (amortization.kind === 'TABLE') return requireTable(amortization.percentages, policy, of);
  const shares = balanceShares(amortization, policy);
  return (of === 'BALANCE' ? shares : sharesOfWhole(shares, percentageDecimals)).map((share) =>
    round(share, percentageDecimals),
  );
}

function balanceShares(
  system: Exclude<AmortizationSystem, { kind: 'TABLE' }>,
  { instalments, principalGrace, everyMonths }: SchedulePolicy,
): Decimal[] {
  return Array.from({ length: instalments }, (_, index) => {
    const left = instalments - index;
    if (index < principalGrace) return new Decimal(0);
    return left === 1 ? new Decimal(100) : balanceShare(system, left, everyMonths);
  });
}

/** Turns shares of the balance into shares of the whole; the last one takes what rounding the others leaves. */
function sharesOfWhole(shares: readonly Decimal[], decimals: number): Decimal[] {
  let [balance, unassigned] = [new Decimal(100), new Decimal(100)];
  return shares.map((share, index) => {
    const amortized = balance.times(share).div(100);
    balance = balance.minus(amortized);
    const taken = index === shares.length - 1 ? unassigned : Decimal.min(unassigned, round(amortized, decimals));
    unassigned = unassigned.minus(taken);
    return taken;
  });
}

/** Returns the percentage of the balance that the first of `left` equal periods amortizes. */
function balanceShare(
  system: Exclude<AmortizationSystem, { kind: 'TABLE' }>,
  left: number,
  everyMonths: number,
): Decimal {
  if (system.kind === 'BULLET') return new Decimal(0);
  const equalShare = new Decimal(100).div(left);
  if (system.kind === 'SAC' || system.rate.isZero()) return equalShare;
  // Share k of a constant payment: i / ((1 + i)^n - 1), with the period's rate i and n periods left.
  const period = power(system.rate.div(100).plus(1), new Decimal(everyMonths).div(12));
  return period
    .minus(1)
    .times(100)
    .div(power(period, new Decimal(left)).minus(1));
}

function requireTable(
  percentages: readonly Decimal[],
  { instalments, principalGrace, percentageDecimals }: SchedulePolicy,
  of: UnitPricePolicy['amortizationOf'],
): Decimal[] {
  const whole = of === 'BALANCE' ? percentages.at(-1) : sum(percentages);
  const fits =
    percentages.length === instalments &&
    percentages.every((share) => share.gte(0) && share.lte(100) && share.dp() <= percentageDecimals) &&
    percentages.slice(0, principalGrace).every((share) => share.isZero()) &&
    whole?.eq(100) === true;
  if (!fits)
    throw new RangeError(
      `The table must contain ${instalments} percentages with at most ${percentageDecimals} decimals, 0 in the grace period, and ${
        of === 'BALANCE' ? '100 at the end' : '100 as their sum, since they are of the issue value'
      }`,
    );
  return [...percentages];
}
