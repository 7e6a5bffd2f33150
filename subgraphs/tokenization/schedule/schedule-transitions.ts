import type { ScheduleStatus } from './schedule.js';

/** What moves an instalment: its due day passes unpaid, or it is paid. PAID is left by a reversal alone, which makes it what it was before. */
export const scheduleTransitions: Readonly<
  Record<ScheduleStatus, Readonly<Partial<Record<'DUE_DAY_PASSED' | 'PAYMENT', ScheduleStatus>>>>
> = {
  PENDING: { DUE_DAY_PASSED: 'OVERDUE', PAYMENT: 'PAID' },
  OVERDUE: { PAYMENT: 'PAID' },
  PAID: {},
};
