import { sum, type Decimal } from '../../../shared/kernel/decimal.js';
import type { DayCount } from '../../securities/day-count.js';
import type { IndexBase, IndexProRata, ProjectionClause } from './index-bases.js';

export const priceIndices = ['IPCA', 'IGPM'] as const;
export type PriceIndex = (typeof priceIndices)[number];
export const isPriceIndex = (name: unknown): name is PriceIndex => priceIndices.some((one) => one === name);

/** Remuneration by the DI rate, day by day; the policy's `rate` is the spread over it. */
export interface DiIndexer {
  readonly kind: 'DI';
  /** Percentage of each day's rate: 100 for all of it, 97.5 for 97.5 % of DI. */
  readonly percentage: Decimal;
  /** Number of business days between the publication of a rate and the day that accrues it: 0, or what the deed says. */
  readonly lagBusinessDays: number;
}

/** Remuneration with a nominal value that follows a price index; the policy's `rate` is the interest on it. */
export interface PriceIndexer {
  readonly kind: 'PRICE_INDEX';
  readonly index: PriceIndex;
  /** An anniversary uses the index number of this many months before its month; usually 1 or 2. */
  readonly lagMonths: number;
  /** Day of the month, 1 to 31, at which one month's variation ends and the next begins. */
  readonly anniversaryDay: number;
  /** The days that the variation of a month is spread over, and whether anniversaries move to business days. */
  readonly proRata: IndexProRata;
  /** Starting point of the factor: on that day the updated value became the nominal value. */
  readonly base: IndexBase;
  /** Projection that applies until an index number is published. */
  readonly projection: ProjectionClause;
}

export type Indexer = { readonly kind: 'NONE' } | DiIndexer | PriceIndexer;

/** Treatment of the interest at an event: paid, added to the principal, or left accruing. */
export type InterestEvent = 'PAID' | 'INCORPORATED' | 'ACCRUED';

/** An event of a unit on a day, such as an instalment of a schedule. */
export interface UnitPriceEvent {
  /** The day up to which it accrues, `YYYY-MM-DD`; if this is no business day, it may be paid later. */
  readonly calculationDate: string;
  readonly interest: InterestEvent;
  /** Amortization ("TAI") in percent of the policy's `amortizationOf`, with at most 8 decimals. */
  readonly amortizationPercentage: Decimal;
}

export interface UnitPricePolicy {
  /** First day of remuneration, `YYYY-MM-DD`. */
  readonly startDate: string;
  /** Nominal value of one unit at the start, in reais, with at most 8 decimals. */
  readonly issueValue: Decimal;
  readonly dayCount: DayCount;
  /** Fixed rate, or spread over the indexer, in percent a year; 0 for none. */
  readonly rate: Decimal;
  readonly indexer: Indexer;
  /** The base of amortization percentages: the updated value of the day, or the updated issue value, to which incorporated interest belongs. */
  readonly amortizationOf: 'BALANCE' | 'ISSUE_VALUE';
  /** Oldest first, at most one per day. */
  readonly events: readonly UnitPriceEvent[];
}

/** @throws {RangeError} that names the first error */
export function requirePolicy({ startDate, issueValue, rate, indexer, amortizationOf, events }: UnitPricePolicy): void {
  insist(issueValue.gt(0) && issueValue.dp() <= 8, 'The issue value must be positive, with at most 8 decimals');
  insist(rate.gt(-100), 'The rate must be above -100 %');
  if (indexer.kind === 'DI') {
    insist(indexer.percentage.gte(0), 'The percentage of DI must not be negative');
    insist(isWhole(indexer.lagBusinessDays, 0, 30), 'The lag of DI must be from 0 to 30 business days');
  }
  if (indexer.kind === 'PRICE_INDEX') {
    insist(isWhole(indexer.lagMonths, 0, 12), 'The lag of the index must be from 0 to 12 months');
    insist(isWhole(indexer.anniversaryDay, 1, 31), 'The anniversary must be a day from 1 to 31');
    insist(
      amortizationOf === 'BALANCE' || indexer.base === 'START',
      'Amortization of the issue value needs an index factor since the start',
    );
  }
  const amortized = sum(events.map((event) => event.amortizationPercentage));
  insist(amortizationOf === 'BALANCE' || amortized.lte(100), 'The amortizations exceed the issue value');
  const lastIncorporation = events.findLastIndex(({ interest }) => interest === 'INCORPORATED');
  insist(
    amortizationOf === 'BALANCE' ||
      events.slice(0, lastIncorporation + 1).every(({ amortizationPercentage }) => amortizationPercentage.isZero()),
    'A part of the issue value is amortized before interest is incorporated in it',
  );
  let before = startDate;
  for (const { calculationDate, interest, amortizationPercentage } of events) {
    insist(calculationDate > before, `The event of ${calculationDate} must be later than ${before}`);
    insist(
      amortizationPercentage.gte(0) && amortizationPercentage.lte(100) && amortizationPercentage.dp() <= 8,
      `The amortization of ${calculationDate} must be from 0 to 100 %, with at most 8 decimals`,
    );
    insist(
      interest !== 'ACCRUED' || amortizationPercentage.isZero(),
      `The event of ${calculationDate} has an amortization while its interest is left to accrue`,
    );
    before = calculationDate;
  }
}

function insist(holds: boolean, otherwise: string): void {
  if (!holds) throw new RangeError(otherwise);
}

function isWhole(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
