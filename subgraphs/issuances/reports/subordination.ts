import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import type { RiskClass } from '../../securities/risk-class.js';
import { percentOf, shares } from './shares.js';

/** A series with the debt to its holders: quantity times current unit price. */
export interface SeriesBalance {
  readonly number: number;
  readonly ticker: string;
  readonly class: RiskClass;
  readonly balance: Decimal;
  /** The day of that price; null if it is the unit value at issue. */
  readonly priceDate: string | null;
  /** Whether a newer price was due. */
  readonly stale: boolean;
  /** Total due to its holders and unpaid, in addition to `balance`; null if an amount is not known. */
  readonly overdueTotal: string | null;
}

export const seriesEnds = ['REDEEMED', 'MATURED'] as const;

/** A fully repaid series, excluded from the figures. */
export interface EndedSeries {
  readonly number: number;
  readonly ticker: string;
  readonly class: RiskClass;
  readonly end: (typeof seriesEnds)[number];
  /** The day on which it ended; null if only its label says so. */
  readonly endedOn: string | null;
}

export interface Subordination {
  readonly series: readonly (SeriesBalance & { readonly share: Decimal })[];
  readonly total: Decimal;
  readonly byClass: Readonly<Record<RiskClass, Decimal>>;
  /** Balance of the mezzanine and junior series divided by the balance of all series, in percent: the subordination of the senior ones. */
  readonly index: Decimal | undefined;
  /** Balance of the portfolio divided by the balance of all series, in percent. */
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
