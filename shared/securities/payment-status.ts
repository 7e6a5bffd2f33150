export const paymentStatuses = ['PENDING', 'PAID', 'OVERDUE'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];
