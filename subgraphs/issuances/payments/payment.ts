import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { PaymentStatus } from '../../securities/payments.js';
import type { PaymentRow } from '../operations/operation-list.store.js';

/** The label of a payment of units that cease; other payments are of every unit. */
export const partialRedemption = /resgate.*parcia|parcia.*resgate/i;
/** The same of the column `event`, as SQL. */
export const isPartialRedemption = `(event ~* '${partialRedemption.source}')`;

/** A payment due on a day without banks is due on the next business day, and late only after that. */
export function paymentStatus(
  { dueDate, paidDate }: { readonly dueDate: string; readonly paidDate: string | null },
  today: string,
  calendar: Calendar,
): PaymentStatus {
  if (paidDate !== null && paidDate <= today) return 'PAID';
  return dueDate < today && calendar.following(dueDate) < today ? 'OVERDUE' : 'PENDING';
}

/** Returns the amounts of a payment: its own or, until they are known, the amounts that the engine expects. */
export function amountsOf(row: PaymentRow) {
  const projected = row.totalValue === null && row.projectedTotal !== null;
  return {
    interestValue: projected ? row.projectedInterest : row.interestValue,
    principalValue: projected ? row.projectedPrincipal : row.principalValue,
    totalValue: projected ? row.projectedTotal : row.totalValue,
    projected,
  };
}

/** Returns the unpaid part of a payment with a status, in reais with 2 decimals; null while its total is not known. */
export function openOf(
  { totalValue, openValue }: { readonly totalValue: string | null; readonly openValue: string | null },
  status: PaymentStatus,
): string | null {
  return status === 'PAID' && totalValue !== null ? '0.00' : (openValue ?? totalValue);
}
