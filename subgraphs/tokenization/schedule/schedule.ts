/** PENDING: not due yet. PAID: paid. OVERDUE: due and not paid. */
export const scheduleStatuses = ['PENDING', 'PAID', 'OVERDUE'] as const;
export type ScheduleStatus = (typeof scheduleStatuses)[number];
