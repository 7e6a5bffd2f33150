import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import type { LatenessGroup } from '../../securities/aging.js';
import { percentOf } from './shares.js';

/** Numbers of days late over which delinquency is measured; 0 counts every credit in arrears. */
const overDays = [0, 30, 60, 90] as const;

/** Credits whose oldest unpaid instalment is more than some days late, by their whole balance and by what of it is overdue. */
export interface Delinquency {
  readonly overDays: number;
  readonly contracts: number;
  /** Whole balance of these credits, also what is not due yet. */
  readonly balance: Decimal;
  /** Their instalments that are due and unpaid; undefined where it is not known of one of them. */
  readonly overdueInstalments: Decimal | undefined;
  /** Of the portfolio, in percent; undefined for an empty portfolio. */
  readonly balanceShare: Decimal | undefined;
  readonly overdueShare: Decimal | undefined;
}

/** Measures the delinquency of a portfolio: one line for each of 0, 30, 60 and 90 days. */
export function measureDelinquency(groups: readonly LatenessGroup[], portfolio: Decimal): Delinquency[] {
  return overDays.map((days) => {
    const late = groups.filter(({ daysLate }) => daysLate > days);
    const known = late.flatMap(({ overdue }) => overdue ?? []);
    const balance = sum(late.map((group) => group.balance));
    const overdueInstalments = known.length === late.length ? sum(known) : undefined;
    return {
      overDays: days,
      contracts: late.reduce((total, group) => total + group.contracts, 0),
      balance,
      overdueInstalments,
      balanceShare: percentOf(balance, portfolio),
      overdueShare: overdueInstalments && percentOf(overdueInstalments, portfolio),
    };
  });
}
