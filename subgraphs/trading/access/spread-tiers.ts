import { Decimal } from '../../../shared/decimal.js';
import type { ErrorDetail } from '../../../shared/errors.js';
import { errorAt } from '../../../shared/rule-error.js';
import { unless } from '../../../shared/unless.js';
import { isDecimal } from './decimal-text.js';

/** A tier agreed with a company: the spread on the part of a quote's value above a threshold, up to that of the next tier. */
export interface AgreedTier {
  /** In BRL, decimal text. */
  readonly aboveBrl: string;
  /** Percent of that part, decimal text. */
  readonly percent: string;
}

const maxTiers = 20;
const maxThreshold = new Decimal('1e15');
const maxPercent = 10;

/**
 * Returns all errors of tiers: there is at least one, the first begins at 0, thresholds increase, and the percent does not, so that
 * a larger volume never has a higher rate.
 */
export function spreadTierIssues(path: string, tiers: readonly AgreedTier[]): ErrorDetail[] {
  if (tiers.length === 0 || tiers.length > maxTiers) return [errorAt(path, 'LIST_OR_NULL', { min: 1, max: maxTiers })];
  const unreadable = tiers.flatMap((tier, index) => tierIssues(`${path}[${index}]`, tier));
  return unreadable.length > 0 ? unreadable : orderIssues(path, tiers);
}

function tierIssues(path: string, { aboveBrl, percent }: AgreedTier): ErrorDetail[] {
  const isThreshold = isDecimal(aboveBrl, 2) && maxThreshold.greaterThan(aboveBrl);
  const isPercent = isDecimal(percent, 6) && new Decimal(percent).lessThanOrEqualTo(maxPercent);
  return [
    ...unless(
      isThreshold,
      errorAt(`${path}.aboveBrl`, 'NUMBER_BELOW_DECIMALS', { min: 0, limit: maxThreshold.toFixed(), decimals: 2 }),
    ),
    ...unless(isPercent, errorAt(`${path}.percent`, 'NUMBER_DECIMALS', { min: 0, max: maxPercent, decimals: 6 })),
  ];
}

function orderIssues(path: string, tiers: readonly AgreedTier[]): ErrorDetail[] {
  return tiers.flatMap(({ aboveBrl, percent }, index) => {
    const before = tiers[index - 1];
    if (before === undefined)
      return unless(new Decimal(aboveBrl).isZero(), errorAt(`${path}[0].aboveBrl`, 'FIRST_TIER'));
    const grows = new Decimal(aboveBrl).greaterThan(before.aboveBrl);
    const falls = new Decimal(percent).lessThanOrEqualTo(before.percent);
    return [
      ...unless(grows, errorAt(`${path}[${index}].aboveBrl`, 'TIER_GROWS')),
      ...unless(falls, errorAt(`${path}[${index}].percent`, 'TIER_FALLS')),
    ];
  });
}
