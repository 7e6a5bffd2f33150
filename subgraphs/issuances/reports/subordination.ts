import { Decimal, sum } from '../../../shared/decimal.js';
import { percentOf, shares } from './shares.js';

/** The order in which series are paid: who is senior is paid first; a series that stands alone is unique. */
export const riskClasses = ['SENIOR', 'MEZZANINE', 'JUNIOR', 'UNIQUE'] as const;
export type RiskClass = (typeof riskClasses)[number];

/** A series with what its holders are owed: quantity times current unit price. */
export interface SeriesBalance {
  readonly number: number;
  readonly ticker: string;
  readonly class: RiskClass;
  readonly balance: Decimal;
}

export interface Subordination {
  readonly series: readonly (SeriesBalance & { readonly share: Decimal })[];
  readonly total: Decimal;
  readonly byClass: Readonly<Record<RiskClass, Decimal>>;
  /** Balance of the mezzanine and junior series over all series, in percent: what stands below the senior ones. */
  readonly index: Decimal | undefined;
  /** Balance of the portfolio over all series, in percent. */
  readonly coverage: Decimal | undefined;
}

export function subordinate(series: readonly SeriesBalance[], portfolio: Decimal): Subordination {
  const total = sum(series.map((one) => one.balance));
  const parts = shares(series.map((one) => one.balance));
  const of = (wanted: RiskClass) => sum(series.filter((one) => one.class === wanted).map((one) => one.balance));
  const byClass = { SENIOR: of('SENIOR'), MEZZANINE: of('MEZZANINE'), JUNIOR: of('JUNIOR'), UNIQUE: of('UNIQUE') };
  return {
    series: series.map((one, index) => ({ ...one, share: parts[index] ?? new Decimal(0) })),
    total,
    byClass,
    index: percentOf(byClass.MEZZANINE.plus(byClass.JUNIOR), total),
    coverage: percentOf(portfolio, total),
  };
}
