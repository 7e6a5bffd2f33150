import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { daysBetween } from '../../../shared/kernel/calendar/days.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { sum } from '../../../shared/kernel/decimal.js';
import { byKeys } from '../../../shared/graphql/list-page.js';
import { overdueUntil } from '../../../shared/securities/payment-window.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { today } from '../../../shared/kernel/today.js';
import type { LiveReports } from '../reports/live-reports.js';
import { createRevisionCache } from '../revision/revision.js';
import { excessOf, placeKeys, type AlertKind } from './alert.js';
import type { AlertShape, AlertTotals } from './alert.type.js';
import { paymentStatusSql } from '../payments/operation-payment.store.js';

/** Returns the alerts of all public operations, in the order of the list. */
export type ReadAlerts = (context: Context) => Promise<readonly AlertShape[]>;

/** Creates a reader that finds the alerts again only when published data or the day has changed. */
export function createAlertReader(liveReports: LiveReports, calendar: () => Promise<Calendar>): ReadAlerts {
  const cache = createRevisionCache<readonly AlertShape[]>('alerts', 1);
  return (context) =>
    cache.one(context, '', async (fresh) => {
      const day = today(fresh);
      const [payments, obligations, covenants] = await Promise.all([
        overduePayments(fresh, day, overdueUntil(day, await calendar())),
        overdueObligations(fresh, day),
        breaches(fresh, liveReports),
      ]);
      const found = [
        ...covenants,
        ...payments.map((row) => overdue('PAYMENT_OVERDUE', row, day)),
        ...obligations.map((row) => overdue('OBLIGATION_OVERDUE', row, day)),
      ];
      return found.sort(byKeys(placeKeys));
    });
}

function overdue(kind: AlertKind, row: OverdueRow, day: string): AlertShape {
  return { ...row, kind, daysLate: daysBetween(row.dueDate, day), covenant: null };
}

async function breaches(context: Context, liveReports: LiveReports): Promise<AlertShape[]> {
  const operations = await operationsWithCovenants(context);
  const reports = loaderOf(context, liveReports);
  const found = await Promise.all(
    operations.map(async (operation) => {
      const { report } = await reports.load(operation.operationId);
      return report.covenants.map((covenant) => breachOf(operation, covenant));
    }),
  );
  return found.flat().flatMap((breach) => breach ?? []);
}

function breachOf(
  operation: Pick<OverdueRow, 'operationId' | 'operationTicker' | 'operationName'>,
  covenant: Parameters<typeof excessOf>[0],
): AlertShape | undefined {
  const excess = excessOf(covenant);
  const { name, metric, comparison, threshold, value, caveat } = covenant;
  if (excess === null || value === null) return undefined;
  return {
    ...operation,
    id: `${metric} ${comparison} ${threshold} ${name}`,
    kind: 'COVENANT_BREACHED',
    title: name,
    dueDate: null,
    daysLate: null,
    amount: null,
    seriesTicker: null,
    responsible: null,
    covenant: { metric, comparison, threshold, value, excess, caveat },
  };
}

export function addUpAlerts(alerts: readonly AlertShape[]): Shape<AlertTotals> {
  const countOf = (kind: AlertKind) => alerts.filter((alert) => alert.kind === kind).length;
  return {
    operations: new Set(alerts.map(({ operationId }) => operationId)).size,
    breachedCovenants: countOf('COVENANT_BREACHED'),
    overduePayments: countOf('PAYMENT_OVERDUE'),
    overdueAmount: sum(alerts.flatMap(({ amount }) => amount ?? [])).toFixed(2),
    paymentsWithoutAmount: alerts.filter(({ kind, amount }) => kind === 'PAYMENT_OVERDUE' && amount === null).length,
    overdueObligations: countOf('OBLIGATION_OVERDUE'),
  };
}

/** Maximum number of overdue records of a kind that are read, the most overdue first. */
export const mostOverdue = 5000;

const operation = `operation.id AS "operationId", operation.ticker AS "operationTicker", operation.name AS "operationName"`;

/** An overdue payment or obligation. */
interface OverdueRow {
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
function overduePayments({ manager }: Context, today: string, until: string): Promise<OverdueRow[]> {
  const { isOverdue } = paymentStatusSql('$1', '$2');
  return manager.rows<OverdueRow>(
    `SELECT payment.id, ${operation}, payment.event AS title, payment.due_date::text AS "dueDate",
       payment.total_value AS amount, series.ticker AS "seriesTicker", NULL AS responsible
     FROM issuances.payments AS payment
     JOIN issuances.operations AS operation ON operation.id = payment.operation_id AND operation.is_public
     LEFT JOIN issuances.series AS series ON series.id = payment.series_id
     WHERE ${isOverdue}
     ORDER BY payment.due_date, payment.id LIMIT $3`,
    [today, until, mostOverdue],
  );
}

/** Returns the obligations of public operations that are overdue, by the rule of `obligationStatus`. */
function overdueObligations({ manager }: Context, today: string): Promise<OverdueRow[]> {
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

/** Returns the public operations that have covenants. */
function operationsWithCovenants({
  manager,
}: Context): Promise<Pick<OverdueRow, 'operationId' | 'operationTicker' | 'operationName'>[]> {
  return manager.rows(
    `SELECT ${operation} FROM issuances.operations AS operation
     WHERE operation.is_public AND EXISTS (SELECT FROM issuances.covenants AS covenant WHERE covenant.operation_id = operation.id)
     ORDER BY operation.id`,
  );
}
