import type { PaymentStatus } from '../../../shared/securities/payment-status.js';

/** State machine of an instalment: its due day passes unpaid, or it is paid. Only a reversal leaves PAID; it restores the previous state. */
export const scheduleTransitions: Readonly<
  Record<PaymentStatus, Readonly<Partial<Record<'DUE_DAY_PASSED' | 'PAYMENT', PaymentStatus>>>>
> = {
  PENDING: { DUE_DAY_PASSED: 'OVERDUE', PAYMENT: 'PAID' },
  OVERDUE: { PAYMENT: 'PAID' },
  PAID: {},
};
