import type { Shape } from '../../../shared/graphql/shape.js';
import type { UpcomingPaymentTotals } from './schedule-entry.type.js';
import { sum } from '../../../shared/kernel/decimal.js';
import type { PaymentWindow } from '../../securities/payments.js';
import { openOf, type DueColumns } from './payment.js';
import type { EntryValue } from '../events/entry-values.js';
import type { Projection } from './project-instalments.js';
import type { ScheduleEntryRow } from './schedule.store.js';

/** Selects payments of series; an empty list of tickers does not narrow it, and without a status all unpaid ones are selected. */
export interface UpcomingQuery extends PaymentWindow {
  /** In lower case. */
  readonly tickers: readonly string[];
  /** The last due date of which an unpaid payment is overdue. */
  readonly overdueUntil: string;
}

/** Sums of payments in reais with 2 decimals; null where there are payments and none has an amount. */
export type PaymentTotals = Shape<UpcomingPaymentTotals>;

export type OpenInstalment = DueColumns & Pick<ScheduleEntryRow, 'trancheId' | 'installmentNumber'>;

/** Adds up instalments with their own amounts, or else their projected ones. */
export function addUpPayments(
  instalments: readonly OpenInstalment[],
  projections: ReadonlyMap<string, Projection>,
): PaymentTotals {
  const projectedOf = ({ trancheId, installmentNumber }: OpenInstalment) =>
    projections.get(trancheId)?.get(installmentNumber);
  const amounts: (Omit<EntryValue, 'installmentNumber'> & { readonly openValue: string })[] = [];
  let projectedCount = 0;
  for (const instalment of instalments) {
    const { interestValue, principalValue, premiumValue, totalValue } = instalment;
    if (interestValue !== null && principalValue !== null && totalValue !== null) {
      const openValue = openOf(instalment) ?? totalValue;
      amounts.push({ interestValue, principalValue, premiumValue, totalValue, openValue });
      continue;
    }
    const projected = projectedOf(instalment);
    if (projected === undefined) continue;
    projectedCount += 1;
    amounts.push({ ...projected, openValue: openOf(instalment, projected.totalValue) ?? projected.totalValue });
  }
  const sumOf = (values: readonly string[]) =>
    values.length === 0 && instalments.length > 0 ? null : sum(values).toFixed(2);
  return {
    count: instalments.length,
    interestValue: sumOf(amounts.map(({ interestValue }) => interestValue)),
    principalValue: sumOf(amounts.map(({ principalValue }) => principalValue)),
    premiumValue: sumOf(amounts.map(({ premiumValue }) => premiumValue)),
    totalValue: sumOf(amounts.map(({ totalValue }) => totalValue)),
    openValue: sumOf(amounts.map(({ openValue }) => openValue)),
    projectedCount,
    withoutValue: instalments.length - amounts.length,
  };
}
