import type { ScheduleStatus } from './schedule.js';

/** State machine of an instalment: its due day passes unpaid, or it is paid. Only a reversal leaves PAID; it restores the previous state. */
export const scheduleTransitions: Readonly<
  Record<ScheduleStatus, Readonly<Partial<Record<'DUE_DAY_PASSED' | 'PAYMENT', ScheduleStatus>>>>
> = {
  PENDING: { DUE_DAY_PASSED: 'OVERDUE', PAYMENT: 'PAID' },
  OVERDUE: { PAYMENT: 'PAID' },
  PAID: {},
};
