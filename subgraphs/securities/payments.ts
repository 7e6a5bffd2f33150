import type { Calendar } from '../../shared/kernel/calendar/calendar.js';
import { addDays } from '../../shared/kernel/calendar/days.js';
import { describeEnum } from '../../shared/graphql/describe-enum.js';

/** PENDING: not paid, and not late. OVERDUE: it fell due and is not paid. */
export type PaymentStatus = 'PENDING' | 'PAID' | 'OVERDUE';

export const PaymentStatusEnum = describeEnum<PaymentStatus>(
  'PaymentStatus',
  'Status of a payment or of an instalment.',
  {
    PENDING: 'Not paid, and not late',
    PAID: 'Paid',
    OVERDUE: 'Late: it fell due and is not paid',
  },
  { PENDING: ['Pendente', 'Pending'], PAID: ['Pago', 'Paid'], OVERDUE: ['Vencido', 'Overdue'] },
);

/** The days that a list of payments covers when the caller names none. */
export const usualPaymentDays = 90;

export interface PaymentWindow {
  readonly from: string | null;
  readonly to: string | null;
  readonly status: PaymentStatus | null;
}

/** Payments to come are from today to 90 days after the first day; made or overdue ones are in the past, without bounds of their own. */
export function paymentWindow(
  given: { readonly [Key in keyof PaymentWindow]?: PaymentWindow[Key] | undefined },
  today: string,
): PaymentWindow {
  const { from = null, to = null, status = null } = given;
  if (status === 'PAID' || status === 'OVERDUE') return { from, to, status };
  const first = from ?? (to !== null && to < today ? null : today);
  return { from: first, to: to ?? lastDay(first ?? today), status };
}

/** Returns the last day of the usual period; null if it may be after the year 9999. */
function lastDay(first: string): string | null {
  return first > '9999-09-01' ? null : addDays(first, usualPaymentDays);
}

/** Returns the last business day before today: a payment due on a day without banks is payable on the next business day. */
export function overdueUntil(today: string, calendar: Calendar): string {
  return calendar.preceding(addDays(today, -1));
}
