import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { addMonths, monthsBetween } from '../../../shared/kernel/calendar/days.js';
import type { PortfolioSource } from './portfolio.store.js';

/**
 * Statuses of the report of a month: PRELIMINARY follows the data, FINAL is stored and does not change.
 *
 * | from | event | to |
 * |---|---|---|
 * | PRELIMINARY | an import declares its positions complete, or an operator closes it; with a reason if something of it is missing | FINAL, version 1 |
 * | FINAL | an operator reissues it, with a reason | FINAL, the next version |
 */
export const monthStatuses = ['PRELIMINARY', 'FINAL'] as const;
export type MonthStatus = (typeof monthStatuses)[number];

export interface ReportMonth {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly status: MonthStatus;
  /** 1 for the first final report; null while it is preliminary. */
  readonly version: number | null;
  /** When this version was computed; null while it is preliminary, since each read may compute it again. */
  readonly generatedAt: Date | null;
  /** Why it was reissued, or closed although something was missing; null otherwise. */
  readonly reason: string | null;
  /** Whether positions of the month, write-offs, or prices in force at its end were written after this version. */
  readonly dataChanged: boolean;
}

/** Data available for the months of an operation. Months are `YYYY-MM`. */
export interface KnownMonths {
  readonly positionMonths: readonly string[];
  /** The month of the latest known state of the contracts, without those that originators assigned; null without contracts. */
  readonly baseMonth: string | null;
}

export function lastEndedMonth({ clock }: Pick<Context, 'clock'>): string {
  return addMonths(civilDate(clock.now()).slice(0, 7), -1);
}

/** Returns its positions if there are any, else the contracts in their current state, unless that is of a later month. It is undefined without data on its end. */
export function sourceOf({ positionMonths, baseMonth }: KnownMonths, month: string): PortfolioSource | undefined {
  if (positionMonths.includes(month)) return 'MONTH_END';
  return baseMonth !== null && baseMonth <= month ? 'LAST_KNOWN' : undefined;
}

/** Returns the months with a report, newest first: the final ones, and those up to `lastMonth` with data. */
export function monthsOf(known: KnownMonths, final: readonly ReportMonth[], lastMonth: string): ReportMonth[] {
  const { positionMonths, baseMonth } = known;
  const byMonth = new Map(
    [...positionMonths, ...(baseMonth === null ? [] : monthsBetween(baseMonth, lastMonth))]
      .filter((month) => month <= lastMonth)
      .map((month) => [month, preliminary(month)]),
  );
  for (const one of final) byMonth.set(one.month, one);
  return [...byMonth.values()].sort((left, right) => (left.month < right.month ? 1 : -1));
}

function preliminary(month: string): ReportMonth {
  return { month, status: 'PRELIMINARY', version: null, generatedAt: null, reason: null, dataChanged: false };
}
