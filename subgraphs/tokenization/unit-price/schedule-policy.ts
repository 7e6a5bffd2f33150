import type { Decimal } from '../../../shared/kernel/decimal.js';

export interface SchedulePolicy {
  /** Month of the first instalment, `YYYY-MM`. */
  readonly firstMonth: string;
  /** Day of the month, 1 to 31; the last one in a month without such a day. */
  readonly anniversaryDay: number;
  /** Months between instalments, 1 to 120. */
  readonly everyMonths: number;
  /** Number of instalments, 1 to 600. */
  readonly instalments: number;
  /** Whether interest accrues to the anniversary, even if it is paid later, or to the day of payment. */
  readonly accrueUntil: 'ANNIVERSARY' | 'DUE_DATE';
  readonly amortization: AmortizationSystem;
  /** Number of initial instalments without amortization ("carência"); less than all. */
  readonly principalGrace: number;
  /** Number of initial instalments without interest payment; at most `principalGrace`. */
  readonly interestGrace: number;
  /** Treatment of the interest during that time. */
  readonly graceInterest: 'INCORPORATED' | 'ACCRUED';
  /** Decimals of the amortization percentages, 0 to 8; deeds have 4. */
  readonly percentageDecimals: number;
}

export type AmortizationSystem =
  /** All of it at the end. */
  | { readonly kind: 'BULLET' }
  /** In equal parts ("SAC"). */
  | { readonly kind: 'SAC' }
  /** Equal total payments of interest and principal ("tabela Price"). */
  | { readonly kind: 'PRICE'; /** Percent a year. */ readonly rate: Decimal }
  /** The deed's table: the percentage of the balance at each instalment, the last one 100, or of the issue value, 100 together. */
  | { readonly kind: 'TABLE'; readonly percentages: readonly Decimal[] };
