import type { Decimal } from '../../../shared/decimal.js';

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

/** What the deed promises about a figure of the report, in percent. */
export interface Covenant {
  readonly name: string;
  readonly metric: CovenantMetric;
  readonly comparison: CovenantComparison;
  readonly threshold: Decimal;
}

export type TestedCovenant = Covenant & {
  /** Undefined when the figure cannot be computed, as an LTV without collateral. */
  readonly value: Decimal | undefined;
  readonly fulfilled: boolean | undefined;
};

/** Tests covenants against the figures of a report. The bound itself fulfils. */
export function testCovenants(
  covenants: readonly Covenant[],
  figures: Readonly<Record<CovenantMetric, Decimal | undefined>>,
): TestedCovenant[] {
  return covenants.map((covenant) => {
    const value = figures[covenant.metric];
    return { ...covenant, value, fulfilled: value === undefined ? undefined : holds(covenant, value) };
  });
}

function holds({ comparison, threshold }: Covenant, value: Decimal): boolean {
  return comparison === 'AT_LEAST' ? value.greaterThanOrEqualTo(threshold) : value.lessThanOrEqualTo(threshold);
}
