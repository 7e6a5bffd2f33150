import { describeEnum } from '../graphql/describe-enum.js';
import type { PaymentStatus } from './payment-status.js';

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
