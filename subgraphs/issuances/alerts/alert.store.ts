import type { Context } from '../../../shared/kernel/context.js';
import { paymentStatusSql } from '../payments/operation-payment.store.js';

/** Maximum number of overdue records of a kind that are read, the most overdue first. */
export const mostOverdue = 5000;

const operation = `operation.id AS "operationId", operation.ticker AS "operationTicker", operation.name AS "operationName"`;

export interface OverdueRow {
  readonly id: string;
  readonly operationId: string;
  readonly operationTicker: string;
  readonly operationName: string;
  readonly title: string;
  readonly dueDate: string;
  readonly amount: string | null;
  readonly seriesTicker: string | null;
  readonly responsible: string | null;
}

/** Returns the payments of public operations that are overdue: not paid, and due up to a day (`overdueUntil`). */
export function overduePayments({ manager }: Context, today: string, until: string): Promise<OverdueRow[]> {
  const { isOverdue } = paymentStatusSql('$1', '$2');
  return manager.rows<OverdueRow>(
    `SELECT payment.id, ${operation}, payment.event AS title, payment.due_date::text AS "dueDate",
       coalesce(payment.open_value, payment.total_value) AS amount, series.ticker AS "seriesTicker", NULL AS responsible
     FROM issuances.payments AS payment
     JOIN issuances.operations AS operation ON operation.id = payment.operation_id AND operation.is_public
     LEFT JOIN issuances.series AS series ON series.id = payment.series_id
     WHERE ${isOverdue}
     ORDER BY payment.due_date, payment.id LIMIT $3`,
    [today, until, mostOverdue],
  );
}

/** Returns the obligations of public operations that are overdue, by the rule of `obligationStatus`. */
export function overdueObligations({ manager }: Context, today: string): Promise<OverdueRow[]> {
  return manager.rows<OverdueRow>(
    `SELECT obligation.id, ${operation}, obligation.title, obligation.due_date::text AS "dueDate",
       NULL AS amount, NULL AS "seriesTicker", obligation.responsible
     FROM issuances.obligations AS obligation
     JOIN issuances.operations AS operation ON operation.id = obligation.operation_id AND operation.is_public
     WHERE (obligation.delivered_date IS NULL OR obligation.delivered_date > $1)
       AND (obligation.waived_date IS NULL OR obligation.waived_date > $1)
       AND obligation.due_date + obligation.grace_days < $1
     ORDER BY obligation.due_date, obligation.id LIMIT $2`,
    [today, mostOverdue],
  );
}

export function operationsWithCovenants({
  manager,
}: Context): Promise<Pick<OverdueRow, 'operationId' | 'operationTicker' | 'operationName'>[]> {
  return manager.rows(
    `SELECT ${operation} FROM issuances.operations AS operation
     WHERE operation.is_public AND EXISTS (SELECT FROM issuances.covenants AS covenant WHERE covenant.operation_id = operation.id)
     ORDER BY operation.id`,
  );
}
