import { Decimal } from '../../../shared/decimal.js';
import type { ErrorDetail } from '../../../shared/errors.js';
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
  if (tiers.length === 0 || tiers.length > maxTiers)
    return [{ path, message: `must have 1 to ${maxTiers} tiers; null for the default tiers` }];
  const unreadable = tiers.flatMap((tier, index) => tierIssues(`${path}[${index}]`, tier));
  return unreadable.length > 0 ? unreadable : orderIssues(path, tiers);
}

function tierIssues(path: string, { aboveBrl, percent }: AgreedTier): ErrorDetail[] {
  const isThreshold = isDecimal(aboveBrl, 2) && maxThreshold.greaterThan(aboveBrl);
  const isPercent = isDecimal(percent, 6) && new Decimal(percent).lessThanOrEqualTo(maxPercent);
  return [
    ...unless(isThreshold, `${path}.aboveBrl`, 'must be from 0 to less than 1000000000000000, with at most 2 decimals'),
    ...unless(isPercent, `${path}.percent`, `must be from 0 to ${maxPercent}, with at most 6 decimals`),
  ];
}

function orderIssues(path: string, tiers: readonly AgreedTier[]): ErrorDetail[] {
  return tiers.flatMap(({ aboveBrl, percent }, index) => {
    const before = tiers[index - 1];
    if (before === undefined)
      return unless(new Decimal(aboveBrl).isZero(), `${path}[0].aboveBrl`, 'must be 0 in the first tier');
    const grows = new Decimal(aboveBrl).greaterThan(before.aboveBrl);
    const falls = new Decimal(percent).lessThanOrEqualTo(before.percent);
    return [
      ...unless(grows, `${path}[${index}].aboveBrl`, 'must be greater than that of the previous tier'),
      ...unless(falls, `${path}[${index}].percent`, 'must not be greater than that of the previous tier'),
    ];
  });
}
