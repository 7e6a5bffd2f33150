import { byOperation } from '../operations/by-operation.js';
import { PaymentRow } from './payment.entity.js';

export const paymentsOf = byOperation(PaymentRow, { dueDate: 'ASC', installmentNumber: 'ASC', id: 'ASC' });
