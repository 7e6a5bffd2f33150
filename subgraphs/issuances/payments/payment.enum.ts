import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { PaymentStatus } from './payment.js';

export const PaymentStatusEnum = describeEnum<PaymentStatus>(
  'PaymentStatus',
  'Status of a payment to the holders as of today.',
  {
    PENDING: 'Not paid, and not late',
    PAID: 'Paid',
    OVERDUE: 'Not paid by the business day on which it fell due',
  },
);
