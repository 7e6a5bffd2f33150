/** PENDING: not paid, and not late. OVERDUE: it fell due and is not paid. */
export type PaymentStatus = 'PENDING' | 'PAID' | 'OVERDUE';
