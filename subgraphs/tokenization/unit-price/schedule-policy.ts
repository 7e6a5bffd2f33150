import type { Decimal } from '../../../shared/decimal.js';

/** When a series pays, and what. */
export interface SchedulePolicy {
  /** Month of the first instalment, `YYYY-MM`. */
  readonly firstMonth: string;
  /** Day of the month, 1 to 31; the last one in a month without such a day. */
  readonly anniversaryDay: number;
  /** Months from one instalment to the next, 1 to 120. */
  readonly everyMonths: number;
  /** How many there are, 1 to 600. */
  readonly instalments: number;
  /** Whether interest runs up to the anniversary although it is paid later, or up to the day on which it is paid. */
  readonly accrueUntil: 'ANNIVERSARY' | 'DUE_DATE';
  readonly amortization: AmortizationSystem;
  /** How many instalments at the beginning amortize nothing ("carência"); fewer than all. */
  readonly principalGrace: number;
  /** How many at the beginning pay no interest either; at most `principalGrace`. */
  readonly interestGrace: number;
  /** What becomes of that interest. */
  readonly graceInterest: 'INCORPORATED' | 'ACCRUED';
  /** Decimals of the amortization percentages, 0 to 8; deeds have 4. */
  readonly percentageDecimals: number;
}

/** How principal is paid back. */
export type AmortizationSystem =
  /** All of it at the end. */
  | { readonly kind: 'BULLET' }
  /** In equal parts ("SAC"). */
  | { readonly kind: 'SAC' }
  /** So that equal periods pay the same, interest and principal together ("tabela Price"). */
  | { readonly kind: 'PRICE'; /** Percent a year. */ readonly rate: Decimal }
  /** As the deed's table says: the percentage of the balance at each instalment, the last one 100. */
  | { readonly kind: 'TABLE'; readonly percentages: readonly Decimal[] };
