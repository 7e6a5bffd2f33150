import { Decimal, round } from '../../../shared/decimal.js';
import { power } from './power.js';
import type { AmortizationSystem, SchedulePolicy } from './schedule-policy.js';

/**
 * Returns the percentage of the balance that each instalment amortizes, rounded as the policy says; the last one is 100.
 * @throws {RangeError} for a table that does not fit the policy
 */
export function amortizationPercentages(policy: SchedulePolicy): Decimal[] {
  const { instalments, principalGrace, percentageDecimals, amortization } = policy;
  if (amortization.kind === 'TABLE') return requireTable(amortization.percentages, policy);
  return Array.from({ length: instalments }, (_, index) => {
    const left = instalments - index;
    if (index < principalGrace) return new Decimal(0);
    return left === 1
      ? new Decimal(100)
      : round(balanceShare(amortization, left, policy.everyMonths), percentageDecimals);
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
): Decimal[] {
  const fits =
    percentages.length === instalments &&
    percentages.every((share) => share.gte(0) && share.lte(100) && share.dp() <= percentageDecimals) &&
    percentages.slice(0, principalGrace).every((share) => share.isZero()) &&
    percentages.at(-1)?.eq(100) === true;
  if (!fits)
    throw new RangeError(
      `The table must contain ${instalments} percentages with at most ${percentageDecimals} decimals, 0 in the grace period, and 100 at the end`,
    );
  return [...percentages];
}
