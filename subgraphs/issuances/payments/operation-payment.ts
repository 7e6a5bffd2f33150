import { daysBetween } from '../../../shared/kernel/calendar/days.js';
import type { PaymentStatus } from '../../securities/payments.js';

/** Returns the days by which a payment is late; null while it is not overdue. */
export function daysLate(status: PaymentStatus, dueDate: string, today: string): number | null {
  return status === 'OVERDUE' ? daysBetween(dueDate, today) : null;
}
