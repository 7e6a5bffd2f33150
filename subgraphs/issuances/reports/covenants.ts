import type { Decimal } from '../../../shared/kernel/decimal.js';

export const covenantMetrics = [
  'SUBORDINATION',
  'COVERAGE',
  'LTV',
  'LARGEST_DEBTOR',
  'LARGEST_5_DEBTORS',
  'LARGEST_10_DEBTORS',
  'LARGEST_20_DEBTORS',
  'OVERDUE_OVER_30',
  'OVERDUE_OVER_90',
  'PROVISION',
] as const;

export type CovenantMetric = (typeof covenantMetrics)[number];

/** On which side of its threshold a figure has to be. */
export const covenantComparisons = ['AT_LEAST', 'AT_MOST'] as const;
export type CovenantComparison = (typeof covenantComparisons)[number];

export interface Covenant {
  readonly name: string;
  readonly metric: CovenantMetric;
  readonly comparison: CovenantComparison;
  readonly threshold: Decimal;
}

/** Reasons to treat the result of a test with caution: the figure is missing, or relies on an outdated price. */
export const covenantCaveats = ['NOT_COMPUTABLE', 'STALE_PRICE'] as const;
export type CovenantCaveat = (typeof covenantCaveats)[number];

export type TestedCovenant = Covenant & {
  /** Undefined if the figure cannot be computed, such as an LTV without collateral. */
  readonly value: Decimal | undefined;
  readonly fulfilled: boolean | undefined;
  readonly caveat: CovenantCaveat | undefined;
};

const pricedMetrics: ReadonlySet<CovenantMetric> = new Set<CovenantMetric>(['SUBORDINATION', 'COVERAGE']);

/** A figure equal to the threshold fulfils the covenant. @param hasStalePrice whether a series that is outstanding has a price older than one that was due */
export function testCovenants(
  covenants: readonly Covenant[],
  figures: Readonly<Record<CovenantMetric, Decimal | undefined>>,
  hasStalePrice: boolean,
): TestedCovenant[] {
  return covenants.map((covenant) => {
    const value = figures[covenant.metric];
    if (value === undefined) return { ...covenant, value, fulfilled: undefined, caveat: 'NOT_COMPUTABLE' };
    const caveat = hasStalePrice && pricedMetrics.has(covenant.metric) ? 'STALE_PRICE' : undefined;
    return { ...covenant, value, fulfilled: holds(covenant, value), caveat };
  });
}

function holds({ comparison, threshold }: Covenant, value: Decimal): boolean {
  return comparison === 'AT_LEAST' ? value.greaterThanOrEqualTo(threshold) : value.lessThanOrEqualTo(threshold);
}
