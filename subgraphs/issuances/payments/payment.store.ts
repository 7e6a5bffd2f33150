import { byOperation } from '../operations/by-operation.js';
import { columnsOf } from '../../../shared/database/columns.js';

/** A payment to the holders; its status is computed. */
export interface PaymentRow {
  readonly id: string;
  readonly operationId: string;
  readonly seriesId: string | null;
  readonly installmentNumber: number;
  readonly event: string;
  readonly dueDate: string;
  readonly paidDate: string | null;
  readonly interestValue: string | null;
  readonly principalValue: string | null;
  readonly totalValue: string | null;
}

const columns = columnsOf<PaymentRow>()(
  'id operationId seriesId installmentNumber event dueDate::text paidDate::text interestValue principalValue',
  'totalValue',
);

export const paymentsOf = byOperation<PaymentRow>(
  `SELECT ${columns} FROM issuances.payments WHERE operation_id = ANY ($1) ORDER BY due_date, installment_number, id`,
);
